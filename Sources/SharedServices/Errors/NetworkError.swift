public import Foundation

/// A failure of a call to a service: the four cases of seed 001 and further ones that occur in practice.
public enum NetworkError: LocalizedError, Hashable, Sendable {
  /// The device is offline, or no connection to the service can be made.
  case noConnection
  /// No response arrived in time.
  case timeout
  /// The service failed (5xx).
  case serverError
  /// The session has ended (401).
  case unauthorized
  /// The user may not do this (403).
  case forbidden
  /// The resource does not exist, or the user may not see it.
  case notFound
  /// The request conflicts with what is stored (409).
  case conflict
  /// Too many requests (429); `retryAfter` is the service's delay before another attempt, if any.
  case rateLimited(retryAfter: Duration?)
  /// The connection broke before the response was complete.
  case connectionLost
  /// The response cannot be decoded.
  case unreadableAnswer

  /// The message for the user.
  public var errorDescription: String? { userFacingMessage }

  /// The message for the user.
  public var userFacingMessage: String {
    switch self {
    case .noConnection: "No internet connection. Please check your network."
    case .timeout: "Request timed out. Please try again."
    case .serverError: "Server error. Please try again later."
    case .unauthorized: "Session expired. Please log in again."
    case .forbidden: "You don't have permission to do that."
    case .notFound: "We couldn't find that. It may have been removed."
    case .conflict: "That already exists. Please choose another name."
    case .rateLimited(let delay):
      switch delay.map(Self.wholeSeconds) {
      case nil: "Too many requests. Please wait a moment and try again."
      case 1: "Too many requests. Please try again in 1 second."
      case .some(let seconds): "Too many requests. Please try again in \(seconds) seconds."
      }
    case .connectionLost: "The connection was lost. Please try again."
    case .unreadableAnswer: "We couldn't read the server's answer. Please try again later."
    }
  }

  /// Rounds up to whole seconds, from 1 to one year, so that every duration has a result.
  private static func wholeSeconds(_ delay: Duration) -> Int {
    Int(min(max(1, (delay / .seconds(1)).rounded(.up)), 31_536_000))
  }
}
