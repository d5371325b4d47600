public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Generic calls.
public protocol APIClient: Sendable {
  func send<Answer: Decodable & Sendable>(_ request: URLRequest) async throws -> Answer
  func upload(_ data: Data, to path: String, headers: [String: String]) async throws -> Int
}

/// Why a call failed.
public enum APIClientError: Error, Equatable {
  case unauthorized, forbidden, notFound, rateLimited, serverError, noConnection, timeout, invalidResponse
  case unknown
}
