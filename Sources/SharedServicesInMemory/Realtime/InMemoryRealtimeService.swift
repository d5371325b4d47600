public import SharedServices
public import UnderstudyBackend
import Foundation
import UnderstudyTransport

/// The changes of the children of the user who is signed in, in a database in memory.
///
/// A change is told to the user who subscribed and to nobody else: once that user is not signed in here any more, the
/// stream ends with `.network(.unauthorized)` in the place of the next change. A consumer that is ten thousand changes behind loses its
/// subscription (`.network(.connectionLost)`) rather than a change.
public struct InMemoryRealtimeService: RealtimeService {
  private let database: InMemoryDatabase
  private let auth: InMemoryAuthService

  /// A service for the user of a session.
  ///
  /// - Parameter database: The one of the auth service's server, with the tables of `[Table].sharedServices`.
  public init(database: InMemoryDatabase, auth: InMemoryAuthService) {
    self.database = database
    self.auth = auth
  }

  /// The changes from now on; see `RealtimeService`.
  ///
  /// - Throws: `.authentication(.notSignedIn)`, `.network(.unauthorized)`, `.cancelled`.
  public func childChanges() async throws(AppError) -> AsyncThrowingStream<ChildChange, any Error> {
    let (role, changes) = try auth.perform { (role) throws(PostgRESTError) in
      (role, try database.changes(on: "children", as: role))
    }
    return AsyncThrowingStream { [auth] in
      let change: DatabaseChange?
      do {
        // The iterators of one stream share its state, so each call takes the next element.
        var iterator = changes.makeAsyncIterator()
        change = try await iterator.next()
      } catch {
        throw AppError.network(.connectionLost)
      }
      if Task.isCancelled { throw AppError.cancelled }
      guard let change else { return nil }
      guard try Self.isStill(role, auth) else { throw AppError.network(.unauthorized) }
      return try Self.childChange(change)
    }
  }

  private static func isStill(_ role: DatabaseRole, _ auth: InMemoryAuthService) throws(AppError) -> Bool {
    do throws(AppError) {
      return try auth.role() == role
    } catch .authentication(.notSignedIn) {
      return false
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
