/// What the compiler says about a module: its symbols, and how they are related (symbol graph format 0.6).
struct SymbolGraph: Decodable, Sendable {
  struct Module: Decodable, Sendable {
    let name: String
  }

  struct Relationship: Decodable, Sendable {
    /// Such as `requirementOf`, `conformsTo` and `inheritsFrom`.
    let kind: String
    let source: String
    let target: String
    /// The target's name, where it is in another module.
    let targetFallback: String?
  }

  let module: Module
  let symbols: [Symbol]
  let relationships: [Relationship]
}
