package import Foundation
import UnderstudyHTTP
import UnderstudyPostgreSQL

extension JSONValue {
  /// The text in the notation of PostgreSQL for `jsonb`: a space after each comma and colon.
  var text: String { String(decoding: data, as: UTF8.self) }

  /// The text, in UTF-8.
  package var data: Data {
    var bytes: [UInt8] = []
    write(into: &bytes, hasSpaces: true)
    return Data(bytes)
  }
}

extension JSONValue {
  /// Returns the value in the form of `jsonb`: only the last member with a name, shorter names first, numbers without
  /// exponents.
  ///
  /// A value that `jsonb` cannot hold is unchanged.
  func normalized() -> JSONValue {
    guard let document = try? JSONB(parsing: compactText),
      let value = try? JSONValue(parsing: Data(document.text.utf8))
    else { return self }
    return value
  }
}
