// Written by: understudy generate --module SharedServices --protocol AuthService --write intercepted --omit 'signIn(email:password:)' --omit 'signOut()' --output Sources/SharedServicesDoubles/Interception/Generated/AuthService+Doubles.swift
// Change the command, not what follows; what must be written by hand is named with --omit.
// swift-format-ignore-file
// swiftlint:disable all

public import Foundation
public import SharedServices
public import Understudy

extension Intercepted.Operation where Base: AuthService {
  /// ``AuthService/signIn(email:password:)``.
  public static var signIn: Self { Self("signIn") }
  /// ``AuthService/signOut()``.
  public static var signOut: Self { Self("signOut") }
  /// ``AuthService/currentUserID()``.
  public static var currentUserID: Self { Self("currentUserID") }
  /// ``AuthService/refresh()``.
  public static var refresh: Self { Self("refresh") }
}

extension Intercepted: AuthService where Base: AuthService {
  /// ``AuthService/currentUserID()``, through the interceptors.
  public func currentUserID() async throws(AppError) -> UUID {
    try await intercept(.currentUserID, failure: { AppError($0) }) { base throws(AppError) in
      try await base.currentUserID()
    }
  }

  /// ``AuthService/refresh()``, through the interceptors.
  public func refresh() async throws(AppError) {
    try await intercept(.refresh, failure: { AppError($0) }) { base throws(AppError) in
      try await base.refresh()
    }
  }
}
