import Foundation
import Understudy
import UnderstudyHTTP
import UnderstudyRecording

/// The parts of a recorded response that `inspect` shows and `diff` compares.
struct RecordedAnswer {
  private let entry: HTTPArchive.Entry
  private let response: HTTPArchive.Response
  /// The bytes, if they were recorded.
  let body: Data

  init(_ entry: HTTPArchive.Entry) {
    self.entry = entry
    response = entry.response
    body = response.content.body ?? Data()
  }

  /// The status, or `nil` if there was no response.
  var status: Int? { response.status == 0 ? nil : response.status }

  /// The status, or the reason why there was no response.
  var statusInWords: String { response.failure?.code.description ?? "\(response.status)" }

  /// The media type without parameters, in lower case; empty if it is missing.
  var mediaType: String {
    let written =
      response.content.mimeType
      ?? response.headers.first { $0.name.lowercased() == "content-type" }?.value ?? ""
    return written.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
  }

  /// The size of the body, even if its bytes were not recorded.
  var byteCount: Int {
    body.isEmpty ? max(0, response.content.size ?? 0) : body.count
  }

  /// Whether the size of the body was recorded without its bytes.
  var lacksBody: Bool { body.isEmpty && byteCount > 0 }

  /// The kind of response.
  enum Kind: Equatable {
    case none
    case socket
    case events
    case json
    /// Another media type, such as `html`.
    case other(String)
  }

  var kind: Kind {
    if entry.isWebSocket { return .socket }
    if byteCount == 0 { return .none }
    let type = mediaType
    if type == "text/event-stream" { return .events }
    if type.hasSuffix("/json") || type.hasSuffix("+json") { return .json }
    if type.isEmpty || type == "x-unknown" { return json == nil ? .other("bytes") : .json }
    let (main, sub) = (type.prefix { $0 != "/" }, type.drop { $0 != "/" }.dropFirst())
    switch (main, sub) {
    case ("image", _), ("font", _), ("audio", _), ("video", _), ("multipart", _): return .other(String(main))
    case (_, "plain"): return .other("text")
    case (_, "octet-stream"): return .other("bytes")
    case (_, "x-www-form-urlencoded"): return .other("form")
    default:
      let name = sub.hasPrefix("x-") ? sub.dropFirst(2) : sub
      return .other(String(name.split(separator: "+").last ?? main))
    }
  }

  /// The body as JSON, if it is valid JSON.
  var json: JSONValue? { try? JSONValue(parsing: body) }

  /// The complete events of a stream.
  var events: [HTTP.ServerSentEvent] {
    var parser = ServerSentEventParser(sizeLimit: .max)
    parser.append(body)
    var events: [HTTP.ServerSentEvent] = []
    while let event = try? parser.next() { events.append(event) }
    return events
  }

  /// How it ended, if not normally: `dropped`, `unfinished`, `timed out`, a status of a WebSocket, or another code.
  var badEnd: String? {
    if entry.isWebSocket, let end = entry.webSocketEnd {
      switch end.cause {
      case .closed(_, let closure):
        let isGood = [.normalClosure, .goingAway, .noStatus].contains(closure.code)
        return isGood ? nil : "closed \(closure.code.rawValue)"
      case .unfinished, .cutOff: return "unfinished"
      case .failed(let error): return Self.words(for: error)
      }
    }
    switch response.content.stream?.ending {
    case nil, .complete: return nil
    case .unfinished, .cutOff: return "unfinished"
    case .failed(let error): return Self.words(for: error)
    }
  }

  private static func words(for error: TransportError) -> String {
    error.code == .connectionLost ? "dropped" : error.code.description
  }
}
