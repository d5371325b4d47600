import Foundation

/// A place in one value.
enum PathStep: Hashable, Sendable {
  case member(String)
  case element(Int)
}

/// A part of what an earlier step answered, or of a fixture.
struct AnswerPart: Sendable, Hashable {
  let step: Int
  let path: [PathStep]
  /// The value where the step is missing, such as in a program that is being shrunk.
  let otherwise: ValueTree
  /// How a text is altered; `nil` if the part is used as it is.
  var alteration: Alteration?

  /// What a user may type differently.
  enum Alteration: CaseIterable, Hashable {
    case uppercased, lowercased, spaceAfter, spaceBefore

    func callAsFunction(_ text: String) -> String {
      switch self {
      case .uppercased: text.uppercased()
      case .lowercased: text.lowercased()
      case .spaceAfter: text + " "
      case .spaceBefore: " " + text
      }
    }

    /// The altered expression.
    func swift(_ expression: String) -> String {
      switch self {
      case .uppercased: expression + ".uppercased()"
      case .lowercased: expression + ".lowercased()"
      case .spaceAfter: expression + " + \" \""
      case .spaceBefore: "\" \" + " + expression
      }
    }
  }

  /// The part of an answer; the substitute where the answer is missing.
  func tree(in answer: ValueTree?) -> ValueTree {
    let tree = answer?[path[...]] ?? otherwise
    guard let alteration, case .leaf(.text(let text)) = tree else { return tree }
    return .leaf(.text(ValueTree.ExactText(alteration(text.string))))
  }
}

/// An argument of a step: a value or a part of an answer, with changes.
struct Argument: Sendable {
  enum Base: Sendable {
    case literal(ValueTree)
    case part(AnswerPart)
    /// A value that is not `Codable`.
    case whole(any Sendable)
  }
  enum Change: Sendable {
    /// Another value; `nil` removes a member.
    case value(ValueTree?)
    case part(AnswerPart)
  }

  var base: Base
  var changes: [(path: [PathStep], to: Change)] = []
  /// How it was made, by which similar arguments are counted.
  var origin = 0

  var parts: [AnswerPart] {
    var parts: [AnswerPart] = []
    if case .part(let part) = base { parts.append(part) }
    for case (_, .part(let part)) in changes { parts.append(part) }
    return parts
  }

  var literalBase: ValueTree? { if case .literal(let tree) = base { tree } else { nil } }

  /// The literal that may be simplified; `nil` if answers are used.
  var literal: ValueTree? {
    if case .literal = base, changes.allSatisfy({ if case .value = $0.to { true } else { false } }) {
      given { _ in nil }.tree
    } else {
      nil
    }
  }

  func given(_ answers: (Int) -> ValueTree?) -> GivenArgument {
    func tree(of part: AnswerPart) -> ValueTree { part.tree(in: answers(part.step)) }
    var result: ValueTree
    switch base {
    case .whole(let value): return .whole(value)
    case .literal(let tree): result = tree
    case .part(let part): result = tree(of: part)
    }
    for (path, change) in changes {
      switch change {
      case .value(let value): result = result.replacing(path[...], by: value)
      case .part(let part): result = result.replacing(path[...], by: tree(of: part))
      }
    }
    return .tree(result)
  }
}

/// A step of a program.
struct ProgramStep: Sendable {
  let id: Int
  /// The place of the operation; `nil` for a step that only begins a condition.
  let operation: Int?
  var arguments: [Argument] = []
  /// The place of the condition that holds during the call, or from now on.
  var condition: Int?

  /// How the arguments were made.
  var origin: Int { arguments.reduce(condition.map { $0 + 1 } ?? 0) { $0 &* 8 &+ $1.origin } }
}

extension ValueTree {
  /// The value and everything in it, in a fixed order.
  var nodes: [(path: [PathStep], tree: ValueTree)] {
    var all: [(path: [PathStep], tree: ValueTree)] = []
    func add(_ tree: ValueTree, _ path: [PathStep]) {
      all.append((path, tree))
      switch tree {
      case .null, .leaf: break
      case .list(let list): for (place, one) in list.enumerated() { add(one, path + [.element(place)]) }
      case .members(let members):
        for (name, one) in members.sorted(by: { $0.key < $1.key }) { add(one, path + [.member(name)]) }
      }
    }
    add(self, [])
    return all
  }

  var leaves: [(path: [PathStep], leaf: Leaf)] {
    nodes.compactMap { path, tree in if case .leaf(let leaf) = tree { (path, leaf) } else { nil } }
  }

  subscript(path: ArraySlice<PathStep>) -> ValueTree? {
    guard let step = path.first else { return self }
    switch (step, self) {
    case (.member(let name), .members(let members)): return members[name]?[path.dropFirst()]
    case (.element(let place), .list(let list)):
      return list.indices.contains(place) ? list[place][path.dropFirst()] : nil
    default: return nil
    }
  }

