public import Foundation
public import UnderstudyTransport
import UnderstudySockets

/// Serves a handler over HTTP/1.1 on 127.0.0.1, to any client.
///
/// ```swift
/// let server = try await MockServer(emulator)
/// let client = TodoClient(baseURL: server.url)
/// await server.close()
/// ```
///
/// The handler runs on the server's one thread where the system lets tasks choose (Linux, macOS 15, iOS 18), so it
/// must not block; two servers share nothing. A handler's task is cancelled when its client leaves.
///
/// A handler breaks an exchange off by what it throws, at once or in the midst of a body; what came before is sent
/// first. `TransportError` with `.timedOut` keeps the client waiting until it leaves, `.unreadableResponse` sends what
/// is no HTTP, and every other error closes the connection.
///
/// When the last reference to it goes, it closes without grace.
public final class MockServer<Handler: HTTPHandler>: Sendable {
  /// What answers.
  public let handler: Handler
  /// Where it listens, such as `http://127.0.0.1:49152`.
  public let url: URL
  private let core: ServerCore

  /// Starts a server; it listens when this returns.
  ///
  /// - Parameters:
  ///   - handler: What answers.
  ///   - port: Where to listen; zero is any port that is free.
  ///   - limits: What it bears from a client.
  ///   - time: What the limits run on, and what tells the date.
  /// - Throws: ``ServerError`` if it cannot listen.
  public init(
    _ handler: Handler, port: UInt16 = 0, limits: ServerLimits = ServerLimits(), time: Time = .system
  ) async throws(ServerError) {
    self.handler = handler
    do throws(SocketError) {
      core = try ServerCore(handler, port: port, limits: limits, time: time)
    } catch {
      throw ServerError(message: error.message)
    }
    guard let url = URL(string: "http://\(core.authority)") else {
      throw ServerError(message: "http://\(core.authority) is no URL.")
    }
    self.url = url
  }

  deinit {
    core.cut()
  }

  /// The port that it listens at.
  public var port: Int { Int(core.port) }

  /// What each of its connections is about.
  public var connections: [ConnectionStatus] { core.statuses }

  /// Stops listening, lets exchanges under way come to their end, and returns when every connection is over.
  ///
  /// Connections without a request under way are closed at once. A handler that does not come back although it is
  /// cancelled is waited for: ``connections`` says which. Cancelling the task ends the grace.
  ///
  /// - Parameter grace: How long exchanges under way may take, on the server's time, before their connections are
  ///   reset and their handlers cancelled; zero is not at all.
  public func close(grace: Duration = .seconds(5)) async {
    await core.close(grace: grace)
  }
}
