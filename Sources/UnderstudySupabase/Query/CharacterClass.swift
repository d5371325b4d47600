/// A class of characters in a regular expression, such as `[:alpha:]` or `\d`, in the locale `C.UTF-8`.
enum CharacterClass: String, Sendable {
  case alpha, digit, alnum, upper, lower, space, blank, punct, cntrl, graph, print, xdigit, word

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    switch self {
    case .alpha: return properties.isAlphabetic || (properties.numericType == .decimal && scalar.value > 0x7F)
    case .digit: return ("0"..."9").contains(scalar)
    case .alnum: return Self.alpha.contains(scalar) || Self.digit.contains(scalar)
    case .word: return scalar == "_" || Self.alnum.contains(scalar)
    case .upper: return properties.isUppercase
    case .lower: return properties.isLowercase
    // Without the spaces that forbid a line break.
    case .space: return properties.isWhitespace && ![0x85, 0xA0, 0x2007, 0x202F].contains(scalar.value)
    case .blank:
      return scalar == "\t" || (Self.space.contains(scalar) && properties.generalCategory == .spaceSeparator)
    case .cntrl: return properties.generalCategory == .control || [0x2028, 0x2029].contains(scalar.value)
    case .xdigit: return scalar.isASCII && properties.isHexDigit
    case .punct: return Self.graph.contains(scalar) && !Self.alnum.contains(scalar)
    case .graph: return Self.print.contains(scalar) && !Self.space.contains(scalar)
    case .print:
      switch properties.generalCategory {
      case .control, .surrogate, .unassigned: return false
      default: return ![0x2028, 0x2029].contains(scalar.value)
      }
    }
  }
}
