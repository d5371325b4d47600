/// On what platforms, and since when, there is a declaration.
struct Availability: Decodable, Sendable {
  struct Version: Decodable, Sendable, CustomStringConvertible {
    let major: Int
    let minor: Int?
    let patch: Int?

    var description: String {
      [major, minor, patch].compactMap { $0 }.map(String.init).joined(separator: ".")
    }
  }

  /// A platform, `swift`, or `*`.
  let domain: String?
  let introduced: Version?
  let deprecated: Version?
  let obsoleted: Version?
  let message: String?
  let renamed: String?
  let isUnconditionallyDeprecated: Bool?
  let isUnconditionallyUnavailable: Bool?

  /// The attribute that says the same.
  var attribute: String {
    var parts = [domain ?? "*"]
    if isUnconditionallyUnavailable == true { parts.append("unavailable") }
    if isUnconditionallyDeprecated == true { parts.append("deprecated") }
    if let introduced { parts.append("introduced: \(introduced)") }
    if let deprecated { parts.append("deprecated: \(deprecated)") }
    if let obsoleted { parts.append("obsoleted: \(obsoleted)") }
    if let message { parts.append("message: \(message.debugDescription)") }
    if let renamed { parts.append("renamed: \(renamed.debugDescription)") }
    return "@available(\(parts.joined(separator: ", ")))"
  }
}
