import Foundation
import UnderstudyHTTP

/// A buffer of the bytes to send next.
///
/// Of a long chunk, it holds one window at a time, because many connections may send the same body to slow clients.
struct ResponseBuffer: Sendable {
  private static let window = 64 << 10

  private(set) var bytes: [UInt8] = []
  /// The part of the last chunk that is not in the buffer yet; it shares the chunk's storage.
  private var pending = Data()
  private var date = DateStamp()
  /// The number of bytes of a body with a content length that are not written yet.
  private var left = 0
  private var framing = ResponseHead.Framing.none

  /// Discards the bytes that were sent, and adds the next window of the last chunk.
  mutating func begin() {
    // The memory of a large head is released, because connections are long-lived.
    bytes.removeAll(keepingCapacity: bytes.capacity <= 2 * Self.window)
    if hasPending { addWindow() }
  }

  /// Whether the bytes must be sent before another chunk is written.
  var isFull: Bool { bytes.count >= Self.window }

  /// Whether the last chunk is not completely in the buffer.
  var hasPending: Bool { !pending.isEmpty }

  mutating func write(_ head: ResponseHead, date now: Date) {
    head.write(date: date.line(at: now), to: &bytes)
    framing = head.framing
    if case .sized(let length) = framing { left = length }
  }

  /// Adds a chunk of the body in the framing of the head.
  ///
  /// Bytes beyond the content length are dropped, because the client would read them as the next response.
  mutating func write(_ chunk: Data) {
    precondition(!hasPending, "A chunk must be sent completely before the next one is written.")
    switch framing {
    case .none:
      return
    case .sized:
      pending = chunk.count > left ? chunk.prefix(left) : chunk
      left -= pending.count
    case .chunked:
      if !chunk.isEmpty { bytes.appendChunkSize(chunk.count) }
      pending = chunk
    case .untilClose:
      pending = chunk
    }
    if hasPending { addWindow() }
  }

  private mutating func addWindow() {
    let part = pending.prefix(max(1, Self.window - bytes.count))
    // Faster than appending the data itself, which is then also iterated.
    part.withUnsafeBytes { bytes.append(contentsOf: $0) }
    pending = part.count < pending.count ? pending.dropFirst(part.count) : Data()
    if !hasPending, framing == .chunked { bytes.append(contentsOf: "\r\n".utf8) }
  }

  /// Whether the client does not expect more of the body.
  var isBodyComplete: Bool { framing == .none || left == 0 && framing != .chunked && framing != .untilClose }

  /// Ends the body.
  ///
  /// - Returns: Whether the client can detect the end; if not, the connection must be closed.
  mutating func endBody(_ trailers: HTTP.Trailers? = nil) -> Bool {
    switch framing {
    case .none: return true
    case .sized: return left == 0
    case .untilClose: return false
    case .chunked:
      bytes.append(contentsOf: "0\r\n".utf8)
      for field in trailers?.fields ?? [:] where field.isSendableTrailer {
        bytes += Array("\(field.name): ".utf8) + field.bytes + Array("\r\n".utf8)
      }
      bytes.append(contentsOf: "\r\n".utf8)
      return true
    }
  }

  mutating func write(_ raw: [UInt8]) {
    bytes.append(contentsOf: raw)
  }

  /// Writes a complete response to a request that does not reach the handler.
  mutating func writeRefusal(_ refusal: RequestRefusal, date now: Date) {
    let body = Data((refusal.reason + "\n").utf8)
    StatusLine.write(refusal.status, to: &bytes)
    write(date.line(at: now))
    write(Array("Content-Type: text/plain; charset=utf-8\r\nContent-Length: \(body.count)\r\n".utf8))
    write(Array("Connection: close\r\n\r\n".utf8))
    write(Array(body))
  }
}
