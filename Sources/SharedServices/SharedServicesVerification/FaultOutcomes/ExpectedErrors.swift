import SharedServices
import Understudy
import UnderstudyHTTP

/// The expected error for each fault of a call, and whether the backend performs the call nevertheless.
///
/// Written by hand from the meanings of the faults and the errors, independently of the mapping under test.
/// test.
let expectedErrors: [(fault: Fault, error: AppError?, isDone: Bool)] = [
  (.unauthorized, .network(.unauthorized), false),
  (.forbidden, .network(.forbidden), false),
  (.notFound, .network(.notFound), false),
  (.notAcceptable, .network(.notFound), false),
  (.conflict, .network(.conflict), false),
  (.unprocessable, .validation(.malformed(field: nil)), false),
  (.rateLimited(retryAfter: .seconds(30)), .network(.rateLimited(retryAfter: .seconds(30))), false),
  (.rateLimited(retryAfter: nil), .network(.rateLimited(retryAfter: nil)), false),
  (.serverError, .network(.serverError), false),
  (.unavailable, .network(.serverError), false),
  (.gatewayTimeout, .network(.serverError), false),
  (.timeout, .network(.timeout), false),
  (.offline, .network(.noConnection), false),
  (.hostNotFound, .network(.noConnection), false),
  (.connectionRefused, .network(.noConnection), false),
  (.connectionLost, .network(.connectionLost), false),
  (.redirectLoop, .network(.unreadableAnswer), false),
  (.cancelled, .cancelled, false),
  (.answerLost, .network(.timeout), true),
  (.emptyReply, .network(.connectionLost), true),
  (.timeoutInBody(), .network(.timeout), true),
  (.truncatedBody(), .network(.connectionLost), true),
  (.truncatedChunk(), .network(.connectionLost), true),
  (.resetInBody(), .network(.connectionLost), true),
  (.unreadableAnswer, .network(.unreadableAnswer), true),
  (.garbage, .network(.unreadableAnswer), true),
  (.malformedChunk(), .network(.unreadableAnswer), true),
  (.brokenGzip, .network(.unreadableAnswer), true),
  (.latency(.seconds(1)), nil, true),
  (.latency(.mobileNetwork), nil, true),
  (.dribble(), nil, true),
]

/// Returns the expected message of the onboarding screen for an error.
///
/// The wording is that of seed 001 and of the cases added to it.
func expectedMessage(_ error: AppError) -> String {
  switch error {
  case .network(.unauthorized): "Session expired. Please log in again."
  case .network(.forbidden): "You don't have permission to do that."
  case .network(.notFound): "We couldn't find that. It may have been removed."
  case .network(.conflict): "That already exists. Please choose another name."
  case .network(.rateLimited(retryAfter: .some)): "Too many requests. Please try again in 30 seconds."
  case .network(.rateLimited(retryAfter: nil)): "Too many requests. Please wait a moment and try again."
  case .network(.serverError): "Server error. Please try again later."
  case .network(.timeout): "Request timed out. Please try again."
  case .network(.noConnection): "No internet connection. Please check your network."
  case .network(.connectionLost): "The connection was lost. Please try again."
  case .network(.unreadableAnswer): "We couldn't read the server's answer. Please try again later."
  case .validation: "Please check your entries and try again."
  case .cancelled: ""
  default: "no message is expected"
  }
}
