/// A regular expression of PostgreSQL, matched in a time that its size and the text's bound.
///
/// It is a nondeterministic automaton whose states are followed at once, so nothing is tried twice. As in POSIX, the
/// leftmost match counts, and of those the longest, unless the expression prefers short matches. Groups are found
/// afterwards by dividing the match.
struct RegularExpression: Sendable {
  private enum Instruction {
    case character(CharacterClass, ASCIISet, next: Int)
    case split([Int])
    case assertion(PatternAssertion, next: Int)
    case look(start: Int, end: Int, isAhead: Bool, isNegated: Bool, next: Int)
    /// The end of the whole, or of a constraint.
    case accept
  }

  /// The states of one node of the tree: from `start` to `end`, where the states of the next node begin.
  private struct Fragment {
    var start: Int
    var end: Int
    var form: Form
    var hasCapture: Bool
    var prefersShort: Bool

    enum Form {
      case plain
      case sequence([Int])
      case alternatives([Int])
      /// The copies of the body. The last is repeated without limit if `isEndless`.
      case repetition([Int], isEndless: Bool)
      case capture(Int, Int)
    }
  }

  /// The ASCII characters of a class, as bits.
  private struct ASCIISet {
    private let low: UInt64
    private let high: UInt64

    init(_ set: CharacterClass) { (low, high) = set.asciiBits }

    func contains(_ value: UInt32) -> Bool { ((value < 64 ? low : high) >> UInt64(value & 63)) & 1 == 1 }
  }

  private static let maximumSize = 20_000

  private var program: [Instruction] = []
  private var fragments: [Fragment] = []
  private let root: Int
  /// The number of groups that capture.
  let captureCount: Int

  init(_ pattern: String, _ options: PatternOptions = PatternOptions()) throws(PostgreSQLError) {
    var parser = PatternParser(pattern, options)
    let tree = try parser.parse()
    captureCount = parser.captureCount
    var builder = Builder()
    root = try builder.add(tree)
    builder.program[builder.fragments[root].end] = .accept
    program = builder.program
    fragments = builder.fragments
  }

  // MARK: Building

  private struct Builder {
    var program: [Instruction] = []
    var fragments: [Fragment] = []

    /// Adds a state that is replaced by the next node's first.
    mutating func state() throws(PostgreSQLError) -> Int {
      guard program.count < maximumSize else {
        throw PostgreSQLError("2201B", "invalid regular expression: regular expression is too complex")
      }
      program.append(.split([]))
      return program.count - 1
    }

    mutating func add(_ node: PatternNode) throws(PostgreSQLError) -> Int {
      let start = try state()
      var form = Fragment.Form.plain
      var end = start
      switch node {
      case .empty: break
      case .character(let set):
        end = try state()
        program[start] = .character(set, ASCIISet(set), next: end)
      case .assertion(let assertion):
        end = try state()
        program[start] = .assertion(assertion, next: end)
      case .look(let inner, let isAhead, let isNegated):
        let part = fragments[try add(inner)]
        program[part.end] = .accept
        end = try state()
        program[start] = .look(
          start: part.start, end: part.end, isAhead: isAhead, isNegated: isNegated, next: end)
      case .capture(let number, let inner):
        let part = try add(inner)
        program[start] = .split([fragments[part].start])
        end = fragments[part].end
        form = .capture(number, part)
      case .sequence(let nodes):
        var parts: [Int] = []
        for node in nodes {
          let part = try add(node)
          program[end] = .split([fragments[part].start])
          end = fragments[part].end
          parts.append(part)
        }
        form = .sequence(parts)
      case .alternatives(let nodes):
        var parts: [Int] = []
        for node in nodes { parts.append(try add(node)) }
        end = try state()
        program[start] = .split(parts.map { fragments[$0].start })
        for part in parts { program[fragments[part].end] = .split([end]) }
        form = .alternatives(parts)
      case .repetition(let body, let least, let most, _):
        end = try state()
        var parts: [Int] = []
        var place = start
        for copy in 0..<max(most ?? least, most == nil ? least + 1 : 0) {
          let part = try add(body)
          program[place] = .split(copy < least ? [fragments[part].start] : [fragments[part].start, end])
          if most == nil, copy == least {
            // The last copy returns to the state before it.
            program[fragments[part].end] = .split([place])
          } else {
            place = fragments[part].end
          }
          parts.append(part)
        }
        if most != nil { program[place] = .split([end]) }
        form = .repetition(parts, isEndless: most == nil)
      }
      fragments.append(
        Fragment(
          start: start, end: end, form: form, hasCapture: node.hasCapture,
          prefersShort: node.prefersShort ?? false))
      return fragments.count - 1
    }
  }

