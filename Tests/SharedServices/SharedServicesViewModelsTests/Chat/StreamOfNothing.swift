import SharedServices
import Understudy

/// A stream that ends at once, and notes behind which messages it was asked to begin.
final class StreamOfNothing: MessageStreamService {
  private let asked = Locked<[String?]>([])

  var places: [String?] { asked.withLock { $0 } }

  func updates(
    of sessionID: String, after messageID: String?
  ) async throws(AppError) -> AsyncThrowingStream<FeedUpdate, any Error> {
    asked.withLock { $0.append(messageID) }
    return AsyncThrowingStream { $0.finish() }
  }
}
