import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLSession {
  /// The handler of a response's disposition.
  ///
  /// The platforms declare this parameter of a delegate's method differently, and a method that does not match is never
  /// called.
  #if canImport(Darwin)
    typealias DispositionHandler = @Sendable (URLSession.ResponseDisposition) -> Void
  #else
    typealias DispositionHandler = (URLSession.ResponseDisposition) -> Void
  #endif
}

extension URLSession {
  /// Whether a GET request may have a body, which RFC 9110 §9.3.1 leaves to the implementation.
  ///
  /// Since iOS 13, Apple's platforms end such a task with the code of a response that is too large (-1103).
  static var sendsBodiesOfGet: Bool {
    #if canImport(Darwin)
      false
    #else
      true
    #endif
  }
}

extension URLSessionTask {
  /// The maximum number of unread bytes before a task is suspended; `nil` if it is never suspended.
  ///
  /// On Linux a suspended task restarts the whole request, and times out in the meantime.
  static var unreadBytesBeforeSuspension: Int? {
    #if canImport(Darwin)
      1 << 20
    #else
      nil
    #endif
  }
}

extension URLRequest {
  /// The same request, whose response a session passes on as it arrives.
  ///
  /// On Apple's platforms, a session otherwise waits for the end or the first 512 bytes of a body without a type or of
  /// text/plain or text/html, to find out its type (Apple's forum 64875). The property is the one that Apple's own client
  /// sets (apple/swift-http-api-proposal, `URLSessionHTTPClient`).
  var withoutSniffing: URLRequest {
    #if canImport(Darwin)
      guard let request = (self as NSURLRequest).mutableCopy() as? NSMutableURLRequest else { return self }
      URLProtocol.setProperty(false, forKey: "_kCFURLConnectionPropertyShouldSniff", in: request)
      return request as URLRequest
    #else
      return self
    #endif
  }
}
