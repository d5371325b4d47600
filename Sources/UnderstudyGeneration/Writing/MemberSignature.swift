/// The head of a member that implements a requirement.
struct MemberSignature {
  private let declaration: Declaration
  private let access: AccessLevel

  init(_ declaration: Declaration, access: AccessLevel) {
    self.declaration = declaration
    self.access = access
  }

  /// Writes it with its opening brace.
  func open(to source: inout SourceText) {
    let modifiers = declaration.modifiers.filter { !["static", "mutating"].contains($0) }
    let prefix = modifiers.map { $0 + " " }.joined() + access.modifier
    let parameters = declaration.parameters.map { parameter in
      declaration.kind == .subscript && parameter.label == nil
        ? "\(parameter.name): \(parameter.type)" : parameter.declaration
    }
    let requirements = declaration.requirements.isEmpty ? "" : " where \(declaration.requirements)"
    let result = declaration.result.isEmpty ? "" : " -> \(declaration.result)"
    switch declaration.kind {
    case .property:
      source.line("\(prefix)var \(declaration.name): \(declaration.result) {")
    case .subscript:
      source.list("\(prefix)subscript\(declaration.generics)(", parameters, ")\(result)\(requirements) {")
    case .method, .initializer:
      source.list(
        "\(prefix)func \(declaration.name)\(declaration.generics)(", parameters,
        ")\(declaration.effects.suffix)\(result)\(requirements) {")
    }
  }
}
