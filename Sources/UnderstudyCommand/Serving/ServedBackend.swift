public import UnderstudyHTTP
import UnderstudyServer

/// A backend that `serve` starts.
///
/// ```swift
/// CommandLineTool("todos", contracts: …, serving: ServedBackend("the to-do backend, with one account") {
///   let emulator = try TodoEmulator()
///   return .init(emulator, notes: ["API key: \(emulator.apiKey)"])
/// })
/// ```
public struct ServedBackend: Sendable {
  /// A started backend.
  public struct Running: Sendable {
    let handler: any HTTPHandler
    let notes: [String]
    /// A function that returns the responses that no client has requested so far, one line each.
    let unused: @Sendable () -> [String]
    /// The tunnels of a forward proxy; `nil` for other servers.
    var tunnels: (any TunnelProvider)?

    /// Creates a started backend.
    ///
    /// - Parameters:
    ///   - handler: The handler of all requests.
    ///   - notes: The lines to print below the address, such as `API key: anon-key`.
    ///   - unused: A function that returns the responses that no client has requested so far, one line each, for the
    ///     end of the summary.
    public init(
      _ handler: some HTTPHandler, notes: [String] = [], unused: @escaping @Sendable () -> [String] = { [] }
    ) {
      self.handler = handler
      self.notes = notes
      self.unused = unused
    }
  }

  /// The description that follows "Serving".
  let title: String
  let start: @Sendable () async throws -> Running

  /// Creates a backend.
  ///
  /// - Parameters:
  ///   - title: A description that can follow "Serving".
  ///   - start: A function that creates the backend of a server. An error that it throws is printed in one line.
  public init(_ title: String, start: @escaping @Sendable () async throws -> Running) {
    self.title = title
    self.start = start
  }
}

/// A handler of any type, for one type of server.
struct AnyHandler: HTTPHandler {
  let base: any HTTPHandler

  var errorStyle: HTTPErrorStyle { base.errorStyle }

  func respond(to request: HTTP.Request) async throws -> HTTP.Response {
    try await base.respond(to: request)
  }
}
