import Understudy

#if canImport(FoundationNetworking)
  import Dispatch
  import Foundation
  package import FoundationNetworking
#else
  package import Foundation
  import ObjectiveC
#endif

/// The interception of requests of `URLSession.shared`, and of sessions that an app makes itself.
///
/// It applies to
///
/// - `URLSession.shared`;
/// - on Apple platforms, sessions whose configuration is created from `.default` or `.ephemeral` after the installation.
///
/// On Linux, a registered class is used only if a configuration has none for the scheme, and each has one for HTTP. The
/// requests of a session whose configuration is created from `.default` after the installation, and keeps its cache, are
/// refused there; other sessions, such as ephemeral ones, cannot be observed.
///
/// A `URLSessionTransport` and a configuration `.over(_:)` are exempt.
package enum SessionInterception {
  /// The rules of the interception.
  package struct Rules: Sendable {
    let context: @Sendable () -> any Sendable
    let transport: @Sendable (URLRequest, any Sendable) -> (any HTTPTransport)?
    let refusal: @Sendable (URLRequest, any Sendable) -> Void

    /// Creates rules.
    ///
    /// - Parameters:
    ///   - context: Returns what is known about the current task, which on Linux is the one that starts the request.
    ///   - transport: Returns the transport for a request in a context; `nil` if the session sends it itself.
    ///   - refusal: Receives a request that cannot be sent by its transport, and is cancelled.
    package init(
      context: @escaping @Sendable () -> any Sendable,
      transport: @escaping @Sendable (URLRequest, any Sendable) -> (any HTTPTransport)?,
      refusal: @escaping @Sendable (URLRequest, any Sendable) -> Void
    ) {
      self.context = context
      self.transport = transport
      self.refusal = refusal
    }
  }

  private static let rules = Locked<Rules?>(nil)

  /// Installs the interception, for the lifetime of the process.
  package static func install(_ new: Rules) {
    rules.withLock { $0 = new }
    platform
  }

  static var context: (any Sendable)? { rules.withLock { $0 }?.context() }

  static func transport(for request: URLRequest, in context: (any Sendable)?) -> (any HTTPTransport)? {
    guard let rules = rules.withLock({ $0 }), let context else { return nil }
    return rules.transport(request, context)
  }

  static func refuse(_ request: URLRequest) {
    if let rules = rules.withLock({ $0 }) { rules.refusal(request, rules.context()) }
  }

  #if canImport(FoundationNetworking)
    /// Changes the configuration of the shared session, and the cache of configurations that are created from now on.
    private static let platform: Void = {
      UnstartedTask.prepare()
      let cache = InterceptingCache(around: .shared)
      // On Linux it is not a copy.
      let shared = URLSession.shared.configuration
      shared.protocolClasses = [InterceptingProtocol.self] + (shared.protocolClasses ?? [])
      shared.urlCache = cache
      URLCache.shared = cache
    }()
  #else
    /// Registers the protocol for the shared session, and adds it to configurations that are created from now on.
    private static let platform: Void = {
      URLProtocol.registerClass(InterceptingProtocol.self)
      URLSessionConfiguration.exchange(
        #selector(getter: URLSessionConfiguration.default),
        #selector(URLSessionConfiguration.interceptedDefault))
      URLSessionConfiguration.exchange(
        #selector(getter: URLSessionConfiguration.ephemeral),
        #selector(URLSessionConfiguration.interceptedEphemeral))
    }()
  #endif
}

/// A URLProtocol that sends the intercepted requests to their transports.
final class InterceptingProtocol: TransportProtocol, SessionInterceptor {
  /// On Linux, a protocol is created in the task that starts the request.
  private let context = SessionInterception.context

  override class func canInit(with request: URLRequest) -> Bool {
    SessionInterception.transport(for: request, in: SessionInterception.context) != nil
  }

  override var content: URLProtocolSlot.Content? {
    SessionInterception.transport(for: request, in: context).map { .init(transport: $0, fields: [:]) }
  }
}

#if canImport(FoundationNetworking)
  /// A cache that refuses the requests of sessions without the protocol, which ask it before they send a request.
  private final class InterceptingCache: URLCache, CacheReplacement, @unchecked Sendable {
    let original: URLCache

    init(around original: URLCache) {
      self.original = original
      super.init(memoryCapacity: original.memoryCapacity, diskCapacity: 0, diskPath: nil)
    }

    override func getCachedResponse(
      for dataTask: URLSessionDataTask, completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
      guard let request = dataTask.originalRequest,
        SessionInterception.transport(for: request, in: SessionInterception.context) != nil
      else {
        return super.getCachedResponse(for: dataTask, completionHandler: completionHandler)
      }
      let classes = dataTask.reflectedSession?.configuration.protocolClasses ?? []
      if classes.contains(where: { $0 == InterceptingProtocol.self }) {
        // At once, so that the protocol is created in the task that starts the request.
        return completionHandler(nil)
      }
      SessionInterception.refuse(request)
      // Without an answer of the cache, the session creates no protocol, and therefore sends nothing. Another protocol
      // ends the task instead, on the task's queue, where the session looks up a task without a race.
      (dataTask.reflectedQueue ?? .global()).async {
        let ending = URLProtocol(task: dataTask, cachedResponse: nil, client: nil)
        let error = URLError(
          .cancelled, for: request.url, "A recording refused the request. Nothing was sent.")
        ending.client?.urlProtocol(ending, didFailWithError: error)
      }
    }
  }
#else
  extension URLSessionConfiguration {
    fileprivate static func exchange(_ one: Selector, _ other: Selector) {
      guard let one = class_getClassMethod(self, one), let other = class_getClassMethod(self, other) else {
        return
      }
      method_exchangeImplementations(one, other)
    }

    // After the exchange, each calls the original.
    @objc dynamic fileprivate class func interceptedDefault() -> URLSessionConfiguration {
      interceptedDefault().intercepted
    }

    @objc dynamic fileprivate class func interceptedEphemeral() -> URLSessionConfiguration {
      interceptedEphemeral().intercepted
    }

    private var intercepted: URLSessionConfiguration {
      protocolClasses = [InterceptingProtocol.self] + (protocolClasses ?? [])
      return self
    }
  }
#endif
