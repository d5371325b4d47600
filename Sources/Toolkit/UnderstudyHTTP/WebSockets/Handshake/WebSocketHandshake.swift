import Foundation

extension HTTP.Request {
  /// Whether the client requests a WebSocket (RFC 6455 §4.2.1).
  package var asksForWebSocket: Bool {
    method == .get && fields.hasToken("websocket", in: "Upgrade")
      && fields.hasToken("upgrade", in: "Connection")
  }

  /// The request with the fields of an opening handshake, for an `http` or `https` URL (RFC 6455 §4.1).
  ///
  /// - Throws: The same errors as `forWebSocket()`.
  package func asWebSocketHandshake(key: WebSocketKey) throws(TransportError) -> HTTP.Request {
    var request = try forWebSocket()
    request.fields["Upgrade"] = "websocket"
    request.fields["Connection"] = "Upgrade"
    request.fields["Sec-WebSocket-Version"] = "13"
    request.fields["Sec-WebSocket-Key"] = key.text
    return request
  }

  /// Checks the head of the answer to a handshake (RFC 6455 §4.1).
  ///
  /// - Throws: `.webSocketRefused` if the server did not accept, `.unreadableResponse` if its acceptance is invalid.
  package func checkAgreement(
    _ status: Int, _ answer: HTTP.Fields, key: WebSocketKey
  ) throws(TransportError) {
    guard status == 101 else { throw .refusingWebSocket(status, answer) }
    guard answer.hasToken("websocket", in: "Upgrade"), answer.hasToken("upgrade", in: "Connection") else {
      throw TransportError(
        .unreadableResponse,
        "The server switched to a protocol other than WebSocket. It answered 101 with "
          + "Upgrade: \(answer["Upgrade"] ?? "nothing") and Connection: \(answer["Connection"] ?? "nothing")."
      )
    }
    guard answer["Sec-WebSocket-Accept"] == key.accept else {
      throw TransportError(
        .unreadableResponse,
        "The server did not answer this handshake. Sec-WebSocket-Accept: expected \(key.accept), found "
          + "\(answer["Sec-WebSocket-Accept"] ?? "nothing").")
    }
    guard answer.values(of: "Sec-WebSocket-Extensions").allSatisfy(\.isEmpty) else {
      throw TransportError(
        .unreadableResponse,
        "The server chose an extension, but none was offered: "
          + "\(answer["Sec-WebSocket-Extensions"] ?? "").")
    }
    try checkSubprotocol(answer["Sec-WebSocket-Protocol"])
  }
}

extension HTTP.Response {
  /// The answer of a server whose handler has accepted a WebSocket (RFC 6455 §4.2).
  ///
  /// It is the response with the fields of the handshake if the request is a valid one. Otherwise it is an error: 426
  /// without an `Upgrade` or for an unsupported version, 400 for an invalid key. Any other response is returned
  /// unchanged.
  package func answeringHandshake(of request: HTTP.Request) -> HTTP.Response {
    guard webSocketSession != nil else { return self }
    guard request.asksForWebSocket else {
      return .refusingHandshake(426, "A WebSocket handshake requires Upgrade: websocket (RFC 6455 §4.1).")
    }
    guard request.fields["Sec-WebSocket-Version"] == "13" else {
      return .refusingHandshake(426, "Unsupported WebSocket version. Supported version: 13.")
    }
    guard let key = request.fields["Sec-WebSocket-Key"].flatMap(WebSocketKey.init) else {
      return .refusingHandshake(400, "Sec-WebSocket-Key must be sixteen bytes in Base64.")
    }
    var response = self
    response.body = .empty
    response.fields["Upgrade"] = "websocket"
    response.fields["Connection"] = "Upgrade"
    response.fields["Sec-WebSocket-Accept"] = key.accept
    // Extensions are not supported, so none is negotiated (RFC 6455 §9.1).
    response.fields["Sec-WebSocket-Extensions"] = nil
    return response
  }

  private static func refusingHandshake(_ status: Int, _ message: String) -> HTTP.Response {
    var fields: HTTP.Fields = ["Sec-WebSocket-Version": "13"]
    // A 426 must contain the protocol to upgrade to (RFC 9110 §15.5.22).
    if status == 426 {
      fields = ["Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13"]
    }
    return HTTP.Response(
      status: status, fields: fields, body: Data((message + "\n").utf8),
      contentType: "text/plain; charset=utf-8")
  }
}

/// The key by which a client recognizes the answer to its own handshake (RFC 6455 §4.1).
package struct WebSocketKey: Sendable, Hashable {
  /// Sixteen bytes in Base64.
  package let text: String

  /// Creates a key from sixteen random bytes.
  package init(_ random: () -> UInt32) {
    var bytes = Data()
    for _ in 0..<4 {
      let word = random()
      for shift: UInt32 in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
    }
    text = bytes.base64EncodedString()
  }

  /// Creates a key from the text that a client has sent; `nil` if it is invalid.
  package init?(_ text: String) {
    guard let bytes = Data(base64Encoded: text), bytes.count == 16 else { return nil }
    self.text = text
  }

  /// The server's answer to the key (RFC 6455 §4.2.2).
  package var accept: String {
    Data(SHA1.hash(Array((text + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))).base64EncodedString()
  }
}

/// The hash function SHA-1 (FIPS 180-4 §6.1).
///
/// The WebSocket handshake requires it (RFC 6455 §1.3), to show that the server has read the key. It provides no
/// security, and must not be used for anything else.
enum SHA1 {
  static func hash(_ message: some Sequence<UInt8>) -> [UInt8] {
    var bytes = Array(message)
    let length = UInt64(bytes.count) * 8
    bytes.append(0x80)
    bytes.append(contentsOf: repeatElement(0, count: (120 - bytes.count % 64) % 64))
    withUnsafeBytes(of: length.bigEndian) { bytes.append(contentsOf: $0) }
    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    bytes.withUnsafeBytes { bytes in
      for start in stride(from: 0, to: bytes.count, by: 64) {
        compress(
          (0..<16).map {
            UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: start + 4 * $0, as: UInt32.self))
          }, into: &state)
      }
    }
    return state.flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
  }

  private static func compress(_ block: [UInt32], into state: inout [UInt32]) {
    var schedule = block
    schedule.reserveCapacity(80)
    for index in 16..<80 {
      let word = schedule[index - 3] ^ schedule[index - 8] ^ schedule[index - 14] ^ schedule[index - 16]
      schedule.append(rotate(word, 1))
    }
    var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
    for (round, word) in schedule.enumerated() {
      let (mix, constant): (UInt32, UInt32) =
        switch round {
        case ..<20: ((b & c) ^ (~b & d), 0x5A82_7999)
        case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
        case ..<60: ((b & c) ^ (b & d) ^ (c & d), 0x8F1B_BCDC)
        default: (b ^ c ^ d, 0xCA62_C1D6)
        }
      let next = rotate(a, 5) &+ mix &+ e &+ constant &+ word
      (e, d, c, b, a) = (d, c, rotate(b, 30), a, next)
    }
    for (index, word) in [a, b, c, d, e].enumerated() { state[index] &+= word }
  }

  private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word << count | word >> (32 - count)
  }
}
