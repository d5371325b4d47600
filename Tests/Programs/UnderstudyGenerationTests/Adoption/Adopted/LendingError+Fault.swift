import GenerationFixtures
import Understudy

extension LendingError {
  /// What the live service throws for a fault.
  ///
  /// The cases are guessed from their names. Correct them.
  init(_ fault: Fault) {
    self =
      switch fault.symptom {
      case .unauthorized: .signedOut
      case .notFound: .copyNotFound
      case .conflict: .alreadyTaken
      case .rateLimited(let delay): .tooManyRequests(retryAfter: delay.map { Int($0.components.seconds) })
      case .refused: .refused(status: 400)
      case .timedOut: .requestTimedOut
      case .offline, .unreachable: .noConnection
      // No case has a name for forbidden, unprocessable, serverError, unavailable, connectionLost, cancelled,
      // unreadable, so the default applies.
      default: .unknown
      }
  }
}
