#if canImport(FoundationNetworking)
  import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

extension URLSessionConfiguration {
  /// A configuration whose sessions send their requests through a transport, for code that insists on a `URLSession`.
  ///
  /// ```swift
  /// let session = URLSession(configuration: .over(InProcessTransport(to: backend)))
  /// let client = SomeAPIClient(session: session)
  /// ```
  ///
  /// Nothing reaches the network but what the transport sends there. Two configurations share nothing, however many
  /// there are; the sessions that are made of one share its transport. A transport is let go with the last session and
  /// configuration that has it, which at Apple is when the session has been invalidated.
  ///
  /// - Every status is a response: a redirect is not followed, and a 401 is no challenge.
  /// - A `TransportError` becomes the `URLError` that stands for its code, and is in it under `NSUnderlyingErrorKey`.
  /// - A task that is cancelled cancels the transport's.
  /// - The transport is given the request's `timeoutInterval` and has to heed it: on Linux nobody else does, and
  ///   `timeoutIntervalForResource` does not count there.
  /// - Bodies are read whole before a request is sent. A stream that has nothing to read keeps a thread until it has.
  /// - Fields of several lines are joined with commas, because `HTTPURLResponse` has one value for each name.
  ///
  /// On Linux moreover:
  ///
  /// - A response stays in memory until its task has ended, and a task that was suspended begins anew.
  /// - A download, a WebSocket, and an upload whose body a delegate would hand out, fail at once with
  ///   `unsupportedURL`, for no URLProtocol can serve them there. At Apple, WebSockets pass every URLProtocol by.
  /// - The URL of a 401 that asks for a password (Basic, Digest) has its scheme in capitals, because Foundation would
  ///   ask for the password and then the network.
  ///
  /// - Parameters:
  ///   - transport: What sends the requests.
  ///   - base: What else the sessions are set up with; `httpAdditionalHeaders` must stand there, and not be added
  ///     later. Its protocol classes, cache and proxies are left out.
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
    // A session and every copy refer to what stands in here, and nobody looks for it: there are no connections that
    // could have a proxy. So the slot is given back when the last of them goes.
    configuration.connectionProxyDictionary = ["org.understudy.slot": slot]
    return configuration
  }
}
