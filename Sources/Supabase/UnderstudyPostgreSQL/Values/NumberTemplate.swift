/// A template of `to_char` and `to_number` for numbers (PostgreSQL documentation, table 9.30).
///
/// The rules are those of `NUM_processor` in PostgreSQL's formatting.c, without a locale.
struct NumberTemplate {
  enum Node: Equatable {
    case digit, zero, point, comma, currency
    case sign, minus, plus, anySign, brackets
    case roman(isUpper: Bool), ordinal(isUpper: Bool)
    case shift, exponent, fill, blank
    case text(String)
  }

  enum LeadingSign { case none, before, after }

  private(set) var nodes: [Node] = []
  /// Digits before and after the point, and those after `V`.
  private(set) var before = 0
  var after = 0
  private(set) var shift = 0
  private(set) var zeroStart: Int?
  private(set) var zeroEnd = 0
  private(set) var lockedSign = LeadingSign.none
  private(set) var digitsBeforeSign = 0
  private(set) var isFilled = false
  private(set) var hasPoint = false
  private(set) var hasExponent = false
  private(set) var isRoman = false
  private(set) var hasShift = false
  private(set) var hasBrackets = false
  private(set) var hasPlus = false
  private(set) var hasMinus = false

  private static let keywords: [(String, Node)] = [
    ("EEEE", .exponent), ("eeee", .exponent), ("FM", .fill), ("fm", .fill), ("MI", .minus), ("mi", .minus),
    ("PL", .plus), ("pl", .plus), ("PR", .brackets), ("pr", .brackets), ("RN", .roman(isUpper: true)),
    ("rn", .roman(isUpper: false)), ("SG", .anySign), ("sg", .anySign), ("TH", .ordinal(isUpper: true)),
    ("th", .ordinal(isUpper: false)), (",", .comma), (".", .point), ("0", .zero), ("9", .digit),
    ("B", .blank),
    ("b", .blank), ("D", .point), ("d", .point), ("G", .comma), ("g", .comma), ("L", .currency),
    ("l", .currency),
    ("S", .sign), ("s", .sign), ("V", .shift), ("v", .shift),
  ]

  init(_ text: String) throws(PostgreSQLError) {
    var rest = Substring(text)
    while let first = rest.first {
      if let (keyword, node) = Self.keywords.first(where: { rest.hasPrefix($0.0) }) {
        rest.removeFirst(keyword.count)
        nodes.append(node)
        try add(node)
      } else if first == "\"" {
        rest.removeFirst()
        while let character = rest.first, character != "\"" {
          rest.removeFirst()
          let isEscape = character == "\\" && !rest.isEmpty
          nodes.append(.text(String(isEscape ? rest.removeFirst() : character)))
        }
        if !rest.isEmpty { rest.removeFirst() }
      } else {
        rest.removeFirst()
        if first == "\\", rest.first == "\"" { continue }
        nodes.append(.text(String(first)))
      }
    }
  }

  private static func error(_ message: String) -> PostgreSQLError { PostgreSQLError("42601", message) }

