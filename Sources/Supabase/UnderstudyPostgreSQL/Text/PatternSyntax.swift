/// The tree of a regular expression.
indirect enum PatternNode {
  case empty
  case character(CharacterClass)
  case sequence([PatternNode])
  case alternatives([PatternNode])
  case repetition(PatternNode, least: Int, most: Int?, isGreedy: Bool)
  case capture(Int, PatternNode)
  case assertion(PatternAssertion)
  case look(PatternNode, isAhead: Bool, isNegated: Bool)

  /// Whether the node prefers a short match, a long one, or has no preference (PostgreSQL documentation, 9.7.3.5).
  var prefersShort: Bool? {
    switch self {
    case .empty, .character, .assertion, .look: nil
    case .capture(_, let inner): inner.prefersShort
    case .alternatives: false
    case .sequence(let parts): parts.lazy.compactMap(\.prefersShort).first
    case .repetition(let inner, let least, let most, let isGreedy):
      least == most ? inner.prefersShort : !isGreedy
    }
  }

  var hasCapture: Bool {
    switch self {
    case .empty, .character, .assertion, .look: false
    case .capture: true
    case .alternatives(let parts), .sequence(let parts): parts.contains(where: \.hasCapture)
    case .repetition(let inner, _, _, _): inner.hasCapture
    }
  }
}

enum PatternAssertion {
  case textStart, textEnd, lineStart, lineEnd, wordStart, wordEnd, wordBoundary, notWordBoundary
}

/// A set of characters, as a bracket expression describes it.
struct CharacterClass {
  /// A class that all characters decide by their properties.
  enum Name: String {
    case alpha, digit, alnum, upper, lower, space, blank, punct, cntrl, graph, print, xdigit, word
    case ascii

    func contains(_ scalar: Unicode.Scalar) -> Bool {
      let properties = scalar.properties
      switch self {
      case .alpha: return properties.isAlphabetic
      case .digit: return ("0"..."9").contains(scalar)
      case .alnum: return properties.isAlphabetic || properties.numericType == .decimal
      case .word: return properties.isAlphabetic || properties.numericType == .decimal || scalar == "_"
      case .upper: return properties.isUppercase
      case .lower: return properties.isLowercase
      case .space:
        // The spaces of glibc are without those that forbid a line break, and without NEL.
        return properties.isWhitespace && !["\u{85}", "\u{A0}", "\u{2007}", "\u{202F}"].contains(scalar)
      case .blank: return scalar == " " || scalar == "\t"
      case .punct:
        switch properties.generalCategory {
        case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
          .initialPunctuation, .finalPunctuation, .otherPunctuation, .mathSymbol, .currencySymbol,
          .modifierSymbol, .otherSymbol:
          return true
        default: return false
        }
      case .cntrl: return properties.generalCategory == .control
      case .graph: return Self.print.contains(scalar) && !properties.isWhitespace
      case .print:
        switch properties.generalCategory {
        case .control, .surrogate, .unassigned, .lineSeparator, .paragraphSeparator: return false
        default: return true
        }
      case .xdigit: return scalar.hexadecimalDigit != nil
      case .ascii: return scalar.isASCII
      }
    }
  }

  private var names: [(name: Name, isNegated: Bool)] = []
  private var ranges: [ClosedRange<UInt32>] = []
  var isNegated = false
  var ignoresCase = false

  init() {}

  mutating func add(_ name: Name, isNegated: Bool = false) {
    names.append((ignoresCase && (name == .upper || name == .lower) ? .alpha : name, isNegated))
  }

