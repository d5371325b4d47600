import Foundation
import SharedServices
import Understudy

/// What somebody learns of a session who goes on with it for a while.
final class SessionWatch: Sendable {
  private let state: Locked<Session?>
  /// The session with each token that it gets, the one at first among them; ends with the session.
  let sessions: AsyncStream<Session>
  private let news: AsyncStream<Session>.Continuation
  private let userID: UUID

  init(_ session: Session) {
    state = Locked(session)
    userID = session.userID
    (sessions, news) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    news.yield(session)
  }

  /// The session; `nil` once it is over, which is known as soon as whoever ended it returns.
  var session: Session? { state.withLock { $0 } }

  /// - Returns: Whether it is the same user's still.
  func goesOn(with session: Session?) -> Bool {
    guard let session, session.userID == userID else {
      state.withLock { $0 = nil }
      news.finish()
      return false
    }
    let isNew = state.withLock { state in
      defer { state = session }
      return state?.accessToken != session.accessToken
    }
    if isNew { news.yield(session) }
    return true
  }
}
