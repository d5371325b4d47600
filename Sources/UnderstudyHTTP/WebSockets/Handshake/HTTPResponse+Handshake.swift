import Foundation

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