  mutating func add(_ range: ClosedRange<UInt32>) { ranges.append(range) }

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    var isMember = holds(scalar)
    if !isMember, ignoresCase {
      isMember = holds(scalar.simpleLowercase) || holds(scalar.simpleUppercase)
    }
    return isMember != isNegated
  }

  /// The members below 64, and those below 128, as bits.
  var asciiBits: (low: UInt64, high: UInt64) {
    var bits: (low: UInt64, high: UInt64) = (0, 0)
    for range in ranges where range.lowerBound < 128 {
      for value in range.lowerBound...min(range.upperBound, 127) {
        if value < 64 { bits.low |= 1 << UInt64(value) } else { bits.high |= 1 << UInt64(value - 64) }
      }
    }
    for entry in names {
      let (low, high) = Self.asciiBits[entry.name] ?? (0, 0)
      bits.low |= entry.isNegated ? ~low : low
      bits.high |= entry.isNegated ? ~high : high
    }
    if ignoresCase {
      // Letters are the bits 1 to 26 and 33 to 58 of the second half.
      let letters: UInt64 = 0x07FF_FFFE
      bits.high |= (bits.high >> 32) & letters | (bits.high & letters) << 32
    }
    return isNegated ? (~bits.low, ~bits.high) : bits
  }

  private static let asciiBits: [Name: (low: UInt64, high: UInt64)] = {
    let names: [Name] = [
      .alpha, .digit, .alnum, .upper, .lower, .space, .blank, .punct, .cntrl, .graph, .print, .xdigit, .word,
      .ascii,
    ]
    return Dictionary(
      uniqueKeysWithValues: names.map { name in
        var bits: (low: UInt64, high: UInt64) = (0, 0)
        for value in UInt8(0)..<64 {
          if name.contains(Unicode.Scalar(value)) { bits.low |= 1 << UInt64(value) }
          if name.contains(Unicode.Scalar(value + 64)) { bits.high |= 1 << UInt64(value) }
        }
        return (name, bits)
      })
  }()

  private func holds(_ scalar: Unicode.Scalar) -> Bool {
    for range in ranges where range.contains(scalar.value) { return true }
    for entry in names where entry.name.contains(scalar) != entry.isNegated { return true }
    return false
  }
}

extension Unicode.Scalar {
  /// The scalar in lower case if that is one scalar, as C's `towlower`.
  var simpleLowercase: Unicode.Scalar {
    if isASCII { return ("A"..."Z").contains(self) ? Unicode.Scalar(UInt8(value + 32)) : self }
    // The full mapping of this one adds a combining dot.
    if self == "\u{130}" { return "i" }
    let mapped = properties.lowercaseMapping.unicodeScalars
    return mapped.count == 1 ? mapped[mapped.startIndex] : self
  }

  var simpleUppercase: Unicode.Scalar {
    if isASCII { return ("a"..."z").contains(self) ? Unicode.Scalar(UInt8(value - 32)) : self }
    let mapped = properties.uppercaseMapping.unicodeScalars
    return mapped.count == 1 ? mapped[mapped.startIndex] : self
  }
}

/// The options of a regular expression (PostgreSQL documentation, table 9.24).
struct PatternOptions: Hashable {
  var ignoresCase = false
  /// A newline ends `.` and negated brackets.
  var stopsAtNewline = false
  /// `^` and `$` match at lines.
  var hasLineAnchors = false
  var isLiteral = false
  var isExpanded = false
  /// `g`, which only some functions accept.
  var isGlobal = false

  init() {}

  init(_ letters: String, function: String? = nil) throws(PostgreSQLError) {
    for letter in letters {
      guard letter == "g" || apply(letter) else {
        throw PostgreSQLError("22023", "invalid regular expression option: \"\(letter)\"")
      }
      if letter == "g" { isGlobal = true }
    }
    if isGlobal, let function {
      throw PostgreSQLError(
        "22023", "\(function) does not support the \"global\" option",
        hint: function == "regexp_match()" ? "Use the regexp_matches function instead." : nil)
    }
  }

  /// Returns false for an unknown option.
  mutating func apply(_ letter: Character) -> Bool {
    switch letter {
    case "c": ignoresCase = false
    case "i": ignoresCase = true
    case "n", "m": (stopsAtNewline, hasLineAnchors) = (true, true)
    case "p": (stopsAtNewline, hasLineAnchors) = (true, false)
    case "w": (stopsAtNewline, hasLineAnchors) = (false, true)
    case "s": (stopsAtNewline, hasLineAnchors) = (false, false)
    case "q": isLiteral = true
    case "x": isExpanded = true
    case "t": isExpanded = false
    case "e": break
    default: return false
    }
    return true
  }
}
