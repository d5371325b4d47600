public import Foundation
public import SharedServices
import UnderstudyHTTP
public import UnderstudySupabase

/// The children of the user who is signed in, in a database in memory.
///
/// For a preview it works alone:
///
/// ```swift
/// let children = InMemoryChildrenService()   // one sample user is signed in
/// let mia = NewChild(userID: InMemoryChildrenService.sampleUserID, name: "Mia", age: 8, birthday: birthday)
/// let child = try await children.createChild(mia)
/// ```
///
/// Each call presents the session's token, is refreshed once if that has expired, and runs with the user's
/// rights. Nothing waits, so a call either finds its task cancelled and changes nothing, or runs to its end.
public struct InMemoryChildrenService: ChildrenService {
  /// The user who is signed in where a service was made with `InMemoryChildrenService()`.
  public static let sampleUserID: UUID = UUID(uuid: (0xA, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 1))

  private let database: InMemoryDatabase
  private let auth: InMemoryAuthService

  /// A service for the user of a session.
  ///
  /// - Parameter database: The one of the auth service's server, with the tables of `[Table].sharedServices`.
  public init(database: InMemoryDatabase, auth: InMemoryAuthService) {
    self.database = database
    self.auth = auth
  }

  /// A service that works alone, on a new backend where a sample user is signed in.
  public init() {
    self = InMemorySharedServices.signedIn().children
  }

  /// The user who is signed in, or `nil`.
  public var userID: UUID? { auth.userID }

  /// Stores a child and returns it as it is stored; see `ChildrenService`.
  ///
  /// - Throws: `.network(.conflict)`, `.validation`, `.network(.forbidden)`, and what every call can.
  public func createChild(_ child: NewChild) async throws(AppError) -> Child {
    try auth.perform { (role) throws(PostgRESTError) in
      var values = ChildRow.values(
        name: child.name, age: child.age, birthday: child.birthday, goals: child.goals, topics: child.topics,
        temperament: child.temperament, talkativeness: child.talkativeness, sensitivity: child.sensitivity,
        accountability: child.accountability)
      values["user_id"] = .uuid(child.userID)
      return ChildRow.child(try database.insert(values, into: "children", as: role))
    }
  }

  /// The children of a user, the newest first; see `ChildrenService`.
  ///
  /// - Throws: What every call can.
  public func fetchChildren(userID: UUID) async throws(AppError) -> [Child] {
    try auth.perform { (role) throws(PostgRESTError) in
      let rows = try database.select(
        from: "children", where: .equals("user_id", .uuid(userID)), orderedBy: [.descending("created_at")],
        as: role)
      let children = rows.compactMap(ChildRow.child)
      return children.count == rows.count ? children : nil
    }
  }

  /// Stores the fields of a child and returns it as it is stored; see `ChildrenService`.
  ///
  /// - Throws: `.network(.notFound)`, `.network(.conflict)`, `.validation`, and what every call can.
  public func updateChild(_ child: Child) async throws(AppError) -> Child {
    try auth.perform { (role) throws(PostgRESTError) in
      let values = ChildRow.values(
        name: child.name, age: child.age, birthday: child.birthday, goals: child.goals, topics: child.topics,
        temperament: child.temperament, talkativeness: child.talkativeness, sensitivity: child.sensitivity,
        accountability: child.accountability)
      let rows = try database.update("children", set: values, where: .equals("id", .uuid(child.id)), as: role)
      guard let row = rows.first else { throw .notSingular(rows: 0) }
      return ChildRow.child(row)
    }
  }

  /// Removes a child; see `ChildrenService`.
  ///
  /// - Throws: What every call can.
  public func deleteChild(id: UUID) async throws(AppError) {
    try auth.perform { (role) throws(PostgRESTError) in
      try database.delete(from: "children", where: .equals("id", .uuid(id)), as: role)
      return ()
    }
  }
}
