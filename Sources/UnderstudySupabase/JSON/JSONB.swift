package import Foundation
import UnderstudyHTTP
import UnderstudyPostgreSQL

extension JSONValue {
  /// The text in the notation of PostgreSQL for `jsonb`: a space after each comma and colon.
  var text: String {
    var text = ""
    write(to: &text)
    return text
  }

  /// The text, in UTF-8.
  package var data: Data { Data(text.utf8) }

  /// Writes it as PostgreSQL prints a `jsonb`.
  func write(to text: inout String) {
    write(to: &text, comma: ", ", colon: ": ")
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
