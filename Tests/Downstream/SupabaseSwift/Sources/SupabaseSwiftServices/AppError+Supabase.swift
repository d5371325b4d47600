import Foundation
import SharedServices
import Supabase

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension AppError {
  /// Runs a call of supabase-swift, and says what its errors mean to the app.
  static func translating<Value: Sendable>(
    _ call: @Sendable () async throws -> Value
  ) async throws(AppError) -> Value {
    guard !Task.isCancelled else { throw .cancelled }
    do {
      let value = try await call()
      return value
    } catch {
      throw Task.isCancelled ? .cancelled : AppError(supabase: error)
    }
  }

  init(supabase error: any Error) {
    switch error {
    case let error as PostgrestError: self.init(error)
    case let error as Supabase.AuthError: self.init(error)
    case let error as HTTPError: self.init(status: error.response.statusCode)
    case let error as URLError: self.init(error)
    case is DecodingError: self = .network(.unreadableAnswer)
    case is CancellationError: self = .cancelled
    default: self = .unknown(error)
    }
  }

  private init(_ error: PostgrestError) {
    switch error.code {
    case "23514": self = .validation(.outOfRange(field: error.checkedColumn ?? "value"))
    case "23502": self = .validation(.missing(field: error.quoted.first ?? "value"))
    case "23505": self = .network(.conflict)
    case "42501": self = .network(.forbidden)
    case "PGRST116": self = .network(.notFound)
    // The delay is in a header, which supabase-swift does not pass on.
    case "PT429": self = .network(.rateLimited(retryAfter: nil))
    case "PGRST301", "PGRST302", "PGRST303": self = .network(.unauthorized)
    case let code? where code.hasPrefix("22") || code.hasPrefix("23"):
      self = .validation(.malformed(field: nil))
    case let code? where code.hasPrefix("5") || code.hasPrefix("PGRST00"): self = .network(.serverError)
    default: self = .unknown(error)
    }
  }

  private init(_ error: Supabase.AuthError) {
    switch error {
    case .sessionMissing: self = .authentication(.notSignedIn)
    case .api(_, .invalidCredentials, _, _): self = .authentication(.invalidCredentials)
    case .api(_, .userBanned, _, _): self = .authentication(.userBanned)
    case .api(_, .sessionNotFound, _, _), .api(_, .sessionExpired, _, _),
      .api(_, .refreshTokenNotFound, _, _), .api(_, .refreshTokenAlreadyUsed, _, _), .api(_, .badJWT, _, _):
      self = .network(.unauthorized)
    case .api(_, _, _, let response): self.init(status: response.statusCode)
    default: self = .unknown(error)
    }
  }

  private init(status: Int) {
    switch status {
    case 401: self = .network(.unauthorized)
    case 403: self = .network(.forbidden)
    case 404, 406: self = .network(.notFound)
    case 409: self = .network(.conflict)
    case 429: self = .network(.rateLimited(retryAfter: nil))
    case 500...: self = .network(.serverError)
    default: self = .network(.unreadableAnswer)
    }
  }

  private init(_ error: URLError) {
    switch error.code {
    case .cancelled: self = .cancelled
    case .timedOut: self = .network(.timeout)
    case .notConnectedToInternet, .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed:
      self = .network(.noConnection)
    case .networkConnectionLost: self = .network(.connectionLost)
    default: self = .network(.unreadableAnswer)
    }
  }
}

extension PostgrestError {
  /// The texts in double quotes.
  fileprivate var quoted: [String] {
    message.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
      .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
  }

  /// The column of a check, by PostgreSQL's way of naming constraints: `<table>_<column>_check`.
  fileprivate var checkedColumn: String? {
    guard let table = quoted.first, let constraint = quoted.last, constraint.hasPrefix(table + "_"),
      constraint.hasSuffix("_check")
    else { return nil }
    return String(constraint.dropFirst(table.count + 1).dropLast("_check".count))
  }
}
