import Foundation
import UnderstudyRecording
import Understudy
import UnderstudyHTTP

/// A service that is sent recorded requests, one after another, to see what it answers today.
struct LiveService {
  /// A request as it can be sent, or why it cannot.
  enum Request {
    case ready(HTTPRequest)
    case withheld(reason: String)
  }

  /// Scheme, host and port.
  let origin: String
  /// What the recording has placeholders for, and what else each request is to have.
  let fields: HTTPFields
  /// Whether methods are sent that change things.
  let sendsUnsafeMethods: Bool
  let transport: any HTTPTransport
  let time: Time

  /// Fields of the recorded connection, and encodings that the platform agrees on by itself; in lower case.
  private static let ownFields: Set<String> = [
    "accept-encoding", "connection", "content-length", "expect", "host", "keep-alive", "te", "trailer",
    "transfer-encoding", "upgrade",
  ]

  /// The methods that change nothing and have a use here (RFC 9110 §9.2.1).
  private static let safeMethods: Set<HTTPMethod> = [.get, .head, .options]

  /// The request of an exchange, for this service.
  func request(for entry: HTTPArchive.Entry) -> Request {
    if entry.isWebSocket { return .withheld(reason: "WebSockets are not opened") }
    let recorded = entry.request
    guard sendsUnsafeMethods || Self.safeMethods.contains(recorded.method) else {
      return .withheld(reason: "\(recorded.method) may change things; --unsafe sends it")
    }
    var moved = recorded
    moved["url"] = .string(origin + RecordedURL(recorded.url).target)
    guard var request = HTTPRequest(moved) else {
      return .withheld(reason: "its URL or its body cannot be read")
    }
    request.fields = HTTPFields(
      request.fields.filter { field in
        !Self.ownFields.contains(field.name.lowercased()) && !field.name.hasPrefix(":")
          && fields.values(of: field.name).isEmpty
      } + fields)
    if let secret = Self.missingSecret(in: request) { return .withheld(reason: secret) }
    return .ready(request)
  }

  /// The first placeholder that would be sent.
  private static func missingSecret(in request: HTTPRequest) -> String? {
    for field in request.fields where SecretNames.placeholder(in: field.value) != nil {
      return "it needs a secret: --header '\(field.name): …'"
    }
    for (part, text) in [
      ("URL", request.url.absoluteString), ("body", request.body.flatMap { String(exactlyUTF8: $0) } ?? ""),
    ] {
      guard let placeholder = SecretNames.placeholder(in: text) else { continue }
      return "its \(part) has \(placeholder) in place of a secret"
    }
    return nil
  }

  /// What the service answers, written down as the recording was.
  ///
  /// - Parameter entry: What was recorded; where its reader left early, so does this one.
  /// - Throws: `CommandError` where the service is not there at all.
  func answer(to request: HTTPRequest, recorded entry: HTTPArchive.Entry) async throws(CommandError)
    -> HTTPArchive.Entry
  {
    // Of its own for each request, so that no more than one answer is in memory; it replaces the same secrets.
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
      if error.code == .cancelled { throw CommandError("diff was stopped.") }
      let isNotThere = [.connectionRefused, .hostNotFound, .offline, .untrusted].contains(error.code)
      if isNotThere, before.status != nil {
        throw CommandError("\(origin) cannot be asked: \(error.message)")
      }
    }
    guard let answer = recorder.recording.entries.first else {
      throw CommandError("\(origin) cannot be asked: the exchange was not recorded.")
    }
    return answer
  }
}
