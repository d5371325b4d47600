extension WebSocketClosure.Code {
  /// Whether a close frame may contain the code (RFC 6455 §7.4, and the codes registered with IANA since).
  package var mayBeSent: Bool {
    switch rawValue {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }
}

extension WebSocketClosure {
  /// The closure as the peer receives it.
  ///
  /// A code that must not be sent is omitted, and a reason that does not fit into a control frame is truncated.
  package var asSent: WebSocketClosure {
    guard code.mayBeSent else { return WebSocketClosure(.noStatus) }
    guard reason.utf8.count > 123 else { return self }
    var cut = ""
    var size = 0
    for character in reason {
      size += character.utf8.count
      guard size <= 123 else { break }
      cut.append(character)
    }
    return WebSocketClosure(code, cut)
  }

  /// The payload of the close frame (RFC 6455 §5.5.1).
  package var payload: [UInt8] {
    let closure = asSent
    guard closure.code != .noStatus else { return [] }
    let number = closure.code.rawValue
    return [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)] + closure.reason.utf8
  }

  /// Parses the payload of a close frame.
  package init(payload: [UInt8]) throws(WebSocketViolation) {
    guard payload.count != 1 else {
      throw .breaksProtocol("The payload of a close frame must not be one byte.")
    }
    guard payload.count >= 2 else {
      self.init(.noStatus)
      return
    }
    let code = Code(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1]))
    guard code.mayBeSent else {
      throw .breaksProtocol("A close frame must not have the code \(code.rawValue).")
    }
    var validation = UTF8Validation()
    guard validation.accept(payload, from: 2), validation.isComplete else {
      throw WebSocketViolation(
        code: .invalidPayload, message: "The reason of a close frame is not valid UTF-8.")
    }
    self.init(code, String(decoding: payload.dropFirst(2), as: UTF8.self))
  }
}
