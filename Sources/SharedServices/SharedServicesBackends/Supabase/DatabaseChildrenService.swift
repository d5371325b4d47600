package import Foundation
package import SharedServices
import UnderstudyHTTP
import UnderstudySupabase

/// The children of a user as another device of that user stores them: statements on the tables, without a session.
package struct DatabaseChildrenService: ChildrenService {
  private let database: InMemoryDatabase
  private let role: DatabaseRole

  package init(_ backend: SupabaseBackend, as user: UUID) {
    (database, role) = (backend.database, .user(user))
  }

  package func createChild(_ child: NewChild) async throws(AppError) -> Child {
    try perform { () throws(PostgRESTError) in
      var values = ChildRow.values(of: child)
      values["user_id"] = .uuid(child.userID)
      if let id = child.id { values["id"] = .uuid(id) }
      return ChildRow.child(try database.insert(values, into: "children", as: role))
    }
  }

  package func fetchChildren(userID: UUID) async throws(AppError) -> [Child] {
    try perform { () throws(PostgRESTError) in
      try database.select(
        from: "children", where: .equals("user_id", .uuid(userID)), orderedBy: [.descending("created_at")],
        as: role
      ).compactMap(ChildRow.child)
    }
  }

  package func updateChild(_ child: Child) async throws(AppError) -> Child {
    try perform { () throws(PostgRESTError) in
      let values = ChildRow.values(
        of: NewChild(
          userID: child.userID, name: child.name, age: child.age, birthday: child.birthday,
          goals: child.goals, topics: child.topics, temperament: child.temperament,
          talkativeness: child.talkativeness, sensitivity: child.sensitivity,
          accountability: child.accountability))
      let rows = try database.update("children", set: values, where: .equals("id", .uuid(child.id)), as: role)
      guard let row = rows.first else { throw .notSingular(rows: 0) }
      return ChildRow.child(row)
    }
  }

  package func deleteChild(id: UUID) async throws(AppError) {
    try perform { () throws(PostgRESTError) in
      try database.delete(from: "children", where: .equals("id", .uuid(id)), as: role)
      return ()
    }
  }

  /// - Parameter body: Returns `nil` for a row that is not a child.
  private func perform<Result>(
    _ body: () throws(PostgRESTError) -> Result?
  ) throws(AppError) -> Result {
    let result: Result?
    do throws(PostgRESTError) {
      result = try body()
    } catch {
      throw AppError(
        ErrorResponse(status: error.status(isAuthenticated: true), code: error.code, message: error.message))
    }
    guard let result else { throw .network(.unreadableAnswer) }
    return result
  }
}
