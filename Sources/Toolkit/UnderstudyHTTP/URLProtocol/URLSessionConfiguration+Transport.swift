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
  /// sessions of one configuration share its transport. On Linux, a transport is released with the last session and
  /// configuration that use it; on Apple platforms, it stays until the process ends.
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
    #if canImport(FoundationNetworking)
      // A session and every copy retain the values in this dictionary, and nothing else reads it, because there are no
      // connections that could use a proxy. The slot is therefore released with the last of them.
      configuration.connectionProxyDictionary = ["org.understudy.slot": slot]
    #else
      // Never released: a session of Apple's may copy only those values of that dictionary that it knows, and a slot that
      // is free would lead the requests of a session to the transport of another one. `.ci/first-mac` shows it.
      _ = Unmanaged.passRetained(slot)
    #endif
    return configuration
  }
}
