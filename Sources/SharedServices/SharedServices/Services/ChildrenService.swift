public import Foundation

/// A service that stores the children of the signed-in user.
///
/// A row of another user is indistinguishable from a missing row. `Contract.childrenService` in
/// `SharedServicesContracts` specifies the required behaviour.
///
/// Every method throws `.authentication(.notSignedIn)` without a session, `.network(.unauthorized)` if the session has
/// ended and cannot be refreshed, other `.network` errors, and `.cancelled`.
public protocol ChildrenService: Sendable {
  // Seed 001 has one protocol for all calls of the backend; a screen and its double need those of one domain. It passes
  // the values of a new child one by one; as one value, a new column changes no call.

  /// Stores a child and returns the stored value.
  ///
  /// A client that chooses the id can repeat a call whose answer was lost: a child that is already stored, with the
  /// same id and values, is returned.
  ///
  /// - Throws: `.network(.conflict)` if the user has another child with that name, or another child has the id;
  ///   `.validation` for a value that the table rejects; `.network(.forbidden)` if `userID` is another user.
  func createChild(_ child: NewChild) async throws(AppError) -> Child

  /// Returns the children of a user, newest first; an empty list for another user.
  func fetchChildren(userID: UUID) async throws(AppError) -> [Child]

  /// Stores the changed fields of a child and returns the stored value.
  ///
  /// The service sets `createdAt` and `updatedAt`, and keeps `userID`; the argument's values are not sent.
  ///
  /// - Throws: `.network(.notFound)` if the child does not exist; `.network(.conflict)` and `.validation` as for
  ///   ``createChild(_:)``.
  func updateChild(_ child: Child) async throws(AppError) -> Child

  /// Deletes a child.
  ///
  /// Deleting a missing child succeeds, as in SQL.
  func deleteChild(id: UUID) async throws(AppError)
}
