/// What is closed at the end.
public protocol Closable: Sendable {
  /// Closes it. Later calls fail.
  func close() async
}

/// Refines another protocol, with overloads, tuples and a closure.
public protocol SearchIndex: Closable {
  func search(_ text: String) async throws(IndexFailure) -> [(title: String, score: Double)]
  func search(_ text: String, limit: Int, offset: Int) async throws(IndexFailure) -> [String]
  func rebuild(progress: @escaping @Sendable (Double) -> Void) async throws(IndexFailure)
  func suggestion(for text: String) async -> String?
}

/// Names without a meaning that can be guessed.
public enum IndexFailure: Error, Equatable {
  case a
  case b(Int)
}
