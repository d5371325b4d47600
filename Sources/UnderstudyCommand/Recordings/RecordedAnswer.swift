import Understudy
import UnderstudyHTTP
import Foundation
import UnderstudyRecording

/// What of a recorded answer `inspect` shows and `diff` compares.
struct RecordedAnswer {
  private let entry: HTTPArchive.Entry
  private let response: HTTPArchive.Response
  /// The bytes; none where the tool kept none.
  let body: Data

  init(_ entry: HTTPArchive.Entry) {
    self.entry = entry
    response = entry.response
    body = response.content.body ?? Data()
  }

  /// `nil` where there was no answer.
  var status: Int? { response.status == 0 ? nil : response.status }

  /// The status, or why there was none, in words.
  var statusInWords: String { response.failure?.code.description ?? "\(response.status)" }

  /// The media type without parameters, in lower case; empty where nothing is said.
  var mediaType: String {
    let written =
      response.content.mimeType
      ?? response.headers.first { $0.name.lowercased() == "content-type" }?.value ?? ""
    return written.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
  }

  /// How many bytes the body has, as they were counted where they were not kept.
  var byteCount: Int {
    body.isEmpty ? max(0, response.content.size ?? 0) : body.count
  }

  /// Whether the tool counted the body and did not keep it.
  var lacksBody: Bool { body.isEmpty && byteCount > 0 }

  /// What kind of answer it is, in a word.
  enum Kind: Equatable {
    case none
    case socket
    case events
    case json
    /// Any other, such as `html`.
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

  /// The body as JSON, if it is a document.
  var json: JSONValue? { try? JSONValue(parsing: body) }

  /// The events of a stream, as far as they came.
  var events: [ServerSentEvent] {
    var parser = ServerSentEventParser(sizeLimit: .max)
    parser.append(body)
    var events: [ServerSentEvent] = []
    while let event = try? parser.next() { events.append(event) }
    return events
  }

  /// How it ended if not well: `dropped`, `unfinished`, `timed out`, a status of a WebSocket, or another code.
  var badEnd: String? {
    if entry.isWebSocket, let end = entry.webSocketEnd {
      switch end.cause {
      case .closed(_, let closure):
        let isGood = [.normalClosure, .goingAway, .noStatus].contains(closure.code)
        return isGood ? nil : "closed \(closure.code.rawValue)"
      case .unfinished: return "unfinished"
      case .failed(let error): return Self.words(for: error)
      }
    }
    switch response.content.stream?.ending {
    case nil, .complete: return nil
    case .unfinished: return "unfinished"
    case .failed(let error): return Self.words(for: error)
    }
  }

  private static func words(for error: TransportError) -> String {
    error.code == .connectionLost ? "dropped" : error.code.description
  }
}
