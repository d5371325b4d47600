public import Foundation
public import SharedServices
import UnderstudyHTTP
package import UnderstudySupabase

/// The children of the signed-in user in a database in memory.
///
/// It can be used on its own in a preview:
///
/// ```swift
/// let children = InMemoryChildrenService()   // one sample user is signed in
/// let mia = NewChild(userID: InMemoryChildrenService.sampleUserID, name: "Mia", age: 8, birthday: birthday)
/// let child = try await children.createChild(mia)
/// ```
///
/// Each call presents the session's token, is refreshed once if that has expired, and runs with the user's
/// rights. Calls do not suspend: a call in a cancelled task changes nothing, and any other runs to its end.
public struct InMemoryChildrenService: ChildrenService {
  /// The signed-in user of `InMemoryChildrenService()`.
  public static let sampleUserID: UUID = UUID(uuid: (0xA, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 1))

  private let database: InMemoryDatabase
  private let auth: InMemoryAuthService

  /// A service for the user of a session.
  ///
  /// - Parameter database: The one of the auth service's server, with the tables of `[DatabaseTable].sharedServices`.
  package init(database: InMemoryDatabase, auth: InMemoryAuthService) {
    self.database = database
    self.auth = auth
  }

  /// A service on a new backend where a sample user is signed in.
  public init() {
    self = InMemorySharedServices.signedIn().children
  }

  /// The user who is signed in, or `nil`.
  public var userID: UUID? { auth.userID }

  /// Stores a child and returns it as it is stored; see `ChildrenService`.
  ///
  /// - Throws: `.network(.conflict)`, `.validation`, `.network(.forbidden)`, and the errors of every call.
  public func createChild(_ child: NewChild) async throws(AppError) -> Child {
    try auth.perform { (role) throws(PostgRESTError) in
      var values = ChildRow.values(
        name: child.name, age: child.age, birthday: child.birthday, goals: child.goals, topics: child.topics,
        temperament: child.temperament, talkativeness: child.talkativeness, sensitivity: child.sensitivity,
        accountability: child.accountability)
      values["user_id"] = .uuid(child.userID)
      guard let id = child.id else {
        return ChildRow.child(try database.insert(values, into: "children", as: role))
      }
      values["id"] = .uuid(id)
      do throws(PostgRESTError) {
        return ChildRow.child(try database.insert(values, into: "children", as: role))
      } catch {
        guard error.code == "23505" else { throw error }
        let rows = try database.select(from: "children", where: .equals("id", .uuid(id)), as: role)
        guard let stored = rows.first.flatMap(ChildRow.child), stored.isCreated(from: child) else {
          throw error
        }
        return stored
      }
    }
  }

  /// The children of a user, the newest first; see `ChildrenService`.
  ///
  /// - Throws: The errors of every call.
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
  /// - Throws: `.network(.notFound)`, `.network(.conflict)`, `.validation`, and the errors of every call.
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

  /// Deletes a child; see `ChildrenService`.
  ///
  /// - Throws: The errors of every call.
  public func deleteChild(id: UUID) async throws(AppError) {
    try auth.perform { (role) throws(PostgRESTError) in
      try database.delete(from: "children", where: .equals("id", .uuid(id)), as: role)
      return ()
    }
  }
}

/// A child as a row of the table `children`.
package enum ChildRow {
  static func values(
    name: String, age: Int, birthday: CalendarDate, goals: [String], topics: [String],
    temperament: Temperament,
    talkativeness: Int, sensitivity: Int, accountability: Int
  ) -> [String: ColumnValue] {
    [
      "name": .text(name), "age": .integer(age), "birthday": value(of: birthday),
      "goals": .textArray(goals), "topics": .textArray(topics), "temperament": .text(temperament.rawValue),
      "temperament_talkative": .integer(talkativeness), "temperament_sensitivity": .integer(sensitivity),
      "temperament_accountability": .integer(accountability),
    ]
  }

  private static func value(of day: CalendarDate) -> ColumnValue {
    guard let day = CivilDate(year: day.year, month: day.month, day: day.day) else {
      preconditionFailure("Both calendars have the same days.")
    }
    return .date(day)
  }

  /// The child in a row; `nil` if the table is not that of the shared services.
  package static func child(_ row: DatabaseRow) -> Child? {
    guard let id = row["id"].uuidValue, let userID = row["user_id"].uuidValue,
      let name = row["name"].textValue, let age = row["age"].integerValue,
      let birthday = row["birthday"].dateValue.flatMap({
        CalendarDate(year: $0.year, month: $0.month, day: $0.day)
      }), let goals = row["goals"].textArrayValue, let topics = row["topics"].textArrayValue,
      let temperament = row["temperament"].textValue.flatMap(Temperament.init),
      let talkativeness = row["temperament_talkative"].integerValue,
      let sensitivity = row["temperament_sensitivity"].integerValue,
      let accountability = row["temperament_accountability"].integerValue,
      let createdAt = row["created_at"].timestampValue, let updatedAt = row["updated_at"].timestampValue
    else { return nil }
    return Child(
      id: id, userID: userID, name: name, age: age, birthday: birthday, goals: goals, topics: topics,
      temperament: temperament, talkativeness: talkativeness, sensitivity: sensitivity,
      accountability: accountability, createdAt: createdAt, updatedAt: updatedAt)
  }
}
