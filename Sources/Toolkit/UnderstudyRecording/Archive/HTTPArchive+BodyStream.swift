package import UnderstudyHTTP

extension HTTPArchive {
  /// The chunks and the end of a response body: `_stream` in its `content`, an extension of HAR 1.2 by this package.
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
  /// `content.text` contains the whole body. `size` counts the bytes of the decoded body. A `time` is in milliseconds
  /// since the head of the response. `code` is `complete`, `unfinished`, or the code of a `TransportError` in words. A
  /// body that the recorder cut off is `unfinished` with a `limit` in bytes. An exchange without a response has status 0,
  /// `_error` (the message) and `_errorCode` (the code) in its response.
  package struct BodyStream: HTTPArchiveObject {
    /// All members, including unknown ones.
    package var members: [JSONValue.Member]

    /// Creates a stream from its members.
    package init(members: [JSONValue.Member]) {
      self.members = members
    }

    /// Creates a stream from its chunks and its end.
    ///
    /// - Parameters:
    ///   - chunks: The chunks, in order.
    ///   - ending: How the body ended.
    ///   - time: When the body ended, in milliseconds since the head.
    package init(chunks: [Chunk], ending: Ending, at time: Double) {
      var end: [JSONValue.Member] = [.init("time", JSONValue(time))]
      switch ending {
      case .complete: end.append(.init("code", .string("complete")))
      case .unfinished: end.append(.init("code", .string("unfinished")))
      case .cutOff(let limit):
        end.append(.init("code", .string("unfinished")))
        end.append(.init("limit", JSONValue(limit)))
      case .failed(let error):
        end.append(.init("code", .string(error.code.description)))
        end.append(.init("message", .string(error.message)))
      }
      members = [.init("chunks", JSONValue(chunks)), .init("end", .object(end))]
    }

    /// The chunks, in order.
    package var chunks: [Chunk] { objects("chunks") }

    /// When the body ended, in milliseconds since the head.
    package var endTime: Double? { self["end"]?["time"]?.numberValue }

    /// How the body ended (default: complete).
    package var ending: Ending {
      switch self["end"]?["code"]?.stringValue {
      case nil, "complete": return .complete
      case "unfinished": return self["end"]?["limit"]?.integerValue.map { .cutOff(limit: $0) } ?? .unfinished
      case let code?:
        return .failed(
          TransportError(
            TransportError.Code(archived: code),
            self["end"]?["message"]?.stringValue ?? "The recorded body ended here: \(code)."))
      }
    }
  }

  /// A part of a body that arrived at once.
  package struct Chunk: HTTPArchiveObject {
    /// All members.
    package var members: [JSONValue.Member]

    /// Creates a chunk from its members.
    package init(members: [JSONValue.Member]) {
      self.members = members
    }

    /// Creates a chunk.
    ///
    /// - Parameters:
    ///   - time: When it arrived, in milliseconds since the head.
    ///   - size: Its size in bytes.
    package init(time: Double, size: Int) {
      members = [.init("time", JSONValue(time)), .init("size", JSONValue(size))]
    }

    /// When the chunk arrived, in milliseconds since the head of the response.
    package var time: Double { number("time") ?? 0 }
    /// The size in bytes.
    package var size: Int { integer("size") ?? 0 }
  }

  /// How a body ended.
  package enum Ending: Sendable {
    /// The body ended after its last chunk.
    case complete
    /// The end was not recorded: the reader stopped early, or was still reading when the recording was saved.
    case unfinished
    /// The recorder cut off the body at its limit, in bytes; the client received the rest.
    case cutOff(limit: Int)
    /// An error followed the last chunk, for example a lost connection.
    case failed(TransportError)
  }
}

extension TransportError.Code {
  private static let all: [Self] = [
    .cancelled, .timedOut, .offline, .hostNotFound, .connectionRefused, .connectionLost, .unreadableResponse,
    .untrusted, .tooManyRedirects, .invalidRequest, .bodyTooLarge,
  ]

  /// Creates the code that the words describe; `dropped` and `reset` are synonyms of a lost connection.
  init(archived words: String) {
    if words == "dropped" || words == "reset" {
      self = .connectionLost
    } else {
      self = Self.all.first { $0.description == words } ?? .unknown
    }
  }

  /// Creates the code that corresponds to an error name of Chromium (`net/base/net_error_list.h`).
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
