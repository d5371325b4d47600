import Foundation
import Understudy
import UnderstudyHTTP
import UnderstudyServer

/// The transport to a service that is recorded: sockets of this package over http, and URLSession over https.
///
/// On Linux, URLSession ends the process when a response has trailers, and changes fields that repeat or are not UTF-8.
struct UpstreamTransport: HTTPTransport, WebSocketTransport {
  private let sockets = SocketTransport()
  private let session = URLSessionTransport(followsRedirects: false)

  func send(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
    request.url.scheme?.lowercased() == "http"
      ? try await sockets.send(request) : try await session.send(request)
  }

  func connect(to request: HTTP.Request) async throws(TransportError) -> any WebSocketConnection {
    try await session.connect(to: request)
  }

  /// Explains on standard error why URLSession on Linux has ended the process.
  ///
  /// - Parameter isProcess: Whether the command is the whole process, so that it may handle its signals.
  static func explainCrashes(of upstream: URL, name: String, isProcess: Bool) {
    #if !canImport(Darwin)
      guard isProcess, upstream.scheme?.lowercased() == "https" else { return }
      for number in [SIGILL, SIGTRAP] {
        signal(number) { number in
          // Only calls that are safe in a signal handler.
          let text = UpstreamTransport.crashMessage
          _ = write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
          signal(number, SIG_DFL)
        }
      }
    #endif
  }

  private static let crashMessage: StaticString =
    """
    The process ends, because URLSession on Linux cannot read a response over https, such as one with trailers.
    The journal beside the recording has the exchanges before it, and the next run with --mode new continues it.

    """
}
