import Foundation

extension ReverseProxy {
  /// The request for the upstream.
  func forwarded(_ request: HTTP.Request) -> HTTP.Request {
    var fields = request.fields.withoutHopByHop
    // The transport sets the host and the expectation of a 100; the encoding concerns only this connection.
    for name in ["Host", "Expect", "Accept-Encoding"] { fields[name] = nil }
    // The framing of an upload is part of what the client sent, and is recorded; a transport may choose another one.
    if request.body == nil {
      fields["Content-Length"] = nil
    } else if fields["Content-Length"] == nil {
      fields["Transfer-Encoding"] = request.fields["Transfer-Encoding"]
    }
    for name in ["Sec-WebSocket-Key", "Sec-WebSocket-Version", "Sec-WebSocket-Extensions"] {
      fields[name] = nil
    }
    if !request.asksForWebSocket { fields["Accept-Encoding"] = "identity" }
    return HTTP.Request(
      request.method, scope.upstreamURL(for: request.url), fields: fields, body: request.body,
      timeout: timeout)
  }

  /// The response for the client.
  func passedBack(_ response: HTTP.Response, from forwarded: HTTP.Request, to request: HTTP.Request)
    -> HTTP.Response
  {
    var response = response
    response.fields = passedBack(response.fields, from: forwarded, to: request)
    let codings = (response.fields["Content-Encoding"] ?? "").lowercased()
      .split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    let isDecoded = codings.allSatisfy { ["gzip", "x-gzip", "deflate", "br", "identity"].contains($0) }
    if request.method != .head, !codings.isEmpty, isDecoded {
      response.fields["Content-Encoding"] = nil
      if codings != ["identity"] { response.fields["Content-Length"] = nil }
    }
    return response
  }

  func passedBack(_ fields: HTTP.Fields, from forwarded: HTTP.Request, to request: HTTP.Request)
    -> HTTP.Fields
  {
    scope.visible(fields.withoutHopByHop, from: forwarded.url, to: request.url)
  }

  private var scope: ProxyScope { ProxyScope(upstream: upstream) }
}

extension HTTP.Fields {
  /// The fields without those for a single connection (RFC 9110 §7.6.1).
  var withoutHopByHop: HTTP.Fields {
    var names: Set<String> = [
      "connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade", "proxy-connection",
      "proxy-authenticate", "proxy-authorization", "proxy-authentication-info",
    ]
    for list in values(of: "Connection") {
      for name in list.split(separator: ",") {
        names.insert(name.trimmingCharacters(in: .whitespaces).lowercased())
      }
    }
    return HTTP.Fields(filter { !names.contains($0.name.lowercased()) })
  }
}
