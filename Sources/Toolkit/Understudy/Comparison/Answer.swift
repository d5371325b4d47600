import Foundation

/// What a call answered: a tree by which answers are compared, and the value itself for Swift code in failures.
struct Answer: Sendable {
  enum Value: Sendable {
    case returned(any Sendable)
    case threw(any Error)
    case stream(EventLog)
    /// The arguments have no value of their types.
    case noCall
    /// The call waits for something that never comes.
    case neverEnded
    case noted
  }

  static let neverEnded = Answer(tree: .text("never ended"), value: .neverEnded)

  var tree: ValueTree
  var value: Value

  init(tree: ValueTree, value: Value) { (self.tree, self.value) = (tree, value) }

  init<Response: Sendable>(returned response: Response) {
    self.init(tree: ValueTree(of: response), value: .returned(response))
  }

  init(stream: EventLog) { self.init(tree: .null, value: .stream(stream)) }

  init(threw error: any Error) {
    self.init(
      tree: .members([
        "threw": .text(String(reflecting: type(of: error))), "error": ValueTree(ofError: error),
      ]),
      value: .threw(error))
  }

  var error: (any Error)? { if case .threw(let error) = value { error } else { nil } }
  var events: EventLog? { if case .stream(let events) = value { events } else { nil } }

  /// What later calls can use.
  var returned: ValueTree? { if case .returned = value { tree } else { nil } }

  /// The outcome in a table, without what a case carries but other cases.
  var outcome: String {
    switch value {
    case .returned, .noted: "returned"
    case .stream: "stream"
    case .noCall: "no call"
    case .neverEnded: "never ended"
    case .threw(let error): SwiftText.kind(of: error)
    }
  }
}

extension ValueTree {
  static func text(_ text: String) -> ValueTree { .leaf(.text(ExactText(text))) }

  /// The tree of any value: as it is encoded, or otherwise as its properties are.
  init(of value: Any) {
    if value is Void {
      self = .null
    } else if let value = value as? any Encodable, let tree = try? ValueTree(value) {
      self = tree
    } else {
      self.init(reflecting: value)
    }
  }

  init(ofError error: any Error) {
    // Its dictionary of values may hold anything.
    let value: Any = error
    if type(of: value) is AnyClass, let error = value as? NSError {
      self = .text("\(error.domain) \(error.code)")
    } else {
      self.init(of: value)
    }
  }

  private init(reflecting value: Any) {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional: self = mirror.children.first.map { ValueTree(of: $0.value) } ?? .null
    case .collection: self = .list(mirror.children.map { ValueTree(of: $0.value) })
    case .struct where !mirror.children.isEmpty, .tuple:
      let members = mirror.children.enumerated().map { ($1.label ?? ".\($0)", ValueTree(of: $1.value)) }
      self = .members(Dictionary(members) { first, _ in first })
    case .enum:
      guard let child = mirror.children.first, let name = child.label else { fallthrough }
      self = .members([name: ValueTree(of: child.value)])
    default: self = .text(SwiftText.caseName(of: value) ?? String(reflecting: value))
    }
  }
}
