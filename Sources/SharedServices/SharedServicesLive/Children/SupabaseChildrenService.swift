public import Foundation
public import SharedServices
import UnderstudyTransport

/// A service that stores children in the table `children`, through PostgREST.
public struct SupabaseChildrenService: ChildrenService {
  private let client: SupabaseClient

  /// Creates a service for the client's user.
  public init(_ client: SupabaseClient) {
    self.client = client
  }

  /// Inserts a row (`POST /rest/v1/children`).
  ///
  /// After a conflict the row with the child's id is selected, because an earlier request may have stored it.
  public func createChild(_ child: NewChild) async throws(AppError) -> Child {
    do throws(AppError) {
      return try await write(.post, ChildValues(inserting: child))
    } catch .network(.conflict) {
      guard let id = child.id, let stored = try await self.child(id: id), stored.isCreated(from: child)
      else {
        throw .network(.conflict)
      }
      return stored
    }
  }

  /// Selects the rows of a user, newest first; rows with the same date are ordered by id.
  public func fetchChildren(userID: UUID) async throws(AppError) -> [Child] {
    let call = SupabaseCall(
      method: .get, path: Self.path,
      query: [
        Self.allColumns,
        URLQueryItem(name: "user_id", value: "eq.\(userID.uuidString.lowercased())"),
        URLQueryItem(name: "order", value: "created_at.desc,id.desc"),
      ])
    return try await client.rows(ChildRow.self, of: call).map(\.child)
  }

  /// Updates the row (`PATCH /rest/v1/children?id=eq.…`).
  ///
  /// For a missing or hidden row PostgREST cannot return a single object: 406 with PGRST116.
  public func updateChild(_ child: Child) async throws(AppError) -> Child {
    try await write(.patch, ChildValues(updating: child), matching: [Self.filter(id: child.id)])
  }

  /// Deletes the row (`DELETE /rest/v1/children?id=eq.…`).
  public func deleteChild(id: UUID) async throws(AppError) {
    let answer = try await client.send(
      SupabaseCall(method: .delete, path: Self.path, query: [Self.filter(id: id)]))
    // PostgREST responds with 204 or with rows; any other body is not from PostgREST.
    if !answer.body.isEmpty { _ = try answer.decoded([ChildRow].self) }
  }

  private func child(id: UUID) async throws(AppError) -> Child? {
    let call = SupabaseCall(method: .get, path: Self.path, query: [Self.allColumns, Self.filter(id: id)])
    return try await client.rows(ChildRow.self, of: call).first?.child
  }

  private static let path = "rest/v1/children"
  private static let allColumns = URLQueryItem(name: "select", value: "*")

  private static func filter(id: UUID) -> URLQueryItem {
    URLQueryItem(name: "id", value: "eq.\(id.uuidString.lowercased())")
  }

  /// Writes a row and returns the stored value.
  private func write(
    _ method: HTTP.Method, _ values: ChildValues, matching filters: [URLQueryItem] = []
  ) async throws(AppError) -> Child {
    let call = SupabaseCall(
      method: method, path: Self.path, query: filters + [Self.allColumns],
      fields: ["Accept": SupabaseCall.singleObject, "Prefer": "return=representation"],
      body: .json(of: values))
    return try await client.send(call).decoded(ChildRow.self).child
  }
}

extension Child {
  /// Whether the child has the id and the values with which a client created it.
  fileprivate func isCreated(from new: NewChild) -> Bool {
    let created = NewChild(
      id: id, userID: userID, name: name, age: age, birthday: birthday, goals: goals, topics: topics,
      temperament: temperament, talkativeness: talkativeness, sensitivity: sensitivity,
      accountability: accountability)
    return created == new && created.scalars == new.scalars
  }
}

extension NewChild {
  /// The scalars of the texts: the table tells apart what `==` of `String` does not, such as two normal forms.
  fileprivate var scalars: [[Unicode.Scalar]] { ([name] + goals + topics).map { Array($0.unicodeScalars) } }
}
