public import UnderstudyTransport

// The same member for the two seams that carry requests. On `HeldCall` itself it would be offered for services.

extension Gate.HeldCall where Base: HTTPHandler {
  /// Answers the request in place of the base.
  ///
  /// - Returns: Whether this answered the call; `false` if it had its answer, or was cancelled.
  @discardableResult public func answer(with response: HTTPResponse) -> Bool {
    fail(with: Fault("answered by the test", .handed(Fault.HandedResponse(response))))
  }
}

extension Gate.HeldCall where Base: HTTPTransport {
  /// Answers the request in place of the base.
  ///
  /// - Returns: Whether this answered the call; `false` if it had its answer, or was cancelled.
  @discardableResult public func answer(with response: HTTPResponse) -> Bool {
    fail(with: Fault("answered by the test", .handed(Fault.HandedResponse(response))))
  }
}
