public import Foundation
public import Understudy

// The faults that are specific to HTTP.

extension Fault {
  // MARK: - A server answers; before the base

  /// An answer with any status, in place of the base's.
  ///
  /// - Parameter status: The status, from 200 to 599. An error, from 400 to 599, is written in the error style of the
  ///   backend.
  public static func status(_ status: Int) -> Fault { Fault(status: status) }

  /// An answer with exactly these parts, in place of the base's.
  public static func status(_ status: Int, fields: HTTP.Fields = [:], body: Data = Data()) -> Fault {
    Fault(
      .answer(
        Answer(
          status: status, fields: fields.map { Answer.Field(name: $0.name, value: $0.value) }, body: body)))
  }

  /// An answer with a body in memory, in place of the base's.
  package static func answer(_ response: HTTP.Response) -> Fault {
    status(
      response.status, fields: response.fields, body: (response.body.chunksInMemory ?? []).reduce(Data(), +))
  }

  /// 406: the server has no representation that the client accepts.
  public static let notAcceptable = Fault(.refusal(.notAcceptable))
  /// 504: an upstream server did not answer in time.
  public static let gatewayTimeout = Fault(.refusal(.gatewayTimeout))

  /// Every answer is a redirect to the next one (307), until the client stops following; the work is not done.
  public static let redirectLoop = Fault(.redirectLoop)

  // MARK: - The answer is lost or invalid; after the base

  /// The head and some bytes of the body arrive, and then nothing until the request's timeout.
  ///
  /// For an answer without a body, nothing arrives at all.
  public static func timeoutInBody(afterBytes count: Int = 1) -> Fault {
    Fault(.cut(afterBytes: max(0, count), .silence))
  }

  /// The head and some bytes of the body arrive, and then the connection breaks.
  ///
  /// If the body is shorter, the connection breaks at its end. For an answer without a body, it breaks before the head.
  /// On the wire, `Content-Length` announces more bytes than arrive; a body of unknown length lacks its last chunk.
  public static func truncatedBody(afterBytes count: Int = 1) -> Fault {
    Fault(.cut(afterBytes: max(0, count), .close))
  }

  /// The head and some bytes of the body arrive, and then the connection breaks within a chunk (RFC 9112 §8).
  ///
  /// It differs from ``truncatedBody(afterBytes:)`` only on the wire.
  public static func truncatedChunk(afterBytes count: Int = 1) -> Fault {
    Fault(.cut(afterBytes: max(0, count), .withinChunk))
  }

  /// The head and some bytes of the body arrive, and then the connection is reset.
  ///
  /// It differs from ``truncatedBody(afterBytes:)`` only on the wire.
  public static func resetInBody(afterBytes count: Int = 1) -> Fault {
    Fault(.cut(afterBytes: max(0, count), .reset))
  }

  /// The work is done, and the bytes that arrive in place of the answer are not HTTP.
  public static let garbage = Fault(.spoiled(.garbage))

  /// The head and some bytes of the body arrive, and then a chunk with an invalid size (RFC 9112 §7.1).
  ///
  /// An answer without a body is replaced by bytes that are not HTTP.
  public static func malformedChunk(afterBytes count: Int = 1) -> Fault {
    Fault(.spoiled(.chunk(afterBytes: max(0, count))))
  }

  /// The base's head with a body that is marked as compressed but cannot be decompressed.
  ///
  /// A status without a body is replaced by 200, so that a body is allowed.
  public static let brokenGzip = Fault(.spoiled(.gzip))

  // MARK: - The call succeeds after a delay

  /// The body arrives in small pieces, with a pause before each; its content is unchanged.
  ///
  /// - Parameters:
  ///   - bytes: The maximum number of bytes in a piece, at least one.
  ///   - pause: The pause before each piece.
  public static func dribble(bytes: Int = 1, pause: Duration = .milliseconds(10)) -> Fault {
    Fault(.dribble(bytes: max(1, bytes), pause: pause))
  }

  // MARK: - Streams

  /// The stream ends before the terminator of its last event, which a reader must then discard.
  ///
  /// The app receives all events but the last. As the last one closes the stream, the app reports a lost connection.
  /// Each event is delivered once the next one has arrived.
  public static let unterminatedEvent = Fault(.stream(.unterminated))

  /// The bytes of each multi-byte character arrive in different chunks.
  ///
  /// An app that decodes the bytes chunk by chunk shows wrong characters; a correct one is unaffected. A service's
  /// stream has no bytes, and is unchanged.
  public static let splitCharacters = Fault(.stream(.splitCharacters))

  // MARK: - WebSockets

  // The events of a WebSocket are the messages that it receives; the faults of a stream apply to them too. They are
  // counted from the opening, including protocol answers before the first message for the app. On an HTTP answer, and
  // at a service, the first two faults act as `dropStream` and the third as `corruptEvent`.

  /// Some messages arrive, and a close frame with a code where the next one would begin (RFC 6455 §7.4).
  ///
  /// The app receives the messages before it, and then a lost connection, whatever the code. A connection without
  /// further messages is unchanged.
  public static func closeWebSocket(
    code: WebSocketClosure.Code = .goingAway, afterMessages count: Int = 1
  ) -> Fault {
    Fault(.stream(.close(code.rawValue, after: max(0, count))))
  }

  /// Some messages arrive, and the connection breaks without a close frame where the next one would begin.
  ///
  /// The app receives the messages before it, and then a lost connection. A connection without further messages is
  /// unchanged.
  public static func abortWebSocket(afterMessages count: Int = 1) -> Fault {
    Fault(.stream(.abort(after: max(0, count))))
  }

  /// Some messages arrive, and bytes that are not a frame where the next one would begin (RFC 6455 §5.2).
  ///
  /// The app receives the messages before it, and then an unreadable answer. A connection without further messages is
  /// unchanged.
  public static func badFrame(afterMessages count: Int = 1) -> Fault {
    Fault(.stream(.badFrame(after: max(0, count))))
  }
}
