/// A state of a screen in parts: what is under way, what the user is told, and the contents.
///
/// The parts come from the description of the state if it has one of its own, such as `loading: [Milk]`, and otherwise
/// from its members. A text before the first `: `, or a text without one, is the kind if it begins with a lowercase
/// letter and has neither digits nor brackets. A message is a member, or the value of an enum's case, with the name of
/// a failure, such as `errorMessage`; in a text alone it is a sentence. The kinds of members are the cases of enums and
/// the names of Boolean members that are true, without `is`. All else is data.
package struct ShownState: Sendable, Hashable, Codable {
  /// The description.
  package let text: String
  /// What is under way, or the name of the state, such as `loading`; empty if it has none.
  package private(set) var kind = ""
  /// What the user is told.
  package private(set) var message: String?
  /// The contents, as far as they are known apart from the others.
  package private(set) var data = ""

  /// What a state means to the user, which decides its colour.
  enum Role: String, Sendable { case content, busy, message }

  /// What the state means to the user.
  var role: Role {
    if message != nil || Self.namesFailure(kind) { return .message }
    return kind.split { !$0.isLetter }.contains { $0.hasSuffix("ing") } ? .busy : .content
  }

  /// Creates the parts of a state.
  init(of state: Any) {
    var members = Members()
    members.add(state, named: nil)
    // The synthesized description of a structure or of an enumeration repeats the names of the type.
    let isDescribed = state is any CustomStringConvertible
    self.init(text: "\(state)", message: members.message)
    if kind.isEmpty || !isDescribed { kind = members.kinds.joined(separator: ", ") }
    if !isDescribed { (message, data) = (members.message, members.data.joined(separator: ", ")) }
  }

  /// Creates the parts of a description.
  ///
  /// - Parameter message: The message, if it is known.
  init(text: String, message: String? = nil) {
    self.text = text
    self.message = message
    var rest = text[...]
    if let message, let range = rest.firstRange(of: message) { rest.removeSubrange(range) }
    var parts = rest.split(separator: ": ", maxSplits: 1, omittingEmptySubsequences: false)[...]
    func takeMessage() {
      guard self.message == nil, let part = parts.first, Self.isSentence(part) else { return }
      self.message = String(parts.removeFirst())
    }
    takeMessage()
    if let part = parts.first, Self.isKind(part) {
      kind = String(parts.removeFirst())
      if let rest = parts.popFirst() {
        parts = rest.split(separator: ": ", maxSplits: 1, omittingEmptySubsequences: false)[...]
        takeMessage()
      }
    }
    data = parts.filter { !$0.isEmpty }.joined(separator: ": ")
  }

  private static func isKind(_ text: Substring) -> Bool {
    1...32 ~= text.count && text.first?.isLowercase == true
      && text.allSatisfy { $0.isLetter || " ,-".contains($0) }
  }

  private static func isSentence(_ text: Substring) -> Bool {
    text.first?.isUppercase == true && text.last.map { ".!?…".contains($0) } == true
  }

  fileprivate static func namesFailure(_ name: String) -> Bool {
    let name = name.lowercased()
    return ["fail", "error", "message", "alert", "warning", "expired"].contains { name.contains($0) }
  }

  /// The parts of the members of a state.
  private struct Members {
    var kinds: [String] = []
    var message: String?
    var data: [String] = []

    mutating func add(_ value: Any, named name: String?) {
      let mirror = Mirror(reflecting: value)
      switch mirror.displayStyle {
      case .optional:
        if let child = mirror.children.first { add(child.value, named: name) }
      case .enum where mirror.children.isEmpty:
        kinds.append("\(value)")
      case .enum:
        for child in mirror.children {
          if let name = child.label { kinds.append(name) }
          add(child.value, named: child.label ?? name)
        }
      case .struct where name == nil:
        for child in mirror.children { add(child.value, named: child.label ?? "") }
      case .collection where !mirror.children.isEmpty:
        data.append(mirror.children.map { "\($0.value)" }.joined(separator: ", "))
      default:
        addValue(value, named: name ?? "")
      }
    }

    private mutating func addValue(_ value: Any, named name: String) {
      if let isTrue = value as? Bool {
        if isTrue { kinds.append(Self.kind(of: name)) }
      } else if value is any Error || ShownState.namesFailure(name), !"\(value)".isEmpty {
        message = message ?? "\(value)"
      } else {
        data.append("\(value)")
      }
    }

    private static func kind(of name: String) -> String {
      guard let prefix = ["is", "has"].first(where: name.hasPrefix) else { return name }
      let rest = name.dropFirst(prefix.count)
      guard let first = rest.first, first.isUppercase else { return name }
      return first.lowercased() + rest.dropFirst()
    }
  }
}

/// The states of the screens of a sweep in parts, each made once.
///
/// Making the parts takes longer than the rest of the recording.
@MainActor final class KnownStates: Sendable {
  private var screens: [AnyObject] = []

  nonisolated init() {}

  /// The states of one type.
  @MainActor final class States<State: Equatable> {
    private var known: [(state: State, parts: ShownState)] = []
    /// States that never repeat must not make each run slower than the one before.
    private static var most: Int { 200 }

    subscript(_ state: State) -> ShownState {
      if let known = known.first(where: { $0.state == state }) { return known.parts }
      let parts = ShownState(of: state)
      if known.count < Self.most { known.append((state, parts)) }
      return parts
    }
  }

  /// The states of a screen of the runs.
  func states<State>(of screen: Int, _ type: State.Type) -> States<State> {
    if screen < screens.count, let states = screens[screen] as? States<State> { return states }
    let states = States<State>()
    if screen == screens.count { screens.append(states) }
    return states
  }
}
