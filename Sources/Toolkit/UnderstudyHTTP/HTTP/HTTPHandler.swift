import Foundation
public import Understudy

/// A type that answers HTTP requests: a backend without the network, for an ``InProcessTransport`` or a server.
public protocol HTTPHandler: Sendable {
  /// The form of the backend's error answers (default: ``HTTPErrorStyle/problemDetails``).
  var errorStyle: HTTPErrorStyle { get }

  /// Returns the response to a request.
  ///
  /// - Throws: `TransportError` to break the exchange with that error; any other error closes the connection without an
  ///   answer.
  func respond(to request: HTTP.Request) async throws -> HTTP.Response
}

extension HTTPHandler {
  /// Problem details (RFC 9457).
  public var errorStyle: HTTPErrorStyle { .problemDetails }
}

extension Implementation {
  /// A live service with a backend in the same process; faults are injected before the transport.
  ///
  /// ```swift
  /// static var live: Self {
  ///   .live(over: TodoBackend()) { transport, trial in LiveTodoService(transport: transport, time: trial.time) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name in reports.
  ///   - makeBackend: A fresh backend for each trial.
  ///   - make: Creates the service with a transport.
  public static func live<Backend: HTTPHandler>(
    _ name: String = "live", over makeBackend: @autoclosure @escaping @Sendable () throws -> Backend,
    as make:
      @escaping @Sendable (
        Intercepted<InProcessTransport<Backend>>, TrialEnvironment
      ) async throws -> Subject
  ) -> Self {
    .live(name, over: try makeBackend()) { transport, _, trial in try await make(transport, trial) }
  }

  /// A live service with a backend in the same process, and with its own condition handlers.
  ///
  /// ```swift
  /// static var live: Self {
  ///   .live(over: TodoBackend()) { transport, backend, trial in
  ///     trial.on(.nameIsTaken) { try await backend.add("Taken").title }
  ///     return LiveTodoService(transport: transport, time: trial.time)
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name in reports.
  ///   - makeBackend: A fresh backend for each trial.
  ///   - make: Creates the service with a transport, and registers condition handlers of the backend.
  public static func live<Backend: HTTPHandler>(
    _ name: String = "live", over makeBackend: @autoclosure @escaping @Sendable () throws -> Backend,
    as make:
      @escaping @Sendable (
        Intercepted<InProcessTransport<Backend>>, Backend, TrialEnvironment
      ) async throws -> Subject
  ) -> Self {
    Implementation(name) { trial in
      let backend = try makeBackend()
      let transport = trial.intercept(InProcessTransport(to: backend, time: trial.time))
      trial.setUpFailures(of: transport)
      return try await make(transport, backend, trial)
    }
  }
}
