/// The text of an array (PostgreSQL documentation, 8.15.6): `{a,"b c",NULL}`, `{{1,2},{3,4}}`, `[2:3]={a,b}`.
struct ArrayLiteral {
  var dimensions: [ArrayValue.Dimension] = []
  /// In row-major order; nil is null.
  var elements: [String?] = []

  private static let greatestDimensions = 6

  init(parsing text: String) throws(PostgreSQLError) {
    var reader = Reader(text: text, rest: Array(text.utf8)[...])
    let declared = try reader.dimensions()
    let mismatch = PostgreSQLError(
      "22P02", "malformed array literal: \"\(text)\"",
      detail: "Specified array dimensions do not match array contents.")
    let counts = try reader.contents()
    elements = reader.elements
    // An empty array has no dimensions.
    if elements.isEmpty {
      guard declared.isEmpty else {
        throw mismatch
      }
      return
    }
    if declared.isEmpty {
      dimensions = counts.map { ArrayValue.Dimension(count: $0) }
    } else {
      guard declared.map(\.count) == counts else {
        throw mismatch
      }
      dimensions = declared
    }
  }

  private enum State {
    case outside, levelStarted, element, quoted, quotedDone, elementDelimited, levelDone, levelDelimited
  }

  private struct Reader {
    /// What messages quote: the whole text, and after its dimensions the rest.
    var text: String
    var rest: ArraySlice<UInt8>
    var elements: [String?] = []

    func malformed(_ detail: String) -> PostgreSQLError {
      PostgreSQLError("22P02", "malformed array literal: \"\(text)\"", detail: detail)
    }

    mutating func skipSpaces() { rest = rest.drop(while: \.isSpace) }

