public import Foundation
public import SharedServices
public import UnderstudyDoubles

extension Intercepted.Operation where Base: ChildrenService {
  /// ``ChildrenService/createChild(_:)``.
  public static var createChild: Self { Self("createChild") }
  /// ``ChildrenService/fetchChildren(userID:)``.
  public static var fetchChildren: Self { Self("fetchChildren") }
  /// ``ChildrenService/updateChild(_:)``.
  public static var updateChild: Self { Self("updateChild") }
  /// ``ChildrenService/deleteChild(id:)``.
  public static var deleteChild: Self { Self("deleteChild") }
}

extension Intercepted: ChildrenService where Base: ChildrenService {
  /// Creates a child through the interceptors.
  public func createChild(_ child: NewChild) async throws(AppError) -> Child {
    try await intercept(.createChild, child, failure: AppError.init) { base throws(AppError) in
      try await base.createChild(child)
    }
  }

  /// Fetches the children through the interceptors.
  public func fetchChildren(userID: UUID) async throws(AppError) -> [Child] {
    try await intercept(.fetchChildren, userID, failure: AppError.init) { base throws(AppError) in
      try await base.fetchChildren(userID: userID)
    }
  }

  /// Updates a child through the interceptors.
  public func updateChild(_ child: Child) async throws(AppError) -> Child {
    try await intercept(.updateChild, child, failure: AppError.init) { base throws(AppError) in
      try await base.updateChild(child)
    }
  }

  /// Deletes a child through the interceptors.
  public func deleteChild(id: UUID) async throws(AppError) {
    try await intercept(.deleteChild, id, failure: AppError.init) { base throws(AppError) in
      try await base.deleteChild(id: id)
    }
  }
}
