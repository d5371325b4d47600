import Foundation

/// A parser of the frames from a peer (RFC 6455 §5), independent of how the bytes are split.
///
/// It buffers only the current message, and never allocates memory for a length that is only announced.
package struct WebSocketParser: Sendable {
  /// Limits in bytes.
  package struct Limits: Sendable, Hashable {
    /// The maximum size of a message, including all its fragments.
    package var message: Int
    /// The maximum size of a frame.
    package var frame: Int

    /// Creates limits (default: 16 MiB for a message, and no separate limit for a frame).
    package init(message: Int = WebSocketMessage.sizeLimit, frame: Int = .max) {
      self.message = message
      self.frame = frame
    }
  }

  /// A parsed event.
  package enum Event: Hashable, Sendable {
    /// A complete message.
    case message(WebSocketMessage)
    /// A ping, which requires a pong with the same bytes.
    case ping([UInt8])
    /// A pong, solicited or not.
    case pong([UInt8])
    /// A close frame; bytes after it are ignored.
    case close(WebSocketClosure)
    /// A protocol violation; bytes after it cannot be parsed.
    case violation(WebSocketViolation)
  }

  /// The side that receives the frames.
  package let role: WebSocketRole
  /// The limits.
  package let limits: Limits

  /// The bytes of an incomplete header.
  private var header: [UInt8] = []
  /// The frame whose payload is being received, and the number of its missing bytes.
  private var frame: (header: WebSocketFrameHeader, missing: Int)?
  /// The payload of an incomplete control frame.
  private var control: [UInt8] = []
  /// The payload of an incomplete message.
  private var message: [UInt8] = []
  private var kind: WebSocketOpcode?
  private var text = UTF8Validation()
  /// Whether further bytes are ignored.
  package private(set) var isOver = false

  /// The number of buffered bytes.
  package var heldByteCount: Int { header.count + control.count + message.count }

  /// Creates a parser for the bytes after the handshake.
  package init(_ role: WebSocketRole, limits: Limits = Limits()) {
    self.role = role
    self.limits = limits
  }

  /// Parses the next bytes, and returns the events that they complete.
  package mutating func consume(_ bytes: [UInt8]) -> [Event] {
    var events: [Event] = []
    var position = 0
    do throws(WebSocketViolation) {
      while position < bytes.count, !isOver {
        if frame == nil { try readHeader(bytes, &position) }
        if frame != nil { try readPayload(bytes, &position) }
        if let frame, frame.missing == 0, let event = try endFrame(frame.header) { events.append(event) }
      }
    } catch {
      stop()
      events.append(.violation(error))
    }
    return events
  }

  /// Releases the buffered bytes, and ignores further ones.
  package mutating func stop() {
    isOver = true
    (header, control, message) = ([], [], [])
  }

  private mutating func readHeader(_ bytes: [UInt8], _ position: inout Int) throws(WebSocketViolation) {
    while position < bytes.count {
      header.append(bytes[position])
      position += 1
      if header.count == 2 { try WebSocketFrameHeader.check(header[0], header[1], readBy: role) }
      guard header.count == WebSocketFrameHeader.size(header) else { continue }
      let begun = try WebSocketFrameHeader(header)
      header.removeAll(keepingCapacity: true)
      try begin(begun)
      frame = (begun, begun.length)
      return
    }
  }

  /// Rejects a frame that is not allowed in the current state.
  private mutating func begin(_ frame: WebSocketFrameHeader) throws(WebSocketViolation) {
    guard !frame.opcode.isControl else { return }
    switch (frame.opcode, kind) {
    case (.continuation, nil):
      throw .breaksProtocol("A continuation frame arrived without a message to continue.")
    case (.continuation, _): break
    case (_, .some): throw .breaksProtocol("A message began before the previous one was complete.")
    case (let opcode, nil): kind = opcode
    }
    guard frame.length <= limits.frame else {
      throw WebSocketViolation(
        code: .messageTooBig, message: "A frame exceeds the limit of \(limits.frame) bytes.")
    }
    guard frame.length <= limits.message - message.count else {
      throw .tooBig(limits.message)
    }
  }

  private mutating func readPayload(_ bytes: [UInt8], _ position: inout Int) throws(WebSocketViolation) {
    guard let missing = frame?.missing, missing > 0 else { return }
    let end = position + min(missing, bytes.count - position)
    let part = bytes[position..<end]
    position = end
    frame?.missing = missing - part.count
    if frame?.header.opcode.isControl == true {
      let start = control.count
      control.append(contentsOf: part)
      frame?.header.mask?.apply(to: &control, from: start)
    } else {
      let start = message.count
      message.append(contentsOf: part)
      frame?.header.mask?.apply(to: &message, from: start)
      guard kind != .text || text.accept(message, from: start) else { throw Self.noText }
    }
  }

  private mutating func endFrame(_ header: WebSocketFrameHeader) throws(WebSocketViolation) -> Event? {
    frame = nil
    if header.opcode.isControl {
      let payload = control
      control = []
      switch header.opcode {
      case .ping: return .ping(payload)
      case .pong: return .pong(payload)
      default:
        isOver = true
        return .close(try WebSocketClosure(payload: payload))
      }
    }
    guard header.isFinal else { return nil }
    defer {
      message = []
      kind = nil
      text = UTF8Validation()
    }
    guard kind == .text else { return .message(.binary(Data(message))) }
    guard text.isComplete else { throw Self.noText }
    return .message(.text(String(decoding: message, as: UTF8.self)))
  }

  private static let noText = WebSocketViolation(
    code: .invalidPayload, message: "A text message is not valid UTF-8.")
}