  private mutating func add(_ node: Node) throws(PostgreSQLError) {
    if hasExponent, node != .exponent { throw Self.error("\"EEEE\" must be the last pattern used") }
    switch node {
    case .digit:
      if hasBrackets { throw Self.error("\"9\" must be ahead of \"PR\"") }
      if hasShift { shift += 1 } else if hasPoint { after += 1 } else { before += 1 }
    case .zero:
      if hasBrackets { throw Self.error("\"0\" must be ahead of \"PR\"") }
      if zeroStart == nil, !hasPoint { zeroStart = before }
      if hasPoint { after += 1 } else { before += 1 }
      zeroEnd = before + after
    case .point:
      if hasPoint { throw Self.error("multiple decimal points") }
      if hasShift { throw Self.error("cannot use \"V\" and decimal point together") }
      hasPoint = true
    case .fill: isFilled = true
    case .sign:
      if lockedSign != .none { throw Self.error("cannot use \"S\" twice") }
      if hasPlus || hasMinus || hasBrackets {
        throw Self.error("cannot use \"S\" and \"PL\"/\"MI\"/\"SG\"/\"PR\" together")
      }
      lockedSign = hasPoint ? .after : .before
      if !hasPoint { digitsBeforeSign = before }
    case .minus:
      if lockedSign != .none { throw Self.error("cannot use \"S\" and \"MI\" together") }
      hasMinus = true
    case .plus:
      if lockedSign != .none { throw Self.error("cannot use \"S\" and \"PL\" together") }
      hasPlus = true
    case .anySign:
      if lockedSign != .none { throw Self.error("cannot use \"S\" and \"SG\" together") }
      (hasMinus, hasPlus) = (true, true)
    case .brackets:
      if lockedSign != .none || hasPlus || hasMinus {
        throw Self.error("cannot use \"PR\" and \"S\"/\"PL\"/\"MI\"/\"SG\" together")
      }
      hasBrackets = true
    case .roman: isRoman = true
    case .shift:
      if hasPoint { throw Self.error("cannot use \"V\" and decimal point together") }
      hasShift = true
    case .exponent:
      if hasExponent { throw Self.error("cannot use \"EEEE\" twice") }
      if isFilled || lockedSign != .none || hasBrackets || hasPlus || hasMinus || isRoman || hasShift {
        throw PostgreSQLError(
          "42601", "\"EEEE\" is incompatible with other formats",
          detail: "\"EEEE\" may only be used together with digit and decimal point patterns.")
      }
      hasExponent = true
    case .comma, .currency, .ordinal, .blank, .text: break
    }
  }

  /// A number as the template shows it.
  ///
  /// - Parameters:
  ///   - digits: Without a sign, rounded to the places of the template.
  ///   - shown: The number of its digits before the point.
  func text(digits: String, integral shown: Int, isNegative: Bool) throws(PostgreSQLError) -> String {
    let width = before + shift
    var spaces = 0
    var number = Array(digits.utf8)
    if shown < width {
      spaces = width - shown
    } else if shown > width {
      number = [UInt8](repeating: UInt8(ascii: "#"), count: width + after + 1)
      number[width] = UInt8(ascii: ".")
    }
    let hasOrdinal = nodes.contains { if case .ordinal = $0 { true } else { false } }
    if hasOrdinal, !isNegative, !hasPoint, number.first != UInt8(ascii: "#"), number.last?.isDigit != true {
      throw PostgreSQLError("22P02", "\"\(String(decoding: number, as: UTF8.self))\" is not a number")
    }
    var writer = Writer(self, number: number, spaces: spaces, width: width, isNegative: isNegative)
    writer.write()
    return String(decoding: writer.output, as: UTF8.self)
  }

  /// A number in Roman numerals, of which there are those from 1 to 3999.
  func text(ofRoman number: Int?) -> String {
    let numeral =
      number.flatMap { (1...3999).contains($0) ? Self.roman($0) : nil } ?? String(repeating: "#", count: 15)
    var output = ""
    for node in nodes {
      switch node {
      case .roman(let isUpper):
        let text = isUpper ? numeral : numeral.lowercased()
        output +=
          isFilled || text.utf8.count >= 15
          ? text : String(repeating: " ", count: 15 - text.utf8.count) + text
      case .text(let text): output += text
      case .comma, .minus, .plus: if !isFilled { output += " " }
      case .currency: output += " "
      // There is no sign, which ends the text in PostgreSQL.
      case .anySign: return output
      default: break
      }
    }
    return output
  }

