import Foundation
import UnderstudyRecording
import Understudy
import UnderstudyHTTP

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
    for field in request.fields where SecretNames.placeholder(in: field.value) != nil {
      return "requires a secret: --header '\(field.name): …'"
    }
    for (part, text) in [
      ("URL", request.url.absoluteString), ("body", request.body.flatMap { String(exactlyUTF8: $0) } ?? ""),
    ] {
      guard let placeholder = SecretNames.placeholder(in: text) else { continue }
      return "its \(part) has the placeholder \(placeholder) instead of a secret"
    }
    return nil
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
