/// A requirement of a protocol.
struct Requirement {
  /// As documentation links it, such as `add(_:at:)`.
  let title: String
  /// What its calls are called in rules and logs, without backticks.
  var operation: String
  /// What setting it is called; `nil` if it cannot be set.
  var setOperation: String?
  let declaration: Declaration
  let availability: [String]
  /// Where it is declared, if that is known.
  let place: String?
  /// Whether it is asked of values, and not of types.
  let isOfInstances: Bool
  /// The names of the parameters whose types may not go everywhere, which logs therefore do not have.
  let unloggable: Set<String>
  /// Whether its value may go everywhere, as far as is known.
  let isResultSendable: Bool
  /// The modules that its declaration needs.
  let modules: Set<String>
  /// Why nothing can be written for it.
  var obstacle: String?

  /// The parameters of which logs have the arguments.
  var logged: [Parameter] { declaration.parameters.filter { !unloggable.contains($0.name) } }

  /// Whether the option that names what is written by hand means it.
  func isNamed(_ name: String) -> Bool {
    name == title || name == Words.bare(declaration.name)
      || (declaration.kind == .initializer && name == "init")
      || (declaration.kind == .subscript && name == "subscript")
  }
}
