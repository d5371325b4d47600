// Written by: understudy generate --module SharedServices --protocol MessageHistoryService --write intercepted --output Sources/SharedServicesDoubles/Interception/Generated/MessageHistoryService+Doubles.swift
// Change the command, not what follows; what must be written by hand is named with --omit.
// swift-format-ignore-file
// swiftlint:disable all

public import SharedServices
public import Understudy

extension Intercepted.Operation where Base: MessageHistoryService {
  /// ``MessageHistoryService/page(of:after:limit:)``.
  public static var page: Self { Self("page") }
}

extension Intercepted: MessageHistoryService where Base: MessageHistoryService {
  /// ``MessageHistoryService/page(of:after:limit:)``, through the interceptors.
  public func page(
    of sessionID: String, after cursor: String?, limit: Int
  ) async throws(AppError) -> MessagePage {
    try await intercept(.page, sessionID, cursor, limit, failure: { AppError($0) }) { base throws(AppError) in
      try await base.page(of: sessionID, after: cursor, limit: limit)
    }
  }
}
