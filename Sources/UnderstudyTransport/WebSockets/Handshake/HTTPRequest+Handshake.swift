import Foundation

extension HTTPRequest {
  /// Whether the client asks for a WebSocket (RFC 6455 §4.2.1).
  package var asksForWebSocket: Bool {
    method == .get && fields.values(of: "Upgrade").hasToken("websocket")
      && fields.values(of: "Connection").hasToken("upgrade")
  }

  /// The request with the fields of an opening handshake, for an `http` or `https` URL.
  ///
  /// - Parameter key: 16 bytes in Base64 (RFC 6455 §4.1).
  /// - Throws: `.invalidRequest` if it is no GET without a body to an absolute URL.
  package func asWebSocketHandshake(key: String) throws(TransportError) -> HTTPRequest {
    guard method == .get, body == nil else {
      throw TransportError(.invalidRequest, "A WebSocket is opened with a GET without a body.")
    }
    var request = self
    if let scheme = url.scheme?.lowercased(), ["ws", "wss"].contains(scheme),
      var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
    {
      components.scheme = scheme == "ws" ? "http" : "https"
      request.url = components.url ?? url
    }
    try request.checkTarget()
    request.fields["Upgrade"] = "websocket"
    request.fields["Connection"] = "Upgrade"
    request.fields["Sec-WebSocket-Version"] = "13"
    request.fields["Sec-WebSocket-Key"] = key
    return request
  }

  /// Refuses a subprotocol that the client has not offered (RFC 6455 §4.1).
  package func checkSubprotocol(_ chosen: String?) throws(TransportError) {
    guard let chosen else { return }
    guard fields.values(of: "Sec-WebSocket-Protocol").hasToken(chosen, ignoringCase: false) else {
      throw TransportError(
        .unreadableResponse, "The server chose the subprotocol \"\(chosen)\", which was not offered.")
    }
  }
}

extension TransportError {
  /// A server answered with something else than a WebSocket.
  package static func refusingWebSocket(_ status: Int, _ fields: HTTPFields) -> TransportError {
    TransportError(
      .webSocketRefused, "The server answered \(status) in place of a WebSocket.",
      cause: WebSocketRefusal(status: status, fields: fields))
  }
}

extension [String] {
  /// Whether one of these lists, separated by commas, holds a token (RFC 9110 §5.6.1).
  fileprivate func hasToken(_ token: String, ignoringCase: Bool = true) -> Bool {
    contains { list in
      list.split(separator: ",").contains { element in
        let element = element.trimmingCharacters(in: .whitespaces)
        return ignoringCase ? element.lowercased() == token.lowercased() : element == token
      }
    }
  }
}
