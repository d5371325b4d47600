// A module that declares the names of the types that each generated file uses.

enum ConversionError: Error {
  case invalid
}

struct Intercepted: Hashable, Sendable {
  let message: String
}

struct ServiceOperation: Hashable, Sendable {
  let name: String
}

struct ServiceOperations: Hashable, Sendable {
  let operations: [ServiceOperation]
}

// generated
protocol MessageService: Sendable {
  func messages() async throws(ConversionError) -> [Intercepted]
  func operations() async throws(ConversionError) -> ServiceOperations
}
