import Foundation

extension HTTP.Request {
  /// Whether the client requests a WebSocket (RFC 6455 §4.2.1).
  package var asksForWebSocket: Bool {
    method == .get && fields.hasToken("websocket", in: "Upgrade")
      && fields.hasToken("upgrade", in: "Connection")
  }

  /// The request with an `http` or `https` URL, if it is a valid WebSocket handshake.
  ///
  /// - Throws: `.invalidRequest` unless it is a GET without a body to an absolute URL, or if it offers an extension.
  package func forWebSocket() throws(TransportError) -> HTTP.Request {
    guard method == .get, body == nil else {
      throw TransportError(.invalidRequest, "A WebSocket handshake must be a GET request without a body.")
    }
    guard fields["Sec-WebSocket-Extensions"] == nil else {
      throw TransportError(
        .invalidRequest, "WebSocket extensions are not supported. Remove Sec-WebSocket-Extensions.")
    }
    var request = self
    if let scheme = url.scheme?.lowercased(), ["ws", "wss"].contains(scheme),
      var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
    {
      components.scheme = scheme == "ws" ? "http" : "https"
      request.url = components.url ?? url
    }
    try request.checkTarget()
    return request
  }

  /// The request with the fields of an opening handshake, for an `http` or `https` URL (RFC 6455 §4.1).
  ///
  /// - Throws: The same errors as ``forWebSocket()``.
  package func asWebSocketHandshake(key: WebSocketKey) throws(TransportError) -> HTTP.Request {
    var request = try forWebSocket()
    request.fields["Upgrade"] = "websocket"
    request.fields["Connection"] = "Upgrade"
    request.fields["Sec-WebSocket-Version"] = "13"
    request.fields["Sec-WebSocket-Key"] = key.text
    return request
  }

  /// Rejects a subprotocol that the client has not offered (RFC 6455 §4.1).
  package func checkSubprotocol(_ chosen: String?) throws(TransportError) {
    guard let chosen else { return }
    guard fields.hasToken(chosen, in: "Sec-WebSocket-Protocol", ignoringCase: false) else {
      throw TransportError(
        .unreadableResponse, "The server chose the subprotocol \"\(chosen)\", which was not offered.")
    }
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

extension TransportError {
  /// An error for an answer that does not accept the handshake.
  package static func refusingWebSocket(_ status: Int, _ fields: HTTP.Fields) -> TransportError {
    TransportError(
      .webSocketRefused, "The server rejected the WebSocket handshake with the status \(status).",
      cause: WebSocketRefusal(status: status, fields: fields))
  }
}