extension WebSocketViolation {
  static func tooBig(_ limit: Int) -> WebSocketViolation {
    WebSocketViolation(
      code: .messageTooBig, message: "A message exceeds the limit of \(limit) bytes.")
  }

  /// The violation of a limit that a connection shares with others.
  package static func tooManyUnfinishedMessages(_ limit: Int) -> WebSocketViolation {
    WebSocketViolation(
      code: .tryAgainLater,
      message: "The unfinished messages of all connections exceed the limit of \(limit) bytes.")
  }
}

/// A protocol violation by a peer, which fails the connection (RFC 6455 §7.1.7).
package struct WebSocketViolation: Error, Hashable, Sendable, CustomStringConvertible {
  /// The code of the close frame.
  package let code: WebSocketClosure.Code
  /// One sentence with what was received and what was expected, short enough for a close frame.
  package let message: String

  package var description: String { message }

  /// The error that `receive()` throws.
  package var error: TransportError {
    let tooBig = code == .messageTooBig || code == .tryAgainLater
    return TransportError(tooBig ? .bodyTooLarge : .unreadableResponse, message, cause: self)
  }

  static func breaksProtocol(_ message: String) -> WebSocketViolation {
    WebSocketViolation(code: .protocolError, message: message)
  }
}

/// An incremental validation of UTF-8 (RFC 3629 §4), independent of how the bytes are split.
///
/// It fails at the first byte that cannot continue valid text, so that a connection fails there and not at the end of
/// the message.
package struct UTF8Validation: Sendable {
  /// The number of bytes missing from the current character.
  private var missing = 0
  /// The valid range of the next byte.
  private var allowed: ClosedRange<UInt8> = 0x80...0xBF

  /// Creates a validation at the beginning of a text.
  package init() {}

  /// Whether the bytes end with a complete character.
  package var isComplete: Bool { missing == 0 }

  /// Validates more bytes, up to the first that is invalid.
  ///
  /// - Parameter start: The position in `bytes` at which they begin; they extend to its end.
  /// - Returns: Whether the bytes so far are a prefix of valid text.
  package mutating func accept(_ bytes: [UInt8], from start: Int) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var position = start
      while position < buffer.count {
        if missing == 0, buffer.count - position >= 8,
          buffer.loadUnaligned(fromByteOffset: position, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
        {
          position += 8
          continue
        }
        guard accept(buffer[position]) else { return false }
        position += 1
      }
      return true
    }
  }

  private mutating func accept(_ byte: UInt8) -> Bool {
    guard missing == 0 else {
      guard allowed.contains(byte) else { return false }
      allowed = 0x80...0xBF
      missing -= 1
      return true
    }
    switch byte {
    case 0x00...0x7F: return true
    case 0xC2...0xDF: missing = 1
    case 0xE0: (missing, allowed) = (2, 0xA0...0xBF)
    case 0xED: (missing, allowed) = (2, 0x80...0x9F)
    case 0xE1...0xEF: missing = 2
    case 0xF0: (missing, allowed) = (3, 0x90...0xBF)
    case 0xF1...0xF3: missing = 3
    case 0xF4: (missing, allowed) = (3, 0x80...0x8F)
    default: return false
    }
    return true
  }
}