    private mutating func bound() throws(PostgreSQLError) -> Int? {
      var digits = rest.prefix { $0.isDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
      rest = rest.dropFirst(digits.count)
      if digits.first == UInt8(ascii: "+") { digits.removeFirst() }
      return Int32(String(decoding: digits, as: UTF8.self)).map(Int.init)
    }

    mutating func dimensions() throws(PostgreSQLError) -> [ArrayValue.Dimension] {
      var found: [ArrayValue.Dimension] = []
      while true {
        skipSpaces()
        guard rest.first == UInt8(ascii: "[") else { break }
        rest.removeFirst()
        guard found.count < ArrayLiteral.greatestDimensions else { throw tooMany(found.count + 1) }
        guard let first = try bound() else {
          throw malformed("\"[\" must introduce explicitly-specified array dimensions.")
        }
        var (lower, upper) = (1, first)
        if rest.first == UInt8(ascii: ":") {
          rest.removeFirst()
          guard let second = try bound() else { throw malformed("Missing array dimension value.") }
          (lower, upper) = (first, second)
        }
        guard rest.first == UInt8(ascii: "]") else {
          throw malformed("Missing \"]\" after array dimensions.")
        }
        rest.removeFirst()
        guard upper >= lower else {
          throw PostgreSQLError("2202E", "upper bound cannot be less than lower bound")
        }
        guard upper - lower < 1 << 27 else {
          throw PostgreSQLError("54000", "array size exceeds the maximum allowed (134217727)")
        }
        found.append(ArrayValue.Dimension(lowerBound: lower, count: upper - lower + 1))
      }
      if found.isEmpty {
        guard rest.first == UInt8(ascii: "{") else {
          throw malformed("Array value must start with \"{\" or dimension information.")
        }
      } else {
        guard rest.first == UInt8(ascii: "=") else {
          throw malformed("Missing \"=\" after array dimensions.")
        }
        rest.removeFirst()
        skipSpaces()
        guard rest.first == UInt8(ascii: "{") else {
          throw malformed("Array contents must start with \"{\".")
        }
      }
      text = String(decoding: rest, as: UTF8.self)
      return found
    }

    private func tooMany(_ count: Int) -> PostgreSQLError {
      PostgreSQLError(
        "54000",
        "number of array dimensions (\(count)) exceeds the maximum allowed (\(ArrayLiteral.greatestDimensions))"
      )
    }

    /// Reads the elements, and returns how many each dimension has.
    ///
    /// The states are those of `ArrayCount`.
    mutating func contents() throws(PostgreSQLError) -> [Int] {
      var state = State.outside
      var level = 0
      var depth = 0
      /// The parts of the open array of each level, and of the closed ones, which must agree.
      var counts = [Int](repeating: 0, count: ArrayLiteral.greatestDimensions)
      var known = [Int?](repeating: nil, count: ArrayLiteral.greatestDimensions)
      var element: [UInt8] = []
      /// The length of the element with what must stay: quoted and escaped spaces.
      var kept = 0
      var isLiteral = false

      func unexpected(_ byte: UInt8) -> PostgreSQLError {
        malformed("Unexpected \"\(String(decoding: [byte], as: UTF8.self))\" character.")
      }
      func finish() -> String? {
        while element.count > kept, element.last?.isSpace == true { element.removeLast() }
        let text = String(decoding: element, as: UTF8.self)
        defer { (element, kept, isLiteral) = ([], 0, false) }
        return !isLiteral && text.utf8.count == 4 && text.lowercased() == "null" ? nil : text
      }

      while let byte = rest.popFirst() {
        if state == .quoted, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
          element.append(byte)
          continue
        }
        switch byte {
        case UInt8(ascii: "\\"):
          guard [.levelStarted, .element, .quoted, .elementDelimited].contains(state) else {
            throw unexpected(byte)
          }
          if state != .quoted { state = .element }
          guard let escaped = rest.popFirst() else { throw malformed("Unexpected end of input.") }
          element.append(escaped)
          kept = element.count
          isLiteral = true
        case UInt8(ascii: "\""):
          guard [.levelStarted, .quoted, .elementDelimited].contains(state) else {
            throw malformed("Unexpected array element.")
          }
          isLiteral = true
          kept = element.count
          state = state == .quoted ? .quotedDone : .quoted
        case UInt8(ascii: "{"):
          guard [.outside, .levelStarted, .levelDelimited].contains(state) else { throw unexpected(byte) }
          state = .levelStarted
          guard level < ArrayLiteral.greatestDimensions else { throw tooMany(level + 1) }
          counts[level] = 0
          level += 1
          depth = max(depth, level)
        case UInt8(ascii: "}"):
          guard
            [.element, .quotedDone, .levelDone].contains(state) || level == 1 && state == .levelStarted
          else { throw unexpected(byte) }
          if state == .element || state == .quotedDone { elements.append(finish()) }
          if state != .levelStarted { counts[level - 1] += 1 }
          level -= 1
          if let count = known[level], count != counts[level] {
            throw malformed("Multidimensional arrays must have sub-arrays with matching dimensions.")
          }
          known[level] = counts[level]
          state = .levelDone
          if level == 0 {
            guard rest.allSatisfy(\.isSpace) else { throw malformed("Junk after closing right brace.") }
            return known.prefix(depth).map { $0 ?? 0 }
          }
        case UInt8(ascii: ","):
          guard [.element, .quotedDone, .levelDone].contains(state) else { throw unexpected(byte) }
          if state != .levelDone { elements.append(finish()) }
          counts[level - 1] += 1
          state = state == .levelDone ? .levelDelimited : .elementDelimited
        default:
          if byte.isSpace {
            if state == .element { element.append(byte) }
            continue
          }
          guard [.levelStarted, .element, .elementDelimited].contains(state) else {
            throw malformed("Unexpected array element.")
          }
          state = .element
          element.append(byte)
        }
      }
      throw malformed("Unexpected end of input.")
    }
  }
}

extension ArrayLiteral {
  static func text(
    of array: ArrayValue, _ write: (Value) throws(PostgreSQLError) -> String
  ) throws(PostgreSQLError) -> String {
    guard !array.dimensions.isEmpty else { return "{}" }
    var text = ""
    if array.dimensions.contains(where: { $0.lowerBound != 1 }) {
      for dimension in array.dimensions {
        text += "[\(dimension.lowerBound):\(dimension.lowerBound + dimension.count - 1)]"
      }
      text += "="
    }
    var next = 0
    func append(_ level: Int) throws(PostgreSQLError) {
      text += "{"
      for index in 0..<array.dimensions[level].count {
        if index > 0 { text += "," }
        if level + 1 < array.dimensions.count {
          try append(level + 1)
        } else {
          let value = array.elements[next]
          next += 1
          text += value.isNull ? "NULL" : quoted(try write(value))
        }
      }
      text += "}"
    }
    try append(0)
    return text
  }

  private static func quoted(_ text: String) -> String {
    let special = "{}\\\",".utf8
    let isPlain =
      !text.isEmpty && !text.utf8.contains { $0.isSpace || special.contains($0) }
      && (text.utf8.count != 4 || text.lowercased() != "null")
    if isPlain { return text }
    var bytes: [UInt8] = [UInt8(ascii: "\"")]
    for byte in text.utf8 {
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
      bytes.append(byte)
    }
    bytes.append(UInt8(ascii: "\""))
    return String(decoding: bytes, as: UTF8.self)
  }
}
