import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension HTTP.Fields {
  /// Creates fields from a Foundation response.
  ///
  /// Foundation keeps fields in a dictionary, so their order is lost; they are sorted by name here. It also joins lines
  /// of the same name with commas. That is equivalent (RFC 9110 §5.3), except for cookies, which are split again.
  init(_ response: HTTPURLResponse) {
    self.init(
      response.allHeaderFields
        .compactMap { name, value -> Field? in
          guard let name = name as? String else { return nil }
          return Field(name: name, value: value as? String ?? "\(value)")
        }
        .sorted { $0.name < $1.name }
        .flatMap { field -> [Field] in
          field.name.lowercased() == "set-cookie"
            ? Self.cookies(in: field.value).map { Field(name: field.name, value: $0) } : [field]
        })
  }

  /// The cookies in a comma-separated list.
  ///
  /// A cookie begins with a name and an equals sign (RFC 6265 §4.1.1). The comma within a date is not followed by
  /// these, and no other attribute except a path may contain a comma.
  static func cookies(in list: String) -> [String] {
    var cookies: [String] = []
    for part in list.split(separator: ",", omittingEmptySubsequences: false) {
      let name = part.prefix { $0 != "=" }.drop { $0 == " " || $0 == "\t" }
      let isBeginning =
        name.endIndex < part.endIndex && !name.isEmpty
        && name.utf8.allSatisfy(HTTP.isTokenCharacter)
      if let last = cookies.indices.last, !isBeginning {
        cookies[last] += "," + part
      } else {
        cookies.append(part.trimmingCharacters(in: .whitespaces))
      }
    }
    return cookies
  }
}
