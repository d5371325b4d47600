/// The words of Swift source.
enum Words {
  /// Those that cannot be names without backticks.
  private static let keywords: Set<String> = [
    "associatedtype", "class", "deinit", "enum", "extension", "fileprivate", "func", "import", "init",
    "inout",
    "internal", "let", "operator", "private", "precedencegroup", "protocol", "public", "rethrows",
    "static",
    "struct", "subscript", "typealias", "var", "break", "case", "catch", "continue", "default", "defer", "do",
    "else",
    "fallthrough", "for", "guard", "if", "in", "repeat", "return", "throw", "switch", "where", "while", "Any",
    "as",
    "await", "catch", "false", "is", "nil", "self", "Self", "super", "throws", "true", "try",
  ]

  /// A name, in backticks if it needs them.
  static func escaped(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

  /// A name without backticks.
  static func bare(_ name: String) -> String { name.filter { $0 != "`" } }

  /// A name with its first letter in upper case.
  static func capitalized(_ name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }

  /// The names and keywords of a piece of source.
  static func of(_ source: String) -> [Substring] {
    source.split { !($0.isLetter || $0.isNumber || $0 == "_") }
  }
}
