import UnderstudyHTTP

/// A single pass over the bytes of a HAR document that checks its JSON and member types and records its entries.
///
/// Invalid JSON ends the scan. Of the values that violate HAR 1.2, the first in the document is reported; for a missing
/// member, the position of its object counts. If a member occurs more than once, only its last value is checked.
struct ArchiveScan {
  /// The stored values of the current object that other checks depend on.
  private struct Notes {
    var request = 0..<0
    var method = JSONText(start: 0, end: 0, hasEscapes: false)
    var url = JSONText(start: 0, end: 0, hasEscapes: false)
    var base64: JSONText?
    var saysBase64 = false
  }

  let reader: JSONReader
  private let rules: UnsafeBufferPointer<ArchiveRule>
  private let shapes: UnsafeBufferPointer<ArchiveRules.Shape>
  private var notes = Notes()
  private var index = ArchiveIndex()
  /// The problems, at most one for each member of the open objects.
  ///
  /// Most documents have no problems, so the scan does not keep them sorted.
  private var problems: [ArchiveProblem] = []

  /// Scans a document, which may begin with a byte order mark.
  static func scan(
    _ bytes: UnsafeRawBufferPointer
  ) throws(JSONValue.ParsingError) -> (index: ArchiveIndex, problem: ArchiveProblem?) {
    let known = ArchiveRules.shared
    return try known.rules.withUnsafeBufferPointer { rules throws(JSONValue.ParsingError) in
      try known.shapes.withUnsafeBufferPointer { shapes throws(JSONValue.ParsingError) in
        var scan = ArchiveScan(reader: JSONReader(bytes), rules: rules, shapes: shapes)
        try scan.document()
        return (scan.index, scan.problems.first)
      }
    }
  }

  private mutating func document() throws(JSONValue.ParsingError) {
    let start = reader.endOfSpace(from: Self.lengthOfMark(in: reader.bytes))
    var position: Int
    if reader.byte(at: start) == UInt8(ascii: "{") {
      position = try object(.document, from: start, depth: 0)
    } else {
      position = try reader.endOfValue(from: start, depth: 0)
      refuse("an object with the member log", start..<position)
    }
    position = reader.endOfSpace(from: position)
    guard position == reader.bytes.count else { throw .init(offset: position) }
  }

