public import Understudy

// The same member for the two injection points with requests. A member of `HeldCall` itself would also be available for
// services.

extension Gate.HeldCall where Base: HTTPHandler {
  /// Answers the request in place of the base.
  ///
  /// - Returns: Whether this answered the call; `false` if it was already answered or cancelled.
  @discardableResult public func answer(with response: HTTP.Response) -> Bool {
    fail(with: Fault(.handed(Fault.HandedAnswer(response))))
  }
}

extension Gate.HeldCall where Base: HTTPTransport {
  /// Answers the request in place of the base.
  ///
  /// - Returns: Whether this answered the call; `false` if it was already answered or cancelled.
  @discardableResult public func answer(with response: HTTP.Response) -> Bool {
    fail(with: Fault(.handed(Fault.HandedAnswer(response))))
  }
}
