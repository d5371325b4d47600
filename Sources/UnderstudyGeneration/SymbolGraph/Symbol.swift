/// A declaration of a symbol graph.
struct Symbol: Decodable, Sendable {
  struct Kind: Decodable, Sendable {
    let identifier: String
  }

  struct Identifier: Decodable, Sendable {
    /// The mangled name, which no other declaration has.
    let precise: String
  }

  struct Location: Decodable, Sendable {
    struct Position: Decodable, Sendable {
      /// From 0.
      let line: Int
      let character: Int
    }

    let uri: String
    let position: Position
  }

  struct Generics: Decodable, Sendable {
    struct Parameter: Decodable, Sendable {
      let name: String
    }

    struct Constraint: Decodable, Sendable {
      let kind: String
      let lhs: String
      let rhs: String
      let rhsPrecise: String?
    }

    let parameters: [Parameter]?
    let constraints: [Constraint]?
  }

  let kind: Kind
  let identifier: Identifier
  /// The names of what it is in, and its own with the labels of its parameters, such as `add(_:)`.
  let pathComponents: [String]
  let declarationFragments: [Fragment]
  let accessLevel: String
  let location: Location?
  let availability: [Availability]?
  let swiftGenerics: Generics?

  /// The attributes that say when there is the declaration; the compiler gives them in no order.
  var availabilityAttributes: [String] { (availability ?? []).map(\.attribute).sorted() }

  /// Where it is declared, as compilers write it.
  var place: String? {
    location.map { location in
      let path = location.uri.hasPrefix("file://") ? String(location.uri.dropFirst(7)) : location.uri
      return "\(path):\(location.position.line + 1)"
    }
  }
}

/// A piece of a declaration, as it would be written.
struct Fragment: Decodable, Sendable {
  /// Such as `keyword`, `typeIdentifier` and `text`.
  let kind: String
  let spelling: String
  /// The mangled name of the type that a `typeIdentifier` stands for.
  let preciseIdentifier: String?
}
