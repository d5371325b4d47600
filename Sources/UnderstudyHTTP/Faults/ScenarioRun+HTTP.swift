public import Understudy

extension ScenarioRun {
  /// A transport whose requests are points of the sweep; see `intercepted(_:as:)` of a service.
  public func intercepted<Base: HTTPTransport>(_ base: Base, as name: String) -> Intercepted<Base> {
    intercepted(base, as: name, at: .transport)
  }

  /// A handler whose requests are points of the sweep; see `intercepted(_:as:)` of a service.
  public func intercepted<Base: HTTPHandler>(_ base: Base, as name: String) -> Intercepted<Base> {
    intercepted(base, as: name, at: .handler)
  }
}
