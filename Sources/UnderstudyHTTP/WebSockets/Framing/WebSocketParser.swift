import Foundation

/// Reads what a peer sends (RFC 6455 §5), however its bytes are cut.
///
/// It keeps no more than the message that has begun, and never makes room for a length that is only announced.
package struct WebSocketParser: Sendable {
  /// How much is borne, in bytes.
  package struct Limits: Sendable, Hashable {
    /// Of a message, all its fragments together.
    package var message: Int
    /// Of one frame.
    package var frame: Int

    /// Limits; a frame may be as long as a message unless said otherwise.
    package init(message: Int = 16 << 20, frame: Int = .max) {
      self.message = message
      self.frame = frame
    }
  }

  /// What has come.
  package enum Event: Hashable, Sendable {
    /// A whole message.
    case message(WebSocketMessage)
    /// A ping, which wants the same bytes back.
    case ping([UInt8])
    /// A pong, asked for or not.
    case pong([UInt8])
    /// Goodbye; what follows it means nothing.
    case close(WebSocketClosure)
    /// A rule is broken; what follows cannot be read.
    case violation(WebSocketViolation)
  }

  /// Who reads.
  package let role: WebSocketRole
  /// How much is borne.
  package let limits: Limits

  /// The header that has begun.
  private var header: [UInt8] = []
  /// The frame whose payload is coming, and how much of it is still to come.
  private var frame: (header: WebSocketFrameHeader, missing: Int)?
  /// The payload of the control frame that has begun.
  private var control: [UInt8] = []
  /// The message that has begun.
  private var message: [UInt8] = []
  private var kind: WebSocketOpcode?
  private var text = UTF8Validation()
  /// Whether nothing more is read.
  package private(set) var isOver = false

  /// How many bytes are kept of what has come.
  package var heldByteCount: Int { header.count + control.count + message.count }

  /// A reader of what comes after the handshake.
  package init(_ role: WebSocketRole, limits: Limits = Limits()) {
    self.role = role
    self.limits = limits
  }

  /// Takes the next bytes and tells what they complete.
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
      isOver = true
      events.append(.violation(error))
    }
    return events
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

  /// Refuses a frame that cannot come here.
  private mutating func begin(_ frame: WebSocketFrameHeader) throws(WebSocketViolation) {
    guard !frame.opcode.isControl else { return }
    switch (frame.opcode, kind) {
    case (.continuation, nil): throw .breaksProtocol("There is no message to go on with.")
    case (.continuation, _): break
    case (_, .some): throw .breaksProtocol("A message began before the last one had ended.")
    case (let opcode, nil): kind = opcode
    }
    guard frame.length <= limits.frame else {
      throw WebSocketViolation(
        code: .messageTooBig, message: "A frame is longer than the \(limits.frame) bytes that are borne.")
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
    code: .invalidPayload, message: "A message of text is not UTF-8.")
}

extension WebSocketViolation {
  static func tooBig(_ limit: Int) -> WebSocketViolation {
    WebSocketViolation(
      code: .messageTooBig, message: "A message is longer than the \(limit) bytes that are borne.")
  }
}
