import Foundation
import TestSupport
import Testing
import UnderstudyHTTP
import UnderstudyServer

/// A server and its proxy, on separate sockets, until the test ends.
struct ProxiedUpstream {
  let upstream: URL
  let proxy: URL
  let client = URLSessionTransport(followsRedirects: false)

  /// - Parameter path: The path of the upstream.
  init(path: String = "", _ answer: @escaping @Sendable (HTTP.Request) async throws -> HTTP.Response)
    async throws
  {
    let port = try await ServersTrait.start(Handler(answer))
    try await self.init(before: #require(URL(string: "http://127.0.0.1:\(port)\(path)")))
  }

  init(before upstream: URL, over transport: any HTTPTransport = URLSessionTransport(followsRedirects: false))
    async throws
  {
    self.upstream = upstream
    let port = try await ServersTrait.start(ReverseProxy(to: upstream, over: transport))
    proxy = try #require(URL(string: "http://127.0.0.1:\(port)"))
  }

  func request(_ method: HTTP.Method = .get, _ path: String = "/", fields: HTTP.Fields = [:]) throws
    -> HTTP.Request
  {
    HTTP.Request(method, try #require(URL(string: proxy.absoluteString + path)), fields: fields, timeout: nil)
  }

  func send(
    _ method: HTTP.Method = .get, _ path: String = "/", fields: HTTP.Fields = [:], body: Data? = nil
  ) async throws -> HTTP.Response {
    var request = try request(method, path, fields: fields)
    request.body = body
    return try await client.send(request)
  }
}
