import Foundation

extension HTTP.Response {
  /// What a server sends when a handler has agreed to a WebSocket (RFC 6455 §4.2).
  ///
  /// It is the response itself with the fields of the handshake if the request asks for a WebSocket as it must, else
  /// a refusal: 426 without an `Upgrade` or for a version that nobody speaks, 400 for a bad key. Any other
  /// response is returned as it is.
  package func answeringHandshake(of request: HTTP.Request) -> HTTP.Response {
    guard webSocketSession != nil else { return self }
    guard request.asksForWebSocket else {
      return .refusingHandshake(426, "This is a WebSocket: ask with Upgrade: websocket (RFC 6455 §4.1).")
    }
    guard request.fields["Sec-WebSocket-Version"] == "13" else {
      return .refusingHandshake(426, "The one version of WebSockets that is spoken here is 13.")
    }
    guard let key = request.fields["Sec-WebSocket-Key"].flatMap(WebSocketKey.init) else {
      return .refusingHandshake(400, "Sec-WebSocket-Key must be sixteen bytes in Base64.")
    }
    var response = self
    response.body = .empty
    response.fields["Upgrade"] = "websocket"
    response.fields["Connection"] = "Upgrade"
    response.fields["Sec-WebSocket-Accept"] = key.accept
    // None is spoken, so none is agreed on (RFC 6455 §9.1).
    response.fields["Sec-WebSocket-Extensions"] = nil
    return response
  }

  private static func refusingHandshake(_ status: Int, _ message: String) -> HTTP.Response {
    var fields: HTTP.Fields = ["Sec-WebSocket-Version": "13"]
    // A 426 must say what to upgrade to (RFC 9110 §15.5.22).
    if status == 426 {
      fields = ["Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13"]
    }
    return HTTP.Response(
      status: status, fields: fields, body: Data((message + "\n").utf8),
      contentType: "text/plain; charset=utf-8")
  }
}
