import Foundation
import UnderstudyHTTP

/// What is to be sent next, in one piece.
struct ResponseBuffer: Sendable {
  private(set) var bytes: [UInt8] = []
  private var date = DateStamp()
  /// How much of a sized body has not been written.
  private var left = 0
  private var framing = ResponseHead.Framing.none

  /// Forgets what has been sent.
  mutating func begin() {
    // One large body must not stay in memory for as long as the connection.
    bytes.removeAll(keepingCapacity: bytes.capacity <= 64 << 10)
  }

  mutating func write(_ head: ResponseHead, date now: Date) {
    head.write(date: date.line(at: now), to: &bytes)
    framing = head.framing
    if case .sized(let length) = framing { left = length }
  }

  /// Adds a chunk of the body as the head has said.
  ///
  /// What is longer than was said is left out: the client would read it as the next answer.
  mutating func write(_ chunk: Data) {
    switch framing {
    case .none:
      break
    case .sized:
      let part = chunk.count > left ? chunk.prefix(left) : chunk
      left -= part.count
      bytes.append(contentsOf: part)
    case .chunked:
      bytes.appendChunk(chunk)
    case .untilClose:
      bytes.append(contentsOf: chunk)
    }
  }

  /// Whether the client will not wait for more of the body.
  var isBodyComplete: Bool { framing == .none || left == 0 && framing != .chunked && framing != .untilClose }

  /// Ends the body.
  ///
  /// - Returns: Whether the client knows that it has ended; else the connection must be closed.
  mutating func endBody() -> Bool {
    switch framing {
    case .none: return true
    case .sized: return left == 0
    case .untilClose: return false
    case .chunked:
      bytes.append(contentsOf: "0\r\n\r\n".utf8)
      return true
    }
  }

  mutating func write(_ raw: [UInt8]) {
    bytes.append(contentsOf: raw)
  }

  /// Writes the whole answer to a request that the handler does not see.
  mutating func writeRefusal(_ refusal: RequestRefusal, date now: Date) {
    let body = Data((refusal.reason + "\n").utf8)
    StatusLine.write(refusal.status, to: &bytes)
    write(date.line(at: now))
    write(Array("Content-Type: text/plain; charset=utf-8\r\nContent-Length: \(body.count)\r\n".utf8))
    write(Array("Connection: close\r\n\r\n".utf8))
    write(Array(body))
  }
}
