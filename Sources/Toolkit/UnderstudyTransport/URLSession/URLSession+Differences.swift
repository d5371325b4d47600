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