  /// Returns the length of a byte order mark at the start in bytes, which RFC 8259 §8.1 allows a parser to ignore.
  static func lengthOfMark(in bytes: some Collection<UInt8>) -> Int {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  // MARK: Values

  private mutating func object(
    _ object: ArchiveObject, from start: Int, depth: Int
  ) throws(JSONValue.ParsingError) -> Int {
    if object == .any { return try reader.endOfValue(from: start, depth: depth) }
    let shape = shapes[Int(object.rawValue)]
    let problemsBefore = problems.count
    var seen: UInt32 = 0
    var expected = shape.rules.lowerBound
    if shape.base64 != nil { (notes.base64, notes.saysBase64) = (nil, false) }
    var position = reader.endOfSpace(from: start + 1)
    if reader.byte(at: position) == UInt8(ascii: "}") {
      position += 1
    } else {
      while true {
        let (name, value) = try reader.name(from: position)
        if let rule = rule(of: name, in: shape.rules, expected: expected) {
          expected = rule + 1
          let bit: UInt32 = 1 << UInt32(truncatingIfNeeded: rule - shape.rules.lowerBound)
          // The last of repeated members counts.
          if seen & bit != 0 {
            problems.removeAll(since: problemsBefore) { $0.rule == rule }
            forgetEntries(of: rules[rule])
          }
          seen |= bit
          let problemsOfOthers = problems.count
          position = try member(rules[rule], from: value, depth: depth + 1)
          if problems.count > problemsOfOthers { place(in: rule) }
        } else {
          position = try reader.endOfValue(from: value, depth: depth + 1)
        }
        let next = try reader.next(behind: position, before: UInt8(ascii: "}"))
        position = next.position
        if !next.isThere { break }
      }
    }
    let missing = shape.required & ~seen
    if missing != 0 {
      let name = ArchiveRules.shared.names[shape.rules.lowerBound + missing.trailingZeroBitCount]
      problems.append(ArchiveProblem(message: "The member \(name) is missing here", offset: start))
    }
    if let rule = shape.base64, notes.saysBase64, let text = notes.base64, !reader.isBase64(text) {
      refuse("base64", text.start - 1..<text.end + 1)
      place(in: rule)
    }
    if problems.count > problemsBefore { problems.keepFirst(since: problemsBefore) }
    return position
  }

  /// Forgets the problems of entries if a repeated member replaces the log or its entries.
  private mutating func forgetEntries(of rule: ArchiveRule) {
    switch rule.kind {
    case .entries, .object(.log): index.odd.removeAll()
    default: break
    }
  }

  @inline(__always)
  private mutating func member(
    _ rule: ArchiveRule, from start: Int, depth: Int
  ) throws(JSONValue.ParsingError) -> Int {
    // Equivalent to `byte(at:)`, which would be a call into another module.
    let first = start < reader.bytes.count ? reader.bytes[start] : 0
    switch rule.kind {
    case .text where first == UInt8(ascii: "\""):
      let text = try reader.text(from: start)
      if rule.role != .none { note(text, rule.role) }
      return text.end + 1
    case .number where first == UInt8(ascii: "-") || first &- 48 < 10,
      .count where first == UInt8(ascii: "-") || first &- 48 < 10:
      let end = try reader.endOfNumber(from: start)
      if rule.role == .base64Sign { notes.saysBase64 = reader.number(start..<end).integerValue == 2 }
      if case .count = rule.kind {
        if !reader.isCount(start..<end) { refuse(rule.kind.words, start..<end) }
      } else {
        if !reader.isFinite(start..<end) { refuse(rule.kind.words, start..<end) }
      }
      return end
    case .object(let object) where first == UInt8(ascii: "{"):
      if rule.role == .log { index = ArchiveIndex() }
      let end = try self.object(object, from: start, depth: depth)
      if rule.role == .request { notes.request = start..<end }
      if rule.role == .log { index.log = start..<end }
      return end
    case .list(let object) where first == UInt8(ascii: "["):
      return try list(of: object, from: start, depth: depth)
    case .entries where first == UInt8(ascii: "["):
      index.entries.removeAll()
      let end = try list(of: .entry, from: start, depth: depth)
      index.lists.append(start..<end)
      return end
    case .array where first == UInt8(ascii: "["):
      return try reader.endOfValue(from: start, depth: depth)
    default:
      if rule.role == .base64 { notes.base64 = nil }
      if rule.role == .base64Sign { notes.saysBase64 = false }
      let end = try reader.endOfValue(from: start, depth: depth)
      if rule.need == .required || first != UInt8(ascii: "n") { refuse(rule.kind.words, start..<end) }
      return end
    }
  }

  private mutating func list(
    of object: ArchiveObject, from start: Int, depth: Int
  ) throws(JSONValue.ParsingError) -> Int {
    let problemsBefore = problems.count
    var position = reader.endOfSpace(from: start + 1)
    if reader.byte(at: position) == UInt8(ascii: "]") { return position + 1 }
    var number = 0
    while true {
      let element = position
      if reader.byte(at: element) == UInt8(ascii: "{") {
        position = try self.object(object, from: element, depth: depth + 1)
        if object == .entry { noteEntry(element..<position) }
      } else {
        position = try reader.endOfValue(from: element, depth: depth + 1)
        refuse("an object", element..<position)
        if object == .entry {
          index.entries.append(.init(bytes: element..<position, request: element..<position, requestHash: 0))
        }
      }
      if object == .entry, problems.count > problemsBefore {
        var problem = problems[problemsBefore]
        problem.path += [.element(number), .member("entries"), .member("log")]
        index.odd[number] = problem
        problems.removeLast(problems.count - problemsBefore)
      }
      // The problems of later elements follow the first one.
      if problems.count > problemsBefore + 1 {
        problems.removeLast(problems.count - problemsBefore - 1)
      } else if problems.count > problemsBefore, problems[problemsBefore].rule != Self.listed {
        problems[problemsBefore].path.append(.element(number))
        problems[problemsBefore].rule = Self.listed
      }
      number += 1
      let next = try reader.next(behind: position, before: UInt8(ascii: "]"))
      guard next.isThere else { return next.position }
      position = next.position
    }
  }

  /// A placeholder for a rule: the problem is in an element whose index is already in its path.
  private static let listed = -1

  // MARK: Stored values

  /// Returns the rule of a member, which often follows the rule of the previous member.
  @inline(__always)
  private func rule(of name: JSONText, in range: Range<Int>, expected: Int) -> Int? {
    if name.hasEscapes {
      let text = reader.string(name)
      return range.first { rules[$0].name == ArchiveName(text) }
    }
    guard let name = ArchiveName(reader.bytes, from: name.start, to: name.end) else { return nil }
    if expected < range.upperBound, rules[expected].name == name { return expected }
    for rule in range where rules[rule].name == name { return rule }
    return nil
  }

  private mutating func note(_ text: JSONText, _ role: ArchiveRule.Role) {
    switch role {
    case .method: notes.method = text
    case .url: notes.url = text
    case .base64: notes.base64 = text
    case .base64Sign: notes.saysBase64 = reader.string(text) == "base64"
    case .none, .log, .request: break
    }
  }

  private mutating func noteEntry(_ bytes: Range<Int>) {
    let hash = reader.withUnescaped(notes.method) { method in
      reader.withUnescaped(notes.url) { url in RequestHash.value(method: method, url: url) }
    }
    index.entries.append(.init(bytes: bytes, request: notes.request, requestHash: hash))
  }

  // MARK: Problems

  private mutating func refuse(_ expected: String, _ range: Range<Int>) {
    let message = "Expected \(expected), found \(reader.kind(of: range))"
    problems.append(ArchiveProblem(message: message, offset: range.lowerBound))
  }

  /// Attributes the last problem to the member of a rule.
  private mutating func place(in rule: Int) {
    problems[problems.count - 1].path.append(.member(ArchiveRules.shared.names[rule]))
    problems[problems.count - 1].rule = rule
  }
}

extension [ArchiveProblem] {
  fileprivate mutating func removeAll(since start: Int, where isOver: (ArchiveProblem) -> Bool) {
    self[start...].removeAll(where: isOver)
  }

  /// Keeps the first problem in the document.
  fileprivate mutating func keepFirst(since start: Int) {
    guard let first = self[start...].min(by: { $0.offset < $1.offset }) else { return }
    replaceSubrange(start..., with: CollectionOfOne(first))
  }
}

extension ArchiveRule.Kind {
  /// The expected type, for messages.
  fileprivate var words: String {
    switch self {
    case .text: "a string"
    case .number: "a number"
    case .count: "a non-negative integer"
    case .object: "an object"
    case .array, .list, .entries: "an array"
    }
  }
}
