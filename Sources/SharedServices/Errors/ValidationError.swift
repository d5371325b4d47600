public import Foundation

/// A value that the service rejects.
public enum ValidationError: LocalizedError, Hashable, Sendable {
  /// A required field is empty or missing.
  case missing(field: String)
  /// The value of a field is outside its range.
  case outOfRange(field: String)
  /// The value of a field is malformed, or the service did not give a reason.
  case malformed(field: String?)

  /// The message for the user.
  public var errorDescription: String? { message }

  /// The message for the user.
  public var message: String {
    switch self {
    case .missing(let field): "Please fill in \(Self.words(field))."
    case .outOfRange(let field): "Please check \(Self.words(field)): the value is outside the allowed range."
    case .malformed(let field?): "Please check \(Self.words(field)): the value is not valid."
    case .malformed(nil): "Please check your entries and try again."
    }
  }

  private static func words(_ field: String) -> String {
    "the " + field.replacingOccurrences(of: "_", with: " ")
  }
}
