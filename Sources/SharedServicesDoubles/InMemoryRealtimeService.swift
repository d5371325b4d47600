public import SharedServices
import Understudy
import UnderstudyHTTP
package import UnderstudySupabase
import Foundation

/// The changes of the signed-in user's children in a database in memory.
///
/// Only the subscribed user receives changes: once that user is signed out here, or the
/// server has ended the session, the stream ends with `.network(.unauthorized)`, and unread changes are dropped.
/// A consumer that is ten thousand changes behind loses its subscription (`.network(.connectionLost)`) rather than a
/// change.
public struct InMemoryRealtimeService: RealtimeService {
  private let database: InMemoryDatabase
  private let auth: InMemoryAuthService

  /// A service for the user of a session.
  ///
  /// - Parameter database: The one of the auth service's server, with the tables of `[DatabaseTable].sharedServices`.
  package init(database: InMemoryDatabase, auth: InMemoryAuthService) {
    self.database = database
    self.auth = auth
  }

  /// The changes from now on; see `RealtimeService`.
  ///
  /// - Throws: `.authentication(.notSignedIn)`, `.network(.unauthorized)`, `.cancelled`.
  public func childChanges() async throws(AppError) -> AsyncThrowingStream<ChildChange, any Error> {
    let ends = auth.endCount
    let (role, changes) = try auth.perform { (role) throws(PostgRESTError) in
      (role, try database.changes(on: "children", as: role))
    }
    guard let user = role.userID else { throw .network(.unauthorized) }
    // The error ends the subscription, even if the consumer keeps the stream.
    let source = Locked<AsyncThrowingStream<DatabaseChange, any Error>?>(changes)
    return AsyncThrowingStream { [auth] in
      guard let changes = source.withLock({ $0 }) else { return nil }
      do {
        return try await Self.next(of: changes, for: user, after: ends, auth)
      } catch {
        source.withLock { $0 = nil }
        throw error
      }
    }
  }

  /// The next change, unless the session ends before.
  private static func next(
    of changes: AsyncThrowingStream<DatabaseChange, any Error>, for user: UUID, after ends: Int,
    _ auth: InMemoryAuthService
  ) async throws(AppError) -> ChildChange? {
    try checkSession(of: user, after: ends, auth)
    let event = await withTaskGroup(of: Event.self) { group in
      defer { group.cancelAll() }
      group.addTask {
        // The iterators of one stream share its state, so each call takes the next element.
        var iterator = changes.makeAsyncIterator()
        do { return .change(try await iterator.next()) } catch { return .loss }
      }
      group.addTask {
        await auth.waitForEnd(ofSessionOf: user)
        return .sessionEnd
      }
      group.addTask {
        // An expired token is refreshed, if the server still has its session.
        while let token = try? auth.accessToken(), (try? await auth.server.waitForExpiry(of: token)) != nil,
          (try? auth.role()) != nil
        {}
        return .sessionEnd
      }
      guard let first = await group.next() else { preconditionFailure("The group has three tasks.") }
      return first
    }
    if Task.isCancelled { throw .cancelled }
    // Nothing is delivered once the session has ended.
    try checkSession(of: user, after: ends, auth)
    switch event {
    case .change(nil): return nil
    case .change(let change?): return try childChange(change)
    case .loss: throw .network(.connectionLost)
    case .sessionEnd: throw .network(.unauthorized)
    }
  }

  private enum Event: Sendable {
    case change(DatabaseChange?)
    case loss
    case sessionEnd
  }

  /// - Parameter ends: The number of ended sessions when the subscription began.
  private static func checkSession(
    of user: UUID, after ends: Int, _ auth: InMemoryAuthService
  ) throws(AppError) {
    do throws(AppError) {
      guard try auth.role() == .user(user), auth.endCount == ends else { throw .network(.unauthorized) }
    } catch .authentication(.notSignedIn) {
      throw .network(.unauthorized)
    }
  }

  private static func childChange(_ change: DatabaseChange) throws(AppError) -> ChildChange {
    switch change {
    case .insert(let row): if let child = ChildRow.child(row) { return .inserted(child) }
    case .update(let row): if let child = ChildRow.child(row) { return .updated(child) }
    case .delete(let row): if let id = row["id"].uuidValue { return .deleted(id: id) }
    }
    throw .network(.unreadableAnswer)
  }
}
