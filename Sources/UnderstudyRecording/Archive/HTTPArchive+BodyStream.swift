public import UnderstudyHTTP

extension HTTPArchive {
  /// How the body of a response came: `_stream` in its `content`, an extension of HAR 1.2 by this package.
  ///
  /// ```json
  /// "content": {
  ///   "size": 12, "mimeType": "text/event-stream", "text": "data: a\n\ndat",
  ///   "_stream": {
  ///     "chunks": [{ "time": 3.5, "size": 9 }, { "time": 120, "size": 3 }],
  ///     "end": { "time": 4000, "code": "connection lost", "message": "The connection was reset." }
  ///   }
  /// }
  /// ```
  ///
  /// `content.text` has the whole body; `size` counts its bytes, those of UTF-8 or those in base64. A `time` is in
  /// milliseconds from the head of the response. `code` is `complete`, `unfinished`, or the code of a
  /// `TransportError` in words. An exchange that had no answer at all has status 0, `_error` (the message) and
  /// `_errorCode` (the code) in its response.
  public struct BodyStream: HTTPArchiveObject {
    /// Every member, those of this extension and others.
    public var members: [JSONValue.Member]

    /// A stream of these members.
    public init(members: [JSONValue.Member]) {
      self.members = members
    }

    /// A stream of these chunks, which ended so.
    public init(chunks: [Chunk], ending: Ending, at time: Double) {
      var end: [JSONValue.Member] = [.init("time", JSONValue(time))]
      switch ending {
      case .complete: end.append(.init("code", .string("complete")))
      case .unfinished: end.append(.init("code", .string("unfinished")))
      case .failed(let error):
        end.append(.init("code", .string(error.code.description)))
        end.append(.init("message", .string(error.message)))
      }
      members = [.init("chunks", JSONValue(chunks)), .init("end", .object(end))]
    }

    /// The chunks, in order.
    public var chunks: [Chunk] { objects("chunks") }

    /// When the body ended, in milliseconds from the head.
    public var endTime: Double? { self["end"]?["time"]?.numberValue }

    /// How the body ended; complete where nothing is said.
    public var ending: Ending {
      switch self["end"]?["code"]?.stringValue {
      case nil, "complete": return .complete
      case "unfinished": return .unfinished
      case let code?:
        return .failed(
          TransportError(
            TransportError.Code(archived: code),
            self["end"]?["message"]?.stringValue ?? "The recorded body ended here: \(code)."))
      }
    }
  }

  /// A part of a body that arrived at once.
  public struct Chunk: HTTPArchiveObject {
    /// Every member.
    public var members: [JSONValue.Member]

    /// A chunk of these members.
    public init(members: [JSONValue.Member]) {
      self.members = members
    }

    /// So many bytes, so many milliseconds after the head.
    public init(time: Double, size: Int) {
      members = [.init("time", JSONValue(time)), .init("size", JSONValue(size))]
    }

    /// Milliseconds from the head of the response.
    public var time: Double { number("time") ?? 0 }
    /// The number of bytes.
    public var size: Int { integer("size") ?? 0 }
  }

  /// How a body ended.
  public enum Ending: Sendable {
    /// With its last chunk.
    case complete
    /// Not in the recording: the reader left early, or was still reading when the recording was taken.
    case unfinished
    /// With an error behind its last chunk, for instance a lost connection.
    case failed(TransportError)
  }
}

extension TransportError.Code {
  private static let all: [Self] = [
    .cancelled, .timedOut, .offline, .hostNotFound, .connectionRefused, .connectionLost, .unreadableResponse,
    .untrusted, .tooManyRedirects, .invalidRequest, .bodyTooLarge,
  ]

  /// The code that these words name; `dropped` and `reset` are other words for a lost connection.
  init(archived words: String) {
    if words == "dropped" || words == "reset" {
      self = .connectionLost
    } else {
      self = Self.all.first { $0.description == words } ?? .unknown
    }
  }

  /// The code behind the name of an error in Chromium (`net/base/net_error_list.h`).
  init?(chromium message: String) {
    guard message.hasPrefix("net::ERR_") else { return nil }
    switch message.dropFirst("net::ERR_".count) {
    case "ABORTED": self = .cancelled
    case "TIMED_OUT", "CONNECTION_TIMED_OUT": self = .timedOut
    case "INTERNET_DISCONNECTED", "NETWORK_CHANGED": self = .offline
    case "NAME_NOT_RESOLVED", "NAME_RESOLUTION_FAILED": self = .hostNotFound
    case "CONNECTION_REFUSED", "CONNECTION_FAILED", "ADDRESS_UNREACHABLE": self = .connectionRefused
    case "CONNECTION_RESET", "CONNECTION_CLOSED", "CONNECTION_ABORTED", "EMPTY_RESPONSE",
      "CONTENT_LENGTH_MISMATCH", "INCOMPLETE_CHUNKED_ENCODING":
      self = .connectionLost
    case "INVALID_HTTP_RESPONSE", "INVALID_CHUNKED_ENCODING", "CONTENT_DECODING_FAILED":
      self = .unreadableResponse
    case "TOO_MANY_REDIRECTS": self = .tooManyRedirects
    case let name where name.hasPrefix("CERT_") || name.hasPrefix("SSL_"): self = .untrusted
    default: self = .unknown
    }
  }
}
