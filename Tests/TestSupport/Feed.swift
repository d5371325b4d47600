import Foundation
package import UnderstudyHTTP

/// A body whose chunks and whose end a test sends.
package struct Feed: Sendable {
  private let parts = AsyncThrowingStream<Data, any Error>.makeStream()

  package init() {}

  package var body: HTTP.Body {
    let stream = parts.stream
    return HTTP.Body(unfolding: {
      for try await part in stream { return part }
      return nil
    })
  }

  package func send(_ text: String) { parts.continuation.yield(Data(text.utf8)) }

  package func end(with error: (any Error)? = nil) { parts.continuation.finish(throwing: error) }
}
