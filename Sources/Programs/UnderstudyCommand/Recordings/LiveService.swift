import Foundation
import Understudy
import UnderstudyConsole
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyServer

/// A service that receives recorded requests, one after another, to compare its responses.
struct LiveService {
  /// A request that can be sent, or the reason why it cannot.
  enum Request {
    case ready(HTTP.Request)
    case withheld(reason: String)
  }

  /// The scheme, the host and the port.
  let origin: String
  /// The additional fields of each request, such as secrets that are placeholders in the recording.
  let fields: HTTP.Fields
  /// Whether to send methods that may change data.
  let sendsUnsafeMethods: Bool
  let transport: any HTTPTransport
  let time: Time

  /// The fields of the recorded connection, and the encodings that the platform negotiates, in lower case.
  private static let ownFields: Set<String> = [
    "accept-encoding", "connection", "content-length", "expect", "host", "keep-alive", "te", "trailer",
    "transfer-encoding", "upgrade",
  ]

  /// The safe methods that can be compared (RFC 9110 §9.2.1).
  private static let safeMethods: Set<HTTP.Method> = [.get, .head, .options]

  /// Returns the request of an exchange, for this service.
  func request(for entry: HTTPArchive.Entry) -> Request {
    if entry.isWebSocket { return .withheld(reason: "WebSockets are not supported") }
    let recorded = entry.request
    guard sendsUnsafeMethods || Self.safeMethods.contains(recorded.method) else {
      return .withheld(reason: "\(recorded.method) may change data; send it with --unsafe")
    }
    var moved = recorded
    moved["url"] = .string(origin + RecordedURL(recorded.url).target)
    guard var request = HTTP.Request(moved) else {
      return .withheld(reason: "its URL or its body is invalid")
    }
    request.fields = HTTP.Fields(
      request.fields.filter { field in
        !Self.ownFields.contains(field.name.lowercased()) && !field.name.hasPrefix(":")
          && fields.values(of: field.name).isEmpty
      } + fields)
    if let secret = Self.missingSecret(in: request) { return .withheld(reason: secret) }
    return .ready(request)
  }

  /// Returns the reason why a request cannot be sent because of a placeholder, if any.
  private static func missingSecret(in request: HTTP.Request) -> String? {
    for field in request.fields where placeholder(in: field.value) != nil {
      return "requires a secret: --header '\(field.name): …'"
    }
    for (part, text) in [
      ("URL", request.url.absoluteString), ("body", request.body.flatMap { String(exactlyUTF8: $0) } ?? ""),
    ] {
      guard let placeholder = placeholder(in: text) else { continue }
      return "its \(part) has the placeholder \(placeholder) instead of a secret"
    }
    return nil
  }

  /// Returns the first placeholder in a text.
  private static func placeholder(in text: String) -> Substring? {
    text.firstMatch(of: /redacted-[0-9]+/)?.output
  }

  /// Sends a request, and returns the recorded response of the service.
  ///
  /// - Parameter entry: The recorded exchange. If its reader stopped early, this reader stops too.
  /// - Throws: `CommandError` if the service cannot be reached.
  func answer(to request: HTTP.Request, recorded entry: HTTPArchive.Entry) async throws(CommandError)
    -> HTTPArchive.Entry
  {
    // One recorder for each request, so that only one response is in memory.
    let recorder = RecordingTransport(around: transport, time: time)
    let before = RecordedAnswer(entry)
    do {
      let response = try await recorder.send(request)
      var count = 0
      for try await chunk in response.body {
        count += chunk.count
        if before.badEnd == "unfinished", count >= before.byteCount { break }
      }
    } catch {
      let error = TransportError(wrapping: error)
      if error.code == .cancelled { throw CommandError("diff was cancelled.") }
      let isUnreachable = [.connectionRefused, .hostNotFound, .offline, .untrusted].contains(error.code)
      if isUnreachable, before.status != nil {
        throw CommandError("\(origin) cannot be reached: \(error.message)")
      }
    }
    guard let answer = recorder.recording.entries.first else {
      throw CommandError("The response of \(origin) was not recorded.")
    }
    return answer
  }
}

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
      ? decoded(try await sockets.send(request), to: request) : try await session.send(request)
  }

  /// Returns a response with its body decoded from gzip and deflate, as by URLSession; its fields are those on the wire.
  ///
  /// A body with another coding remains as it is.
  private func decoded(_ response: HTTP.Response, to request: HTTP.Request) -> HTTP.Response {
    let codings = response.fields.values(of: "Content-Encoding").flatMap {
      $0.lowercased().split(separator: ",")
    }
    .map { $0.trimmingCharacters(in: .whitespaces) }.filter { $0 != "identity" }
    guard !codings.isEmpty, request.method != .head else { return response }
    var response = response
    if let body = BodyInflater.decoded(response.body, codings) {
      response.body = body
    } else {
      response.hasEncodedBody = true
    }
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