  private static func roman(_ number: Int) -> String {
    var (rest, text) = (number, "")
    for (value, numeral) in [
      (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"),
      (10, "X"),
      (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
    ] {
      while rest >= value {
        text += numeral
        rest -= value
      }
    }
    return text
  }

  private struct Writer {
    let template: NumberTemplate
    let number: [UInt8]
    let spaces: Int
    let isNegative: Bool
    let lockedSign: LeadingSign
    let hasBrackets: Bool
    /// The position of the last digit that fill mode keeps; the point if no digit follows it.
    let lastRelevant: Int?
    var output: [UInt8] = []
    var next = 0
    var position = 0
    var isInNumber = false
    var hasSign: Bool
    var count: Int
    /// Digits that a template asks for beyond those of the number end the text.
    var hasEnded = false

    init(_ template: NumberTemplate, number: [UInt8], spaces: Int, width: Int, isNegative: Bool) {
      self.template = template
      self.number = number
      self.spaces = spaces
      self.isNegative = isNegative
      hasBrackets = template.hasBrackets && (isNegative || !template.isFilled)
      if template.hasPlus || template.hasMinus {
        hasSign = !(template.hasPlus && !template.hasMinus)
        lockedSign = template.lockedSign
      } else {
        hasSign = !isNegative && template.isFilled && template.lockedSign == .none
        lockedSign =
          template.lockedSign == .before && width == template.digitsBeforeSign ? .after : template.lockedSign
      }
      count = template.after + width - 1
      if template.isFilled, template.hasPoint, let point = number.firstIndex(of: UInt8(ascii: ".")) {
        var last = number.lastIndex { $0 != UInt8(ascii: "0") } ?? point
        last = max(last, point)
        // Digits that a 0 asks for are kept.
        if template.zeroEnd > spaces { last = max(last, min(number.count - 1, template.zeroEnd - spaces)) }
        lastRelevant = last
      } else {
        lastRelevant = nil
      }
      if !hasSign, spaces == 0 { count += 1 }
    }

    private var isLastRelevantPoint: Bool {
      lastRelevant.map { number[$0] == UInt8(ascii: ".") } ?? false
    }

    /// A zero before the point that the template does not ask for: `.5` for `9.9`.
    private var isHiddenZero: Bool {
      template.zeroStart == nil && next == 0 && number.first == UInt8(ascii: "0") && template.after != 0
    }

    private mutating func append(_ character: Character) { output += String(character).utf8 }

    mutating func write() {
      let isFilled = template.isFilled
      for node in template.nodes where !hasEnded {
        switch node {
        case .digit, .zero, .point: writePart(node)
        case .comma: if isInNumber { append(",") } else if !isFilled { append(" ") }
        case .currency: append(" ")
        case .minus: if isNegative { append("-") } else if !isFilled { append(" ") }
        case .plus: if !isNegative { append("+") } else if !isFilled { append(" ") }
        case .anySign: append(isNegative ? "-" : "+")
        case .ordinal(let isUpper):
          if isNegative || template.hasPoint || number.first == UInt8(ascii: "#") { continue }
          output +=
            DateTemplate.ordinal(String(decoding: number, as: UTF8.self), isUpper ? .upper : .lower).utf8
        case .text(let text): output += text.utf8
        case .sign, .brackets, .roman, .shift, .exponent, .fill, .blank: break
        }
      }
    }

    private mutating func writeSign() {
      let reachesZero = template.zeroStart == position
      guard !hasSign, position >= spaces || reachesZero, !isHiddenZero || isLastRelevantPoint else { return }
      if lockedSign != .none {
        guard lockedSign == .before else { return }
        append(isNegative ? "-" : "+")
      } else if hasBrackets {
        append(isNegative ? "<" : " ")
      } else if !isNegative {
        if !template.isFilled { append(" ") }
      } else {
        append("-")
      }
      hasSign = true
    }

    private mutating func writePart(_ node: Node) {
      isInNumber = false
      writeSign()
      let startsLater = template.zeroStart.map { $0 > position } ?? true
      if position < spaces, startsLater {
        if !template.isFilled { append(" ") }
      } else if position < spaces {
        append("0")
        isInNumber = true
      } else {
        writeDigit(node)
        if next < number.count { next += 1 }
      }
      if hasEnded { return }
      var end = count + (spaces > 0 ? 1 : 0) + (template.hasPoint ? 1 : 0)
      if let lastRelevant, lastRelevant == next { end = position }
      if position + 1 == end {
        if hasSign, hasBrackets {
          append(isNegative ? ">" : " ")
        } else if lockedSign == .after {
          append(isNegative ? "-" : "+")
        }
      }
      position += 1
    }

    private mutating func writeDigit(_ node: Node) {
      guard next < number.count else {
        if lastRelevant == nil || node == .zero { hasEnded = true }
        return
      }
      if number[next] == UInt8(ascii: ".") {
        if !isLastRelevantPoint || template.isFilled { append(".") }
      } else if let lastRelevant, next > lastRelevant, node != .zero {
        return
      } else if isHiddenZero {
        if !template.isFilled { append(" ") } else if isLastRelevantPoint { append("0") }
      } else {
        output.append(number[next])
        isInNumber = true
      }
    }
  }
}