  // MARK: Matching

  /// A text, with the places where constraints that look behind hold, which are found once.
  final class Subject {
    let text: [Unicode.Scalar]
    fileprivate var precedingEnds: [Int: Set<Int>] = [:]
    /// How many states were followed.
    ///
    /// Groups, constraints and many matches may take a time that grows with the square of the text's length.
    fileprivate var steps = 0
    fileprivate let maximumSteps: Int
    fileprivate var isExhausted: Bool { steps > maximumSteps }

    fileprivate func check() throws(PostgreSQLError) {
      if isExhausted {
        throw PostgreSQLError("2201B", "regular expression failed: regular expression is too complex")
      }
    }

    init(_ text: [Unicode.Scalar], maximumSteps: Int = 10_000_000) {
      (self.text, self.maximumSteps) = (text, maximumSteps)
    }
  }

  /// The states that are active at a position, each with the start of its match.
  ///
  /// Earlier starts come first.
  private struct Threads {
    var list: [(state: Int, start: Int)] = []
    private var marks: [Int]
    private var mark = 0

    init(count: Int) { marks = Array(repeating: 0, count: count) }

    mutating func removeAll() {
      list.removeAll(keepingCapacity: true)
      mark += 1
    }

    /// Returns false if the state is active already.
    mutating func visit(_ state: Int) -> Bool {
      if marks[state] == mark { return false }
      marks[state] = mark
      return true
    }
  }

  /// Adds a state and what it leads to without a character.
  ///
  /// - Returns: The start of a thread that reached the end, if one did.
  private func follow(
    _ first: Int, from start: Int, at position: Int, to end: Int, in subject: Subject,
    _ threads: inout Threads
  ) -> Bool {
    var pending = [first]
    var isAccepted = false
    while let state = pending.popLast() {
      guard threads.visit(state) else { continue }
      if state == end {
        isAccepted = true
        continue
      }
      switch program[state] {
      case .character: threads.list.append((state, start))
      case .split(let next): pending.append(contentsOf: next)
      case .assertion(let assertion, let next):
        if holds(assertion, at: position, in: subject) { pending.append(next) }
      case .look(let from, let to, let isAhead, let isNegated, let next):
        let isFound =
          isAhead
          ? search(from: from, to: to, in: subject, at: position, isAnchored: true, mode: .any) != nil
          : precedes(from: from, to: to, in: subject, position)
        if isFound != isNegated { pending.append(next) }
      case .accept: break
      }
    }
    return isAccepted
  }

  private func holds(_ assertion: PatternAssertion, at position: Int, in subject: Subject) -> Bool {
    let text = subject.text
    func isWord(_ index: Int) -> Bool {
      text.indices.contains(index) && CharacterClass.Name.word.contains(text[index])
    }
    switch assertion {
    case .textStart: return position == 0
    case .textEnd: return position == text.count
    case .lineStart: return position == 0 || text[position - 1] == "\n"
    case .lineEnd: return position == text.count || text[position] == "\n"
    case .wordStart: return !isWord(position - 1) && isWord(position)
    case .wordEnd: return isWord(position - 1) && !isWord(position)
    case .wordBoundary: return isWord(position - 1) != isWord(position)
    case .notWordBoundary: return isWord(position - 1) == isWord(position)
    }
  }

  private enum Mode { case any, longest, shortest }

