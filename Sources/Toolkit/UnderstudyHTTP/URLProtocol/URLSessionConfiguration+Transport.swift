#if canImport(FoundationNetworking)
  import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

extension URLSessionConfiguration {
  /// A configuration whose sessions send their requests through a transport, for code that requires a `URLSession`.
  ///
  /// ```swift
  /// let session = URLSession(configuration: .over(InProcessTransport(to: backend)))
  /// let client = SomeAPIClient(session: session)
  /// ```
  ///
  /// Only the transport can reach the network. Configurations share no state, and their number is not limited; the
  /// sessions of one configuration share its transport. A transport is released with the last session and configuration
  /// that use it. On Apple platforms, a session must be invalidated first.
  ///
  /// - Every status is a response: a redirect is not followed, and a 401 is not a challenge.
  /// - A `TransportError` becomes the corresponding `URLError`, with the original error under `NSUnderlyingErrorKey`.
  /// - Cancelling a session task cancels the transport's task.
  /// - The transport receives the request's `timeoutInterval` and must apply it: on Linux the session does not, and it
  ///   ignores `timeoutIntervalForResource`.
  /// - Bodies are read completely before a request is sent. A stream without available bytes blocks a thread.
  /// - Fields with several lines are joined with commas, because `HTTPURLResponse` has one value for each name.
  ///
  /// On Linux in addition:
  ///
  /// - A response stays in memory until its task has ended, and a suspended task starts again from the beginning.
  /// - A Swift task that is cancelled at the moment at which its `data(for:)` ends can block inside Foundation, with every
  ///   kind of session.
  /// - A download, a WebSocket, and an upload whose body is provided by a delegate fail at once with `unsupportedURL`,
  ///   because no URLProtocol can serve them there. On Apple platforms, WebSockets bypass every URLProtocol.
  /// - The URL of a 401 with a Basic or Digest challenge has its scheme in upper case, because Foundation would
  ///   otherwise handle the challenge and then use the network.
  ///
  /// - Parameters:
  ///   - transport: The transport that sends the requests.
  ///   - base: Further settings of the sessions. `httpAdditionalHeaders` must be set here, not later. Its protocol
  ///     classes, cache and proxies are ignored.
  public static func over(
    _ transport: any HTTPTransport, basedOn base: URLSessionConfiguration = .ephemeral
  ) -> URLSessionConfiguration {
    let configuration = base.copy() as? URLSessionConfiguration ?? .ephemeral
    let fields = (base.httpAdditionalHeaders ?? [:]).compactMap { name, value in
      (name as? String).map { HTTP.Fields.Field(name: $0, value: "\(value)") }
    }
    let slot = URLProtocolSlot(.init(transport: transport, fields: HTTP.Fields(fields)))
    configuration.protocolClasses = [slot.protocolClass]
    configuration.urlCache = nil
    if sessionsRetainProxies {
      // A session and every copy retain the values in this dictionary, and nothing else reads it, because there are no
      // connections that could use a proxy. The slot is therefore released with the last of them.
      configuration.connectionProxyDictionary = ["org.understudy.slot": slot]
    } else {
      // Never released: a slot without a content would refuse the requests of its session.
      _ = Unmanaged.passRetained(slot)
    }
    return configuration
  }

  /// Whether sessions retain all values of the dictionary of proxies, and not only those that they know.
  ///
  /// They do on Linux. On Apple platforms this is asked at the first use, because no documentation says it.
  private static let sessionsRetainProxies: Bool = {
    #if canImport(FoundationNetworking)
      true
    #else
      final class Value: Sendable {}
      weak var value: Value?
      let session: URLSession = {
        let (configuration, retained) = (URLSessionConfiguration.ephemeral, Value())
        value = retained
        configuration.connectionProxyDictionary = ["org.understudy.slot": retained]
        return URLSession(configuration: configuration)
      }()
      defer { session.invalidateAndCancel() }
      return value != nil
    #endif
  }()
}
