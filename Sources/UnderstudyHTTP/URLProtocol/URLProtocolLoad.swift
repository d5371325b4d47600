import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One request of a session that is sent by a transport.
struct URLProtocolLoad: Sendable {
  let request: URLRequest
  let body: RequestBody
  let content: URLProtocolSlot.Content

  /// Sends the request, and sends the resulting events to the line.
  func run(_ line: ClientLine) async {
    do {
      let response = try await content.transport.send(try await requestToSend())
      line.send(.head(try head(of: response)))
      for try await chunk in response.body where !chunk.isEmpty { line.send(.chunk(chunk)) }
      line.send(.end)
    } catch let error as URLError {
      line.send(.failure(error))
    } catch {
      line.send(.failure(URLError(TransportError(wrapping: error), for: request.url)))
    }
  }

  private func requestToSend() async throws -> HTTP.Request {
    guard var sent = HTTP.Request(request) else {
      throw TransportError(.invalidRequest, "The request has no URL.")
    }
    for field in content.fields where sent.fields[field.name] == nil {
      sent.fields.append(name: field.name, value: field.value)
    }
    sent.body = try await body.bytes(of: request)
    return sent
  }

  private func head(of response: HTTP.Response) throws -> HTTPURLResponse {
    var url = request.url ?? URL(fileURLWithPath: "/")
    #if canImport(FoundationNetworking)
      // Foundation would handle it as a challenge, and wait for a password or, with a password, send a request to the
      // network. It does so only if the scheme is in lower case, although schemes are case-insensitive (RFC 3986 §3.1).
      let challenge = response.fields["WWW-Authenticate"]?.lowercased() ?? ""
      if response.status == 401, challenge.contains("basic") || challenge.contains("digest") {
        url = url.withSchemeInCapitals
      }
    #endif
    var fields: [String: String] = [:]
    for field in response.fields
    where !fields.keys.contains(where: { $0.lowercased() == field.name.lowercased() }) {
      fields[field.name] = response.fields[field.name]
    }
    guard
      let head = HTTPURLResponse(
        url: url, statusCode: response.status, httpVersion: "HTTP/1.1", headerFields: fields)
    else {
      throw TransportError(
        .unreadableResponse, "Foundation does not support the status \(response.status).")
    }
    return head
  }
}

extension URL {
  fileprivate var withSchemeInCapitals: URL {
    guard let scheme else { return self }
    return URL(string: scheme.uppercased() + absoluteString.dropFirst(scheme.count)) ?? self
  }
}

extension HTTP.Request {
  /// Creates a request from that of a session, without its body; `nil` if it has no URL.
  init?(_ request: URLRequest) {
    guard let url = request.url else { return nil }
    // Foundation keeps fields in a dictionary, so their order is lost; they are sorted by name here.
    let fields = (request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
    let seconds = request.timeoutInterval
    self.init(
      HTTP.Method(rawValue: request.httpMethod ?? "GET"), url,
      fields: HTTP.Fields(fields.map { .init(name: $0.key, value: $0.value) }),
      // A value of more than thirty years, or NaN, counts as unlimited.
      timeout: seconds < 1e9 ? .seconds(max(0, seconds)) : nil)
  }
}