  func replacing(_ path: ArraySlice<PathStep>, by value: ValueTree?) -> ValueTree {
    guard let step = path.first else { return value ?? .null }
    switch (step, self) {
    case (.member(let name), .members(var members)):
      if path.count == 1 {
        members[name] = value
      } else {
        members[name] = members[name]?.replacing(path.dropFirst(), by: value)
      }
      return .members(members)
    case (.element(let place), .list(var list)) where list.indices.contains(place):
      list[place] = list[place].replacing(path.dropFirst(), by: value)
      return .list(list)
    default: return self
    }
  }

  /// The name of the member at a place; empty for a value of no member.
  static func name(at path: [PathStep]) -> String {
    for case .member(let name) in path.reversed() where name != "_0" { return name }
    return ""
  }

  /// Other values of the same type, at the edges of the type and near this one.
  var edges: [ValueTree] {
    switch self {
    case .null: []
    case .leaf(let leaf): leaf.edges.map { .leaf($0) }
    case .list(let list):
      ([[], list + list, list.reversed()] + (list.count > 1 ? [Array(list.dropFirst())] : [])).filter {
        $0 != list
      }
      .map { .list($0) }
    case .members: []
    }
  }

  /// Simpler values of the same type, the simplest first.
  var simpler: [ValueTree] {
    switch self {
    case .leaf(let leaf): leaf.simpler.map { .leaf($0) }
    case .list(let list) where !list.isEmpty: [.list([]), .list(Array(list.dropLast()))]
    default: []
    }
  }
}

extension ValueTree.Leaf {
  var kind: Int {
    switch self {
    case .boolean: 0
    case .integer, .unsigned: 1
    case .double: 2
    case .text: 3
    case .date: 4
    case .data: 5
    case .url: 6
    case .uuid: 7
    case .decimal: 8
    }
  }

  /// Whether a service may have made it to identify something.
  var canIdentify: Bool { [1, 3, 7].contains(kind) }

  /// A value that no service has made.
  var unknown: Self {
    switch self {
    case .integer: .integer(-1)
    case .unsigned: .unsigned(.max)
    case .text: .text(ValueTree.ExactText("unknown"))
    case .uuid: .uuid(UUID(uuid: (9, 9, 9, 9, 9, 9, 0x40, 9, 0x80, 9, 9, 9, 9, 9, 9, 9)))
    default: self
    }
  }

  /// The same text in other normal forms of Unicode.
  var normalForms: [Self] {
    guard case .text(let value) = self else { return [] }
    return [
      value.string.decomposedStringWithCanonicalMapping, value.string.precomposedStringWithCanonicalMapping,
    ].map { .text(ValueTree.ExactText($0)) }.filter { $0 != self }
  }

  fileprivate var edges: [Self] {
    switch self {
    case .boolean(let value): return [.boolean(!value)]
    case .integer(let value):
      let near = [value &+ 1, value &- 1, 0, -1, 1, 2]
      return (near + [Int64(Int32.max), Int64(Int32.max) + 1, Int64(Int32.min), .max, .min]).map {
        .integer($0)
      }
    case .unsigned(let value): return [.unsigned(value &+ 1), .unsigned(0), .unsigned(.max)]
    case .double(let value):
      return [value + 1, -value, 0, 0.1, 1e300, .leastNonzeroMagnitude].map { .double($0) }
    case .text(let value):
      let own = value.string
      let texts = [
        own + "\u{E9}", own + "e\u{301}", own.uppercased(), own.lowercased(), own + " ", " " + own,
        own + "\u{A0}", "",
        " ", "\u{E9}", "e\u{301}", "\u{A0}", "\n", "a\r\nb", "a\0b", "\u{1F9D2}", "%_\\'\"", "\u{FFFF}",
        String(repeating: "x", count: 256), String(repeating: "\u{E9}", count: 3_000),
      ]
      return normalForms + texts.map { .text(ValueTree.ExactText($0)) }
    case .date(let value):
      return [1, -1, 86_400, -86_400, 0.000_001, 0.5].map { .date(value.addingTimeInterval($0)) }
        + [
          .date(Date(timeIntervalSinceReferenceDate: 0)), .date(Date(timeIntervalSince1970: 253_402_300_800)),
        ]
    case .uuid: return [unknown]
    case .data(let value): return [.data(Data()), .data(value + [0])]
    case .url(let value): return [.url(value.appending(path: "x"))]
    case .decimal(let value): return [.decimal(value + 1), .decimal(-value), .decimal(0)]
    }
  }

  fileprivate var simpler: [Self] {
    switch self {
    case .integer(let value):
      return [0, 1, 2, -1].filter { $0.magnitude < value.magnitude || $0 == 1 && value == -1 }.map {
        .integer($0)
      }
    case .double(let value): return value == 0 ? [] : [.double(0)]
    case .text(let value):
      let own = value.string
      let parts = [own.count / 2, own.count / 4 * 3, own.count / 8 * 7].map { String(own.prefix($0)) }
      let shorter = ["", "a", "A", " "] + parts + [String(own.dropFirst()), String(own.dropLast())]
      return shorter.filter {
        $0.utf8.count < own.utf8.count || ($0 == "a" && own.utf8.count == 1 && own > "a")
      }
      .map { .text(ValueTree.ExactText($0)) }
    default: return []
    }
  }
}
