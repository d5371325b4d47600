/// Numbers and lists as people read them.
enum Amount {
  /// With a comma between groups of three digits.
  static func grouped(_ number: Int) -> String {
    var digits = Array("\(number.magnitude)")
    var place = digits.count - 3
    while place > 0 {
      digits.insert(",", at: place)
      place -= 3
    }
    return (number < 0 ? "-" : "") + String(digits)
  }

  /// A number of things, such as `1 call` or `2 calls`.
  static func of(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    number == 1 ? "1 \(one)" : "\(grouped(number)) \(many ?? one + "s")"
  }

  /// The first few of a list, and how many more there are.
  static func list(_ items: [String], atMost most: Int = 3) -> String {
    let rest = items.count - most
    return items.prefix(most).joined(separator: ", ") + (rest > 0 ? " and \(grouped(rest)) more" : "")
  }
}
