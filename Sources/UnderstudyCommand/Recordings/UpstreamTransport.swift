import Foundation
import UnderstudyRecording
import Understudy
import UnderstudyHTTP
import UnderstudyServer

/// The transport to a service that is recorded: sockets of this package over http, and URLSession over https.
///
/// On Linux, URLSession ends the process when a response has trailers, and changes fields that repeat or are not UTF-8.
struct UpstreamTransport: HTTPTransport, WebSocketTransport {
  private let sockets = SocketTransport()
  private let session: URLSessionTransport

  /// - Parameter usesProxies: Whether the proxies of the system apply, one of which may be the caller itself.
  init(usesProxies: Bool = true) {
    session = URLSessionTransport(followsRedirects: false, usesProxies: usesProxies)
  }

  func send(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
    request.url.scheme?.lowercased() == "http"
      ? try await decoded(try await sockets.send(request), to: request) : try await session.send(request)
  }

  /// Returns a response with its body decoded from gzip and deflate, as by URLSession; its fields are those on the wire.
  private func decoded(
    _ response: HTTP.Response, to request: HTTP.Request
  ) async throws(TransportError) -> HTTP.Response {
    let codings = response.fields.values(of: "Content-Encoding").flatMap {
      $0.lowercased().split(separator: ",")
    }
    .map { $0.trimmingCharacters(in: .whitespaces) }.filter { $0 != "identity" }
    guard !codings.isEmpty, request.method != .head else { return response }
    var body = try await response.body.collect(upTo: Inflation.sizeLimit)
    // The last coding was applied last (RFC 9110 §8.4).
    for coding in codings.reversed() where !body.isEmpty {
      guard let bytes = Inflation.bytes(of: body, coding: coding) else {
        throw TransportError(.unreadableResponse, "The body is encoded with \(coding) and cannot be decoded.")
      }
      body = bytes
    }
    var response = response
    response.body = HTTP.Body(body)
    return response
  }

  func connect(to request: HTTP.Request) async throws(TransportError) -> any WebSocketConnection {
    try await session.connect(to: request)
  }

  /// Explains on standard error why URLSession on Linux has ended the process.
  ///
  /// - Parameter isProcess: Whether the command is the whole process, so that it may handle its signals.
  static func explainCrashes(isProcess: Bool) {
    #if !canImport(Darwin)
      guard isProcess else { return }
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
