public import SharedServices
import SharedServicesContracts
public import UnderstudyContracts

extension Mutant where Subject == any AuthService {
  /// Every wrong implementation that the contract must notice.
  public static var all: [Mutant] {
    [
      wrong(
        .tellsWhichAddressesExist, "Tells which addresses exist.",
        [
          "authentication.sign-in.unknown": "notFound"
        ]),
      wrong(
        .signsOutBeforeSigningIn, "Signs out before signing in.",
        [
          "authentication.sign-in.keeps": "after signing in again failed"
        ]),
      wrong(
        .failsToSignOutTwice, "Fails to sign out twice.",
        [
          "authentication.sign-out.twice": "notSignedIn"
        ]),
      wrong(
        .staysSignedInOffline, "Stays signed in offline.",
        [
          "authentication.sign-out.offline": "after signing out offline"
        ]),
      wrong(
        .invitesAGuest, "Invites a guest.",
        [
          "authentication.current-user.nobody": "Expected nobody to be signed in at the beginning"
        ]),
      wrong(
        .signsOutWhenRefreshFails, "Signs out when refresh fails.",
        [
          "authentication.refresh.retry": "to be signed in when the device is offline"
        ]),
      wrong(
        .hidesTheDelay, "Hides the delay.",
        [
          "authentication.failure.rate": "rateLimited(retryAfter: nil)"
        ]),
      wrong(
        .showsCancellation, "Shows cancellation.",
        [
          "authentication.cancellation.under-way": "noConnection"
        ]),
      wrong(
        .staysSignedInWhenCancelled, "Stays signed in when cancelled.",
        [
          "authentication.cancellation.sign-out":
            "Expected nobody to be signed in after signing out was cancelled on its way"
        ]),
      wrong(
        .signsOutWhenCancelledBefore, "Signs out when cancelled before.",
        [
          "authentication.cancellation.before": "but it returned"
        ]),
      wrong(
        .ignoresAnExpiredToken, "Ignores an expired token.",
        [
          "authentication.sign-out.expired": "to be 0, found 1"
        ]),
    ]
  }

  private static func wrong(
    _ mistake: WrongAuthService.Mistake, _ sentence: String, _ killers: KeyValuePairs<String, String>
  ) -> Mutant {
    Mutant(mistake.rawValue, sentence, of: .inMemory, killedBy: killers) {
      WrongAuthService(base: $0, mistake: mistake)
    }
  }
}