  /// Finds the leftmost match at or after a position; with `isAnchored` only at it.
  private func search(
    from first: Int, to end: Int, in subject: Subject, at origin: Int, isAnchored: Bool, mode: Mode
  ) -> Range<Int>? {
    var current = Threads(count: program.count)
    var next = Threads(count: program.count)
    var best: Range<Int>?
    current.removeAll()
    if follow(first, from: origin, at: origin, to: end, in: subject, &current) { best = origin..<origin }
    var position = origin
    let text = subject.text
    while position < text.count {
      if best != nil, mode == .any { break }
      if let found = best,
        current.list.isEmpty || mode == .shortest && current.list[0].start >= found.lowerBound
      {
        break
      }
      if current.list.isEmpty, isAnchored { break }
      next.removeAll()
      subject.steps += current.list.count + 1
      if subject.isExhausted { break }
      let scalar = text[position]
      position += 1
      for (state, start) in current.list {
        if let found = best, start > found.lowerBound || start == found.lowerBound && mode == .shortest {
          break
        }
        guard case .character(let set, let ascii, let target) = program[state],
          scalar.isASCII ? ascii.contains(scalar.value) : set.contains(scalar)
        else { continue }
        if follow(target, from: start, at: position, to: end, in: subject, &next) { best = start..<position }
      }
      if best == nil, !isAnchored,
        follow(first, from: position, at: position, to: end, in: subject, &next)
      {
        best = position..<position
      }
      swap(&current, &next)
    }
    return best
  }

  /// Whether a match ends at a position, for a constraint that looks behind.
  private func precedes(from first: Int, to end: Int, in subject: Subject, _ position: Int) -> Bool {
    if let ends = subject.precedingEnds[first] { return ends.contains(position) }
    let ends = Set(
      ends(from: first, to: end, in: subject, at: 0, limit: subject.text.count, isAnchored: false))
    subject.precedingEnds[first] = ends
    return ends.contains(position)
  }

  /// All ends of matches that start at a position, or without `isAnchored` at or after it, in ascending order.
  private func ends(
    from first: Int, to end: Int, in subject: Subject, at origin: Int, limit: Int,
    isAnchored: Bool = true
  ) -> [Int] {
    var current = Threads(count: program.count)
    var next = Threads(count: program.count)
    var ends: [Int] = []
    current.removeAll()
    if follow(first, from: origin, at: origin, to: end, in: subject, &current) { ends.append(origin) }
    var position = origin
    while position < limit, !(isAnchored && current.list.isEmpty) {
      next.removeAll()
      subject.steps += current.list.count + 1
      if subject.isExhausted { break }
      let scalar = subject.text[position]
      position += 1
      var isEnd = false
      for (state, _) in current.list {
        guard case .character(let set, let ascii, let target) = program[state],
          scalar.isASCII ? ascii.contains(scalar.value) : set.contains(scalar)
        else { continue }
        if follow(target, from: origin, at: position, to: end, in: subject, &next) { isEnd = true }
      }
      if !isAnchored, follow(first, from: position, at: position, to: end, in: subject, &next) {
        isEnd = true
      }
      if isEnd { ends.append(position) }
      swap(&current, &next)
    }
    return ends
  }

  /// Whether any part of the text matches.
  ///
  /// - Throws: 2201B if it takes too long.
  func matches(_ text: String) throws(PostgreSQLError) -> Bool {
    let fragment = fragments[root]
    let subject = Subject(Array(text.unicodeScalars))
    let match = search(
      from: fragment.start, to: fragment.end, in: subject, at: 0, isAnchored: false, mode: .any)
    try subject.check()
    return match != nil
  }

  /// A match: the ranges of the whole and of the groups.
  ///
  /// A group that took no part has none.
  struct Match {
    var whole: Range<Int>
    var groups: [Range<Int>?]
  }

  func firstMatch(in text: [Unicode.Scalar]) throws(PostgreSQLError) -> Match? {
    try firstMatch(in: Subject(text))
  }

  func firstMatch(in subject: Subject) throws(PostgreSQLError) -> Match? {
    try firstMatch(in: subject, at: 0)
  }

