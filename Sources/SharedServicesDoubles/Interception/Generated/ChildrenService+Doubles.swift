// Written by: understudy generate --module SharedServices --protocol ChildrenService --write intercepted --output Sources/SharedServicesDoubles/Interception/Generated/ChildrenService+Doubles.swift
// Change the command, not what follows; what must be written by hand is named with --omit.
// swift-format-ignore-file
// swiftlint:disable all

public import Foundation
public import SharedServices
public import Understudy

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
  /// ``ChildrenService/createChild(_:)``, through the interceptors.
  public func createChild(_ child: NewChild) async throws(AppError) -> Child {
    try await intercept(.createChild, child, failure: { AppError($0) }) { base throws(AppError) in
      try await base.createChild(child)
    }
  }

  /// ``ChildrenService/fetchChildren(userID:)``, through the interceptors.
  public func fetchChildren(userID: UUID) async throws(AppError) -> [Child] {
    try await intercept(.fetchChildren, userID, failure: { AppError($0) }) { base throws(AppError) in
      try await base.fetchChildren(userID: userID)
    }
  }

  /// ``ChildrenService/updateChild(_:)``, through the interceptors.
  public func updateChild(_ child: Child) async throws(AppError) -> Child {
    try await intercept(.updateChild, child, failure: { AppError($0) }) { base throws(AppError) in
      try await base.updateChild(child)
    }
  }

  /// ``ChildrenService/deleteChild(id:)``, through the interceptors.
  public func deleteChild(id: UUID) async throws(AppError) {
    try await intercept(.deleteChild, id, failure: { AppError($0) }) { base throws(AppError) in
      try await base.deleteChild(id: id)
    }
  }
}
