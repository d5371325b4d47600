import Foundation
import SharedServices
import Understudy

/// A watch for the changes of a session.
final class SessionWatch: Sendable {
  private let state: Locked<Session?>
  /// The session with its current token and with each later one; finishes when the session ends.
  let sessions: AsyncStream<Session>
  private let news: AsyncStream<Session>.Continuation
  private let userID: UUID

  init(_ session: Session) {
    state = Locked(session)
    userID = session.userID
    (sessions, news) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    news.yield(session)
  }

  /// The session; `nil` once it has ended, which is visible as soon as the call that ended it returns.
  var session: Session? { state.withLock { $0 } }

  /// - Returns: Whether the session still belongs to the same user.
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
