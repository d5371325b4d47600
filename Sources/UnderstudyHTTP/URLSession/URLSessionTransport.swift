package import Understudy

#if canImport(FoundationNetworking)
  import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// Carries requests, and opens WebSockets, over the network with a URLSession of its own.
///
/// An app hands it to every service, also to those that ask for `some HTTPTransport & WebSocketTransport`.
///
/// - The head is there before the body; the chunks of the body come as they arrive.
/// - A cancelled task, and a reader that leaves the body early, cancel the URLSession task.
/// - Redirects are followed as the platform does, unless it was made to bring them back as responses. The
///   platform's proxies are used.
/// - A body with `Content-Encoding` arrives decoded; its fields are those of the wire, `Content-Length` too.
/// - Fields come by name, because Foundation forgets their order. It joins lines of one name with commas; cookies are
///   put apart again. Of lines whose names differ by case alone, Foundation on Linux keeps one.
/// - `request.timeout` is rounded up to whole seconds, one at least. `nil` stands for 23 days, because
///   no platform waits for ever; Apple's also end any exchange after `timeoutIntervalForResource`.
/// - Apple's platforms hold the sender back when the reader lags by more than 1 MiB. URLSession on Linux
///   cannot (a suspended task gives up its connection and asks again), so there what nobody has read yet
///   stays in memory.
/// - A 401 is an answer on every platform, also one that asks for a password.
/// - A connection that ends in the middle of the head stops the whole process on Linux, inside Foundation
///   ("Transfer completed, but there's no response"); nothing outside it can prevent that.
public final class URLSessionTransport: HTTPTransport {
  /// How the backend writes its refusals.
  public let errorStyle: HTTPErrorStyle
  let session: URLSession
  let delegate: URLSessionExchanges
  #if !canImport(Darwin)
    /// What opens WebSockets, which URLSession cannot do here; `UnderstudyServer` puts it in place.
    package let sockets = Locked<(any Sendable)?>(nil)
  #endif

  /// A transport that keeps nothing: no cookies, no cache, no credentials.
  ///
  /// - Parameters:
  ///   - followsRedirects: Whether a redirect is followed, or is the response.
  ///   - errorStyle: How the backend writes its refusals, for faults that are injected before the transport.
  public convenience init(followsRedirects: Bool = true, errorStyle: HTTPErrorStyle = .problemDetails) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.urlCredentialStorage = nil
    self.init(configuration: configuration, followsRedirects: followsRedirects, errorStyle: errorStyle)
  }

  /// A transport whose session is set up by the app, for instance for a proxy, a cache or cookies.
  ///
  /// - Parameters:
  ///   - configuration: What `URLSession` copies; later changes have no effect. Its `timeoutIntervalForRequest` is not
  ///     used, because each request brings its own time-out.
  ///   - followsRedirects: Whether a redirect is followed, or is the response.
  ///   - errorStyle: How the backend writes its refusals, for faults that are injected before the transport.
  public init(
    configuration: URLSessionConfiguration, followsRedirects: Bool = true,
    errorStyle: HTTPErrorStyle = .problemDetails
  ) {
    self.errorStyle = errorStyle
    delegate = URLSessionExchanges(followsRedirects: followsRedirects)
    session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
  }

  /// A session holds its delegate until it is told to let go; bodies that are being read come to their end.
  deinit {
    session.finishTasksAndInvalidate()
  }

  /// Sends the request and returns once the head of the response is there.
  ///
  /// A request that is not for an absolute http or https URL is `.invalidRequest`. Of one whose task has been
  /// cancelled before, nothing reaches the network.
  public func send(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
    try request.checkTarget()
    if Task.isCancelled { throw TransportError(.cancelled, "The request was cancelled before it was sent.") }
    let exchange = delegate.start(session.dataTask(with: URLRequest(request)))
    do {
      return try await exchange.response()
    } catch {
      throw TransportError(wrapping: error)
    }
  }
}

extension URLRequest {
  /// The same request as Foundation has it.
  init(_ request: HTTP.Request) {
    self.init(url: request.url)
    httpMethod = request.method.rawValue
    httpBody = request.body
    timeoutInterval = Self.wholeSeconds(of: request.timeout)
    for field in request.fields { addValue(field.value, forHTTPHeaderField: field.name) }
  }

  /// The time-out as URLSession can bear it.
  ///
  /// URLSession on Linux crashes on `.infinity` and lets anything below a second fire at once. The longest is
  /// 23 days, whose milliseconds fit into 32 bits.
  static func wholeSeconds(of timeout: Duration?) -> TimeInterval {
    let longest: TimeInterval = 2_000_000
    guard let timeout else { return longest }
    return min(max(1, (timeout / .seconds(1)).rounded(.up)), longest)
  }
}
