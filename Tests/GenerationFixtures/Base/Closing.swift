/// Refined by protocols of another module.
public protocol Closing: Sendable {
  /// Lets go of everything.
  func close() async
  /// How often it was closed.
  var closings: Int { get async throws }
}
