public import UnderstudyHTTP

/// A backend that `serve` can start.
///
/// ```swift
/// CommandLineTool("todos", contracts: …, serving: ServedBackend("the to-do backend, with one account") {
///   let emulator = try TodoEmulator()
///   return .init(emulator, notes: ["API key: \(emulator.apiKey)"])
/// })
/// ```
public struct ServedBackend: Sendable {
  /// A backend that was started.
  public struct Running: Sendable {
    let handler: any HTTPHandler
    let notes: [String]
    /// What nobody has asked for so far, in words.
    let unused: @Sendable () -> [String]

    /// A backend, and what whoever starts it has to know.
    ///
    /// - Parameters:
    ///   - handler: What answers.
    ///   - notes: Lines that are printed below the address, such as `API key: anon-key`.
    ///   - unused: What the backend has an answer for and nobody has asked so far, one line each; it ends the summary.
    public init(
      _ handler: some HTTPHandler, notes: [String] = [], unused: @escaping @Sendable () -> [String] = { [] }
    ) {
      self.handler = handler
      self.notes = notes
      self.unused = unused
    }
  }

  /// What is served, in a few words that can follow "Serves".
  let title: String
  let start: @Sendable () async throws -> Running

  /// A backend.
  ///
  /// - Parameters:
  ///   - title: What is served, in a few words that can follow "Serves".
  ///   - start: Makes it anew for each server; what it throws is told in one line.
  public init(_ title: String, start: @escaping @Sendable () async throws -> Running) {
    self.title = title
    self.start = start
  }
}

/// A handler of any type, so that one kind of server serves all.
struct AnyHandler: HTTPHandler {
  let base: any HTTPHandler

  func respond(to request: HTTPRequest) async throws -> HTTPResponse {
    try await base.respond(to: request)
  }
}
