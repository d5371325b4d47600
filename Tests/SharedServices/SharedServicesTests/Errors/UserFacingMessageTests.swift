import Foundation
import SharedServices
import Testing
import UnderstudyTesting

/// What the user reads, case by case; written by hand, so that a changed sentence is noticed.
@Suite(.stallLimit()) struct UserFacingMessageTests {
  private struct Secret: Error {}

  static let messages: [(AppError, String)] = [
    (.network(.noConnection), "No internet connection. Please check your network."),
    (.network(.timeout), "Request timed out. Please try again."),
    (.network(.serverError), "Server error. Please try again later."),
    (.network(.unauthorized), "Session expired. Please log in again."),
    (.network(.forbidden), "You don't have permission to do that."),
    (.network(.notFound), "We couldn't find that. It may have been removed."),
    (.network(.conflict), "That already exists. Please choose another name."),
    (.network(.rateLimited(retryAfter: nil)), "Too many requests. Please wait a moment and try again."),
    (.network(.rateLimited(retryAfter: .zero)), "Too many requests. Please try again in 1 second."),
    (
      .network(.rateLimited(retryAfter: .milliseconds(1500))),
      "Too many requests. Please try again in 2 seconds."
    ),
    (.network(.rateLimited(retryAfter: .seconds(30))), "Too many requests. Please try again in 30 seconds."),
    (.network(.connectionLost), "The connection was lost. Please try again."),
    (.network(.unreadableAnswer), "We couldn't read the server's answer. Please try again later."),
    (.authentication(.invalidCredentials), "That email and password don't match. Please try again."),
    (.authentication(.notSignedIn), "Please log in to continue."),
    (.authentication(.userBanned), "This account has been suspended. Please contact support."),
    (.validation(.missing(field: "name")), "Please fill in the name."),
    (
      .validation(.outOfRange(field: "temperament_talkative")),
      "Please check the temperament talkative: the value is outside the allowed range."
    ),
    (.validation(.malformed(field: "birthday")), "Please check the birthday: the value is not valid."),
    (.validation(.malformed(field: nil)), "Please check your entries and try again."),
    (.cancelled, "Cancelled."),
    (.unknown(Secret()), "Something went wrong. Please try again."),
  ]

  @Test(arguments: messages) func everyCaseHasOne(error: AppError, message: String) {
    #expect(error.userFacingMessage == message)
    #expect(error.errorDescription == message)
    #expect((error as any Error).localizedDescription == message)
  }

  @Test func theErrorsInsideReadTheSame() {
    #expect(NetworkError.timeout.errorDescription == "Request timed out. Please try again.")
    #expect(AuthError.notSignedIn.errorDescription == "Please log in to continue.")
    #expect(ValidationError.missing(field: "name").errorDescription == "Please fill in the name.")
  }

  @Test(arguments: [Duration.seconds(Int64.max), .seconds(Int64.min)])
  func everyDelayCanBeSaid(delay: Duration) {
    #expect(NetworkError.rateLimited(retryAfter: delay).userFacingMessage.contains("try again in"))
  }
}
