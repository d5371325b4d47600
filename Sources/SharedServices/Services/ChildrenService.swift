public import Foundation

/// The children of the user who is signed in.
///
/// A row of another user cannot be told from one that is not there. What every implementation must do is
/// `Contract.childrenService` in `SharedServicesContracts`.
///
/// Every method throws `.authentication(.notSignedIn)` without a session, `.network(.unauthorized)` when the
/// session is over and cannot be refreshed, other `.network` failures, and `.cancelled`.
public protocol ChildrenService: Sendable {
  /// Stores a child and returns it as it is stored.
  ///
  /// - Throws: `.network(.conflict)` if the user has a child of that name; `.validation` for a value that the
  ///   table refuses; `.network(.forbidden)` if `userID` is another user.
  func createChild(_ child: NewChild) async throws(AppError) -> Child

  /// The children of a user, the newest first; none if that user is somebody else.
  func fetchChildren(userID: UUID) async throws(AppError) -> [Child]

  /// Stores the changed fields of a child and returns it as it is stored. `createdAt` and `updatedAt` are the
  /// service's own: what the argument holds there is not sent.
  ///
  /// - Throws: `.network(.notFound)` if there is no such child; `.network(.conflict)` and `.validation` as for
  ///   creating.
  func updateChild(_ child: Child) async throws(AppError) -> Child

  /// Removes a child. Removing one that is not there is a success, as it is in SQL.
  func deleteChild(id: UUID) async throws(AppError)
}
