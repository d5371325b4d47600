/// The names in the files of `adopt`, from the name of a protocol.
struct AdoptedNames {
  /// The name without `Protocol` or `Interface`, such as `LibraryService`.
  let type: String

  init(_ service: ServiceProtocol) {
    type = Self.dropping(["Protocol", "Interface"], from: service.baseName)
  }

  /// The double, such as `InMemoryLibraryService`.
  var double: String { "InMemory\(type)" }
  /// The static property of the contract, such as `libraryService`.
  var contract: String { Self.lowerCamelCase(type) }
  /// The first part of the identifiers of clauses, such as `library`.
  var stem: String { Self.lowerCamelCase(subject) }
  /// What the service is about, such as `Library`.
  var subject: String { Self.dropping(Self.roles, from: type) }

  private static let roles = [
    "Service", "Servicing", "Repository", "Client", "Store", "Storing", "Storage", "Provider", "Providing",
    "Manager",
    "Managing", "Gateway", "DataSource", "Datasource", "Loader", "Loading", "Fetcher", "Fetching", "Remote",
    "UseCase", "Interactor", "API",
  ]

  private static func dropping(_ endings: [String], from name: String) -> String {
    let ending = endings.first { name.hasSuffix($0) && name.count > $0.count }
    return String(name.dropLast(ending?.count ?? 0))
  }

  /// Returns `urlLoader` for `URLLoader`.
  static func lowerCamelCase(_ name: String) -> String {
    let capitals = name.prefix(while: \.isUppercase)
    let rest = name.dropFirst(capitals.count)
    let count = capitals.count > 1 && rest.first?.isLetter == true ? capitals.count - 1 : capitals.count
    return name.prefix(count).lowercased() + name.dropFirst(count)
  }
}
