/// Amounts as people read them; not by a locale's rules, because scripts read the lines too.
package enum Words {
  /// A number of things, such as `1 entry` or `2 entries`.
  package static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    number == 1 ? "1 \(one)" : "\(number) \(many ?? one + "s")"
  }

  /// The first few of a list, and how many more there are.
  package static func list(_ items: [String], atMost most: Int = 3) -> String {
    let rest = items.count - most
    return items.prefix(most).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }

  /// A word as a shell reads it back.
  package static func shell(_ word: String) -> String {
    let isPlain =
      !word.isEmpty
      && word.utf8.allSatisfy { byte in
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
          || "-_./:=,+@%".utf8.contains(byte)
      }
    return isPlain
      ? word
      : "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }

  /// With a comma between groups of three digits.
  package static func grouped(_ number: Int) -> String {
    var digits = Array("\(number.magnitude)")
    var place = digits.count - 3
    while place > 0 {
      digits.insert(",", at: place)
      place -= 3
    }
    return (number < 0 ? "-" : "") + String(digits)
  }
}
