#if canImport(FoundationNetworking)
  import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// A transport that sends requests and opens WebSockets over the network, with its own URLSession.
///
/// An app passes it to every service. It also opens WebSockets, so it is a `WebSocketTransport`; on Linux, where URLSession
/// has none, this conformance is in UnderstudyServer.
///
/// - The head is returned before the body; the chunks of the body are delivered as they arrive.
/// - A cancelled task, and a reader that stops reading the body, cancel the URLSession task.
/// - Redirects are followed as the platform does, unless the transport is created to return them as responses. The
///   platform's proxies are used.
/// - A body with `Content-Encoding` is decoded; its fields, including `Content-Length`, are those on the wire.
/// - Fields are sorted by name, because Foundation does not preserve their order. It joins lines of the same name with
///   commas; cookies are split again. Of lines whose names differ only in case, Foundation on Linux keeps one.
/// - `request.timeout` is rounded up to whole seconds, at least one. `nil` is replaced by 23 days, because no platform
///   supports an unlimited timeout. Apple platforms also end an exchange after `timeoutIntervalForResource`.
/// - On Apple platforms, a reader that lags by more than 1 MiB applies back-pressure to the sender. URLSession on Linux
///   does not support this, because a suspended task closes its connection and repeats the request. Unread chunks there
///   stay in memory.
/// - A 401 is an answer on every platform, including one with a challenge. So is a redirect without a usable
///   `Location`; on Linux, its body cannot be read if the session's configuration has a cache or additional protocol
///   classes.
/// - On Linux, a connection that ends in the middle of the head crashes the process inside Foundation ("Transfer
///   completed, but there's no response"). Code outside of Foundation cannot prevent this.
public final class URLSessionTransport: HTTPTransport {
  let session: URLSession
  let delegate: URLSessionExchanges
  private let sockets = Guarded<(any Sendable)?>(nil)

  /// Creates a transport without cookies, a cache or credentials.
  ///
  /// - Parameter followsRedirects: Whether redirects are followed; otherwise a redirect is returned as the response.
  public convenience init(followsRedirects: Bool = true) {
    self.init(followsRedirects: followsRedirects, usesProxies: true)
  }

  /// Creates a transport without cookies, a cache or credentials.
  ///
  /// - Parameter usesProxies: Whether the proxies of the system apply; on Linux, those of the environment always do.
  package convenience init(followsRedirects: Bool, usesProxies: Bool) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.urlCredentialStorage = nil
    if !usesProxies { configuration.connectionProxyDictionary = [:] }
    self.init(configuration: configuration, followsRedirects: followsRedirects)
  }

  /// Creates a transport with a session configuration, for instance for a proxy, a cache or cookies.
  ///
  /// - Parameters:
  ///   - configuration: The configuration, which `URLSession` copies; later changes have no effect. Its
  ///     `timeoutIntervalForRequest` is ignored, because each request has its own timeout.
  ///   - followsRedirects: Whether redirects are followed; otherwise a redirect is returned as the response.
  public init(configuration: URLSessionConfiguration, followsRedirects: Bool = true) {
    delegate = URLSessionExchanges(followsRedirects: followsRedirects)
    let configuration = configuration.withoutInterception
    #if canImport(FoundationNetworking)
      session = URLSession(
        configuration: configuration.withLoaderWitness, delegate: delegate, delegateQueue: nil)
    #else
      session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    #endif
  }

  /// What opens WebSockets where URLSession cannot, made by `UnderstudyServer` at the first call.
  package func sockets<Sockets: Sendable>(_ make: () -> Sockets) -> Sockets {
    sockets.withLock { sockets in
      if let sockets = sockets as? Sockets { return sockets }
      let made = make()
      sockets = made
      return made
    }
  }

  /// A session retains its delegate until it is invalidated.
  ///
  /// Bodies that are being read are completed first.
  deinit {
    session.finishTasksAndInvalidate()
  }

  /// Sends a request, and returns when the head of the response has arrived.
  ///
  /// - Throws: `TransportError`; `.invalidRequest` if the URL is not an absolute http or https URL, and on Apple platforms
  ///   for a GET request with a body; `.cancelled`
  ///   without network access if the task is already cancelled.
  public func send(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
    try request.checkTarget()
    if !URLSession.sendsBodiesOfGet, request.method == .get, request.body?.isEmpty == false {
      throw TransportError(
        .invalidRequest,
        "URLSession on Apple's platforms sends no GET request with a body. Send it without one.")
    }
    if Task.isCancelled { throw TransportError(.cancelled, "The request was cancelled before it was sent.") }
    let exchange = delegate.start(session.dataTask(with: URLRequest(request).withoutSniffing))
    do {
      return try await exchange.response()
    } catch {
      throw TransportError(wrapping: error)
    }
  }
}

/// A protocol class that a test toolkit adds to the configuration of sessions, and that a transport removes from its own.
package protocol SessionInterceptor: AnyObject {}

/// A cache that a test toolkit sets in the configuration of sessions, and that a transport replaces by the original.
package protocol CacheReplacement: AnyObject {
  /// The cache that the configuration had.
  var original: URLCache { get }
}

extension URLSessionConfiguration {
  /// A copy whose sessions are not intercepted.
  package var withoutInterception: URLSessionConfiguration {
    guard let copy = copy() as? URLSessionConfiguration else { return self }
    copy.protocolClasses?.removeAll { $0 is any SessionInterceptor.Type }
    if let cache = copy.urlCache as? any CacheReplacement { copy.urlCache = cache.original }
    return copy
  }
}

extension URLRequest {
  /// Creates the same request for Foundation.
  init(_ request: HTTP.Request) {
    self.init(url: request.url)
    httpMethod = request.method.rawValue
    httpBody = request.body
    timeoutInterval = Self.wholeSeconds(of: request.timeout)
    // URLSession chooses the framing of a body itself.
    for field in request.fields
    where !["content-length", "transfer-encoding"].contains(field.name.lowercased()) {
      addValue(field.value, forHTTPHeaderField: field.name)
    }
  }

  /// The timeout in the form that URLSession supports.
  ///
  /// URLSession on Linux crashes on `.infinity`, and a timeout below one second fires at once. The maximum is 23 days,
  /// whose milliseconds fit into 32 bits.
  static func wholeSeconds(of timeout: Duration?) -> TimeInterval {
    let longest: TimeInterval = 2_000_000
    guard let timeout else { return longest }
    return min(max(1, (timeout / .seconds(1)).rounded(.up)), longest)
  }
}
