import Foundation
import UnderstudyHTTP

/// A handler that forwards each request to the host of its URL, and records it unless its host is excepted.
struct ForwardProxy: HTTPHandler {
  private let recorder: any HTTPTransport
  private let passthroughHosts: Set<String>
  private let transport: any HTTPTransport

  /// - Parameters:
  ///   - recorder: The transport that records.
  ///   - hosts: The hosts whose exchanges are not recorded.
  ///   - transport: The transport to those hosts.
  init(
    recording recorder: any HTTPTransport, passingThrough hosts: Set<String>,
    over transport: any HTTPTransport
  ) {
    self.recorder = recorder
    passthroughHosts = hosts
    self.transport = transport
  }

  func respond(to request: HTTP.Request) async throws -> HTTP.Response {
    guard var origin = URLComponents(url: request.url, resolvingAgainstBaseURL: true) else {
      return HTTP.Response(status: 400)
    }
    let host = (origin.host ?? "").trimmingCharacters(in: ["[", "]"]).lowercased()
    (origin.percentEncodedPath, origin.percentEncodedQuery, origin.fragment) = ("", nil, nil)
    guard let upstream = origin.url else { return HTTP.Response(status: 400) }
    let isExcepted = passthroughHosts.contains(host)
    return try await ReverseProxy(to: upstream, over: isExcepted ? transport : recorder).respond(to: request)
  }
}
