public import SharedServices
import SharedServicesContracts
public import Understudy

extension Mutant where Subject == any AuthService {
  /// The mutants that the contract must detect.
  public static var all: [Mutant] {
    [
      wrong(
        .tellsWhichAddressesExist, "Reveals that an address has no account.",
        ["authentication.sign-in.unknown": "notFound"]),
      wrong(
        .signsOutBeforeSigningIn, "Signs out before it signs in.",
        ["authentication.sign-in.keeps": "after signing in again failed"]),
      wrong(
        .keepsTheFirstSession, "Keeps the existing session when another user signs in.",
        ["authentication.sign-in.replaces": "to be signed in after signing in as another user"]),
      wrong(
        .failsToSignOutTwice, "Fails to sign out when no user is signed in.",
        ["authentication.sign-out.twice": "without a session to be a success, but it threw"]),
      wrong(
        .staysSignedInOffline, "Keeps the session when a sign-out cannot reach the server.",
        ["authentication.sign-out.offline": "after signing out offline"]),
      wrong(
        .signsOutEverywhere, "Ends all sessions of the user when one is to end.",
        ["authentication.sign-out.other-devices": "after signing out to be 1, found 0"]),
      wrong(
        .signsOutHereAlone,
        "Ends the session on the device, and asks the server for new tokens in place of its end.",
        [
          "authentication.sign-out.other-devices": "after signing out to be 1, found 2",
          "authentication.sign-out.expired": "to be 0, found 1",
        ]),
      wrong(
        .closesItsConnection, "Cannot reach the server any more after signing out.",
        ["authentication.sign-out.again": "to sign in again, but it threw"]),
      wrong(
        .invitesAGuest, "Reports a guest as signed in when no user is.",
        ["authentication.current-user.nobody": "Expected no user to be signed in at the beginning"]),
      wrong(
        .forgetsTheUserOnRefresh, "Keeps new tokens without the user to whom they belong.",
        ["authentication.refresh.user": "to be signed in after three refreshes"]),
      wrong(
        .refreshesTheFirstUser, "Takes new tokens for those of the first user who signed in.",
        ["authentication.users.turns": "to be signed in after a refresh in the first round, found"]),
      wrong(
        .bringsTheUserBack, "Signs in the user for whom a refresh began, whoever is signed in when it ends.",
        ["authentication.users.overtaken": "to be signed in after signIn beside a refresh, found"]),
      wrong(
        .signsOtherDevicesOut, "Ends the user's other sessions before it signs in again.",
        ["authentication.users.devices": "of another device to go on after signIn here, but it threw"]),
      wrong(
        .asksWhoIsSignedIn, "Exchanges the tokens to know who is signed in.",
        ["authentication.current-user.no-request": "to be signed in while the server fails, found"]),
      wrong(
        .signsOutWhenUnreadable, "Signs out when the answer to a refresh cannot be read.",
        ["authentication.refresh.unreadable": "to be signed in after an unreadable answer, found"]),
      wrong(
        .signsOutWhenBanned, "Signs out when a refresh is refused because the account is closed.",
        ["authentication.refresh.banned": "to be signed in after the refusal, found"]),
      wrong(
        .signsOutWhenARefreshIsCancelled, "Signs out when a refresh is cancelled under way.",
        [
          "authentication.cancellation.refresh":
            "to be signed in after a refresh was cancelled under way, found"
        ]),
      wrong(
        .cancelsSharedRefreshes, "Cancels a refresh for all its callers when one of them is cancelled.",
        [
          "authentication.cancellation.others":
            "beside two that were cancelled to succeed, but it threw cancelled"
        ]),
      wrong(
        .staysSignedInWhenTheServerFails, "Keeps the session when the server fails to end it.",
        [
          "authentication.sign-out.failures":
            "no user to be signed in after signing out when the server fails"
        ]),
      wrong(
        .keepsWhatALostAnswerSaid, "Takes a user for signed in whose answer was lost.",
        ["authentication.failure.lost-answer": "Expected no user to be signed in when the answer is lost"]),
      wrong(
        .refusesRefreshesAtOnce, "Refuses a refresh while another is under way.",
        ["authentication.refresh.shared": "beside others to succeed, but it threw"]),
      wrong(
        .signsOutWhenRefreshFails, "Signs out when a refresh fails, whatever the reason.",
        ["authentication.refresh.retry": "to be signed in when the device is offline"]),
      wrong(
        .hidesTheDelay, "Does not say how long the server wants to be left alone.",
        ["authentication.failure.rate": "rateLimited(retryAfter: nil)"]),
      wrong(
        .staysSignedInWhenCancelled, "Stays signed in when a sign-out is cancelled under way.",
        [
          "authentication.cancellation.sign-out":
            "Expected no user to be signed in after a sign-out was cancelled under way"
        ]),
      wrong(
        .signsOutWhenCancelledBefore, "Signs out for a task that was cancelled before.",
        ["authentication.cancellation.before": "but it returned"]),
    ]
  }

  private static func wrong(
    _ mistake: WrongAuthService.Mistake, _ sentence: String, _ killers: KeyValuePairs<String, String>
  ) -> Mutant {
    Mutant(
      mistake.rawValue, sentence, of: .inMemory,
      as: .inMemory { WrongAuthService(base: $0, backend: $1, mistake: mistake) }, killedBy: killers)
  }
}
