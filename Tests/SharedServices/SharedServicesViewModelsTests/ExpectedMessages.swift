import Understudy
import UnderstudyHTTP

/// What a screen says after each failure of the catalogue.
///
/// Written by hand from the wording of seed 001 and of the cases that it was grown by; nothing here is computed from
/// the mapping under test.
let expectedMessages: [(fault: Fault, message: String)] = [
  (.unauthorized, "Session expired. Please log in again."),
  (.forbidden, "You don't have permission to do that."),
  (.notFound, "We couldn't find that. It may have been removed."),
  (.notAcceptable, "We couldn't find that. It may have been removed."),
  (.conflict, "That already exists. Please choose another name."),
  (.unprocessable, "Please check your entries and try again."),
  (.rateLimited(retryAfter: .seconds(30)), "Too many requests. Please try again in 30 seconds."),
  (.rateLimited(retryAfter: nil), "Too many requests. Please wait a moment and try again."),
  (.serverError, "Server error. Please try again later."),
  (.unavailable, "Server error. Please try again later."),
  (.gatewayTimeout, "Server error. Please try again later."),
  (.timeout, "Request timed out. Please try again."),
  (.offline, "No internet connection. Please check your network."),
  (.hostNotFound, "No internet connection. Please check your network."),
  (.connectionRefused, "No internet connection. Please check your network."),
  (.connectionLost, "The connection was lost. Please try again."),
  (.answerLost, "Request timed out. Please try again."),
  (.emptyReply, "The connection was lost. Please try again."),
  (.timeoutInBody(), "Request timed out. Please try again."),
  (.truncatedBody(), "The connection was lost. Please try again."),
  (.truncatedChunk(), "The connection was lost. Please try again."),
  (.resetInBody(), "The connection was lost. Please try again."),
  (.garbage, "We couldn't read the server's answer. Please try again later."),
  (.malformedChunk(), "We couldn't read the server's answer. Please try again later."),
  (.brokenGzip, "We couldn't read the server's answer. Please try again later."),
  (.redirectLoop, "We couldn't read the server's answer. Please try again later."),
  (.unreadableAnswer, "We couldn't read the server's answer. Please try again later."),
]

/// What a screen says after a failure of the catalogue.
func expectedMessage(_ fault: Fault) -> String? { expectedMessages.first { $0.fault == fault }?.message }