  private func firstMatch(in subject: Subject, at origin: Int) throws(PostgreSQLError) -> Match? {
    let fragment = fragments[root]
    let found = search(
      from: fragment.start, to: fragment.end, in: subject, at: origin, isAnchored: false,
      mode: fragment.prefersShort ? .shortest : .longest)
    try subject.check()
    guard let whole = found else { return nil }
    var match = Match(whole: whole, groups: Array(repeating: nil, count: captureCount))
    divide(root, whole, subject, &match)
    try subject.check()
    return match
  }

  /// All matches from left to right that do not overlap.
  func matches(in text: [Unicode.Scalar], isGlobal: Bool = true, from origin: Int = 0)
    throws(PostgreSQLError) -> [Match]
  {
    let subject = Subject(text)
    var matches: [Match] = []
    var position = origin
    while position <= text.count, let match = try firstMatch(in: subject, at: position) {
      matches.append(match)
      if !isGlobal { break }
      position = match.whole.isEmpty ? match.whole.upperBound + 1 : match.whole.upperBound
    }
    return matches
  }

  // MARK: Groups

  /// Finds the groups in a part of the text that a fragment matches as a whole.
  private func divide(_ index: Int, _ range: Range<Int>, _ subject: Subject, _ match: inout Match) {
    let fragment = fragments[index]
    guard fragment.hasCapture else { return }
    switch fragment.form {
    case .plain: break
    case .capture(let number, let inner):
      match.groups[number - 1] = range
      divide(inner, range, subject, &match)
    case .alternatives(let parts):
      for part in parts where ends(of: part, subject, range).last == range.upperBound {
        divide(part, range, subject, &match)
        return
      }
    case .sequence(let parts):
      var rest = range
      for (offset, part) in parts.enumerated() {
        var own = rest
        if offset + 1 < parts.count {
          let next = fragments[parts[offset + 1]].start
          own = first(part, of: rest, before: next, to: fragment.end, subject)
        }
        divide(part, own, subject, &match)
        rest = own.upperBound..<range.upperBound
      }
    case .repetition(let parts, let isEndless):
      divideRepetition(parts, isEndless: isEndless, to: fragment.end, range, subject, &match)
    }
  }

  /// Only the last copy determines the groups.
  private func divideRepetition(
    _ parts: [Int], isEndless: Bool, to end: Int, _ range: Range<Int>, _ subject: Subject,
    _ match: inout Match
  ) {
    guard let last = parts.last else { return }
    var rest = range
    var copy = 0
    var final: (part: Int, range: Range<Int>)?
    while copy < parts.count || isEndless {
      let part = copy < parts.count ? parts[copy] : last
      if rest.isEmpty, copy > 0 || ends(of: part, subject, rest).isEmpty { break }
      let isLast = copy + 1 >= parts.count && !isEndless
      let next = fragments[part].end
      let own = isLast ? rest : first(part, of: rest, before: next, to: end, subject)
      final = (part, own)
      rest = own.upperBound..<range.upperBound
      copy += 1
      if own.isEmpty { break }
    }
    if let final { divide(final.part, final.range, subject, &match) }
  }

  private func ends(of part: Int, _ subject: Subject, _ range: Range<Int>) -> [Int] {
    let fragment = fragments[part]
    return ends(
      from: fragment.start, to: fragment.end, in: subject, at: range.lowerBound, limit: range.upperBound)
  }

  /// The beginning of a range that a fragment takes, so that what follows it matches the rest.
  private func first(
    _ part: Int, of range: Range<Int>, before next: Int, to end: Int, _ subject: Subject
  ) -> Range<Int> {
    let ends = ends(of: part, subject, range)
    for place in fragments[part].prefersShort ? ends : ends.reversed() {
      let rest = self.ends(from: next, to: end, in: subject, at: place, limit: range.upperBound)
      if rest.last == range.upperBound { return range.lowerBound..<place }
    }
    // The caller checks afterwards.
    if subject.isExhausted { return range.lowerBound..<range.lowerBound }
    preconditionFailure("A match of a regular expression can be divided as it was found.")
  }
}
