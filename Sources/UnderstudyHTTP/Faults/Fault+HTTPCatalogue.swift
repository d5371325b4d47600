public import Foundation
public import Understudy

// The faults that only HTTP has.

extension Fault {
  // MARK: - A server answers; before the base

  /// An answer with any status, in place of the base's.
  public static func status(_ status: Int, fields: HTTP.Fields = [:], body: Data = Data()) -> Fault {
    Fault(
      .answer(
        Answer(
          status: status, fields: fields.map { Answer.Field(name: $0.name, value: $0.value) }, body: body)))
  }

  /// An answer in place of the base's, whose body is in memory.
  package static func answer(_ response: HTTP.Response) -> Fault {
    status(
      response.status, fields: response.fields, body: (response.body.chunksInMemory ?? []).reduce(Data(), +))
  }

  /// 406: the server has no answer of the kind that the client accepts.
  public static let notAcceptable = Fault(.refusal(.notAcceptable))
  /// 504: a server behind the server did not answer in time.
  public static let gatewayTimeout = Fault(.refusal(.gatewayTimeout))

  /// Every answer is a redirect to the next one (307), until the client gives up; the work is not done.
  public static let redirectLoop = Fault(.redirectLoop)

  // MARK: - The answer is lost or spoiled; after the base

  /// The head arrives, some bytes of the body, and then nothing until the request's time-out.
  ///
  /// An answer without a body stays silent before its head.
  public static func timeoutInBody(afterBytes count: Int = 1) -> Fault {
    Fault(.cut(afterBytes: max(0, count), .silence))
  }

  /// The head arrives, some bytes of the body, and then the connection breaks.
  ///
  /// Where the body is shorter, it breaks at the end. An answer without a body is cut before its head. On the wire,
  /// `Content-Length` announces more than arrives; of a body that is made while it is sent, the last chunk is missing.
  public static func truncatedBody(afterBytes count: Int = 1) -> Fault {
    Fault(.cut(afterBytes: max(0, count), .close))
  }

  /// The head arrives, some bytes of the body, and then the connection breaks within a chunk (RFC 9112 §8).
  ///
  /// As ``truncatedBody(afterBytes:)``; the difference is on the wire alone.
  public static func truncatedChunk(afterBytes count: Int = 1) -> Fault {
    Fault(.cut(afterBytes: max(0, count), .withinChunk))
  }

  /// The head arrives, some bytes of the body, and then the connection is reset.
  ///
  /// As ``truncatedBody(afterBytes:)``; the difference is on the wire alone.
  public static func resetInBody(afterBytes count: Int = 1) -> Fault {
    Fault(.cut(afterBytes: max(0, count), .reset))
  }

  /// The work is done, and the bytes that arrive in place of the answer are not HTTP.
  public static let garbage = Fault(.spoiled(.garbage))

  /// The head arrives, some bytes of the body, and then a chunk with an invalid size (RFC 9112 §7.1).
  ///
  /// An answer without a body is garbage.
  public static func malformedChunk(afterBytes count: Int = 1) -> Fault {
    Fault(.spoiled(.chunk(afterBytes: max(0, count))))
  }

  /// The base's head, and a body that is marked as compressed but cannot be decompressed.
  ///
  /// A status that has no body becomes 200, so that there is one.
  public static let brokenGzip = Fault(.spoiled(.gzip))

  // MARK: - The call succeeds, later

  /// The body arrives in small pieces, with a pause before each; its content is unchanged.
  ///
  /// - Parameters:
  ///   - bytes: The most bytes in a piece, at least one.
  ///   - pause: The silence before each piece.
  public static func dribble(bytes: Int = 1, pause: Duration = .milliseconds(10)) -> Fault {
    Fault(.dribble(bytes: max(1, bytes), pause: pause))
  }

  // MARK: - Streams

  /// The stream ends before the terminator of its last event, which a reader must then discard.
  ///
  /// The app has all events but the last, and as that is the one that closes the stream, a lost connection. Each
  /// event is delivered once the next one has arrived.
  public static let unterminatedEvent = Fault(.stream(.unterminated))

  /// The bytes of each character that has several arrive in different chunks.
  ///
  /// An app that decodes the bytes chunk by chunk shows other characters; a correct one is unchanged. A service's stream
  /// has no bytes, and is unchanged.
  public static let splitCharacters = Fault(.stream(.splitCharacters))

  // MARK: - WebSockets

  // The events of a WebSocket are the messages that it brings; the faults of a stream apply to them too. They are counted
  // from the opening, with what a protocol answers before the first that an app receives. On an answer of HTTP, and at a
  // service, the first two are a `dropStream` and the third a `corruptEvent`.

  /// Some messages arrive, and a close frame with a code where the next one would begin (RFC 6455 §7.4).
  ///
  /// The app has what came before, and then a lost connection, whatever the code. A connection without more messages is
  /// unchanged.
  public static func closeWebSocket(
    code: WebSocketClosure.Code = .goingAway, afterMessages count: Int = 1
  ) -> Fault {
    Fault(.stream(.close(code.rawValue, after: max(0, count))))
  }

  /// Some messages arrive, and the connection breaks without a close frame where the next one would begin.
  ///
  /// The app has what came before, and then a lost connection. A connection without more messages is unchanged.
  public static func abortWebSocket(afterMessages count: Int = 1) -> Fault {
    Fault(.stream(.abort(after: max(0, count))))
  }

  /// Some messages arrive, and bytes that are not a frame where the next one would begin (RFC 6455 §5.2).
  ///
  /// The app has what came before, and then an unreadable answer. A connection without more messages is unchanged.
  public static func badFrame(afterMessages count: Int = 1) -> Fault {
    Fault(.stream(.badFrame(after: max(0, count))))
  }
}
