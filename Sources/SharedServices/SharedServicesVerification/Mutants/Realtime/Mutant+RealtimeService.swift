public import SharedServices
import SharedServicesContracts
import SharedServicesBackends
import SharedServicesDoubles
public import Understudy

extension Mutant where Subject == any RealtimeService {
  /// The mutants that the contract must detect.
  public static var all: [Mutant] { ofService + ofTable }

  private static var ofService: [Mutant] {
    [
      wrong(
        .takesChangesForInsertions, "Delivers a changed child as a new one.",
        ["realtime.tell.updated": "found [Optional(SharedServices.ChildChange.inserted("]),
      wrong(
        .tellsWhatWasStored, "Begins with the children that are stored already.",
        ["realtime.subscribe.from-now": #"name: "Before""#, "realtime.end.gap": #"name: "Gap""#]),
      wrong(
        .keepsOneSubscription, "Ends a subscription when another is made.",
        [
          "realtime.subscribe.several": "Expected the one's changes to be",
          "realtime.subscribe.many": "Expected the change of 1 to be",
        ]),
      wrong(
        .keepsSubscriptionsOfLeavers, "Keeps a subscription whose consumer has left.",
        [
          "realtime.subscribe.left": "Expected the number of subscriptions to be 1",
          "realtime.subscribe.many": "Expected the number of subscriptions to be 2",
          "realtime.subscribe.unread": "number of subscriptions to be 0, found 1",
        ]),
      wrong(
        .failsAgain, "Throws the error of a subscription again when it is read on.",
        ["realtime.end.over": "Expected no second error"]),
      wrong(
        .subscribesAgain, "Subscribes again when the session is over.",
        ["realtime.end.signed-out": "notSignedIn"]),
      wrong(
        .tellsTheFirstUser, "Subscribes for the user who was signed in first.",
        ["realtime.tell.next-user": "Expected the next user's changes to be"]),
      wrong(
        .forgetsEarlierChildren, "Delivers the removal only of a child that it has delivered.",
        ["realtime.tell.removed-earlier": "the number of changes to be 26, found 1"]),
      wrong(
        .tellsOnlyTheFirstOfChanges, "Delivers the first of several changes of a child.",
        ["realtime.tell.quick": "Expected the changes to be"]),
      wrong(
        .hidesEqualValues, "Does not deliver an update that stores the same values.",
        ["realtime.tell.updated": "Expected the changes to be"]),
      wrong(
        .losesChangesBeyondItsBuffer, "Loses the change that follows a hundred others.",
        ["realtime.tell.many": "the number of changes to be 111, found 110"]),
      wrong(
        .keepsItsConnection, "Keeps a connection to the server after a subscription has ended.",
        [
          "realtime.end.released":
            "the number of subscriptions after the subscriptions break to be 0, found 1"
        ]),
      wrong(
        .endsSessionWhenLimited, "Signs the user out after too many requests.",
        ["realtime.refuse.limited": "to go on, but it threw"]),
      wrong(
        .subscribesBeforeItAsks, "Leaves a subscription when the call fails.",
        [
          "realtime.refuse.counted":
            "the number of subscriptions after the device is offline to be 0, found 1"
        ]),
      wrong(
        .goesOnAfterSignOut, "Goes on with a subscription when its user signs in again.",
        ["realtime.end.signed-in-again": "but it returned [Optional(SharedServices.ChildChange.inserted("]),
      wrong(
        .tellsTheNextUser, "Goes on with a subscription when another user signs in.",
        ["realtime.end.other-user": "but it returned [Optional(SharedServices.ChildChange.inserted("]),
      wrong(
        .endsWithItsToken, "Ends a subscription when its token has expired.",
        ["realtime.end.expired": "to go on, but it threw"]),
      wrong(
        .failsInTheStream, "Throws in the stream what the call should throw.",
        [
          "realtime.refuse.signed-out": "but it returned",
          "realtime.refuse.session": "but it returned",
          "realtime.refuse.failure": "but it returned",
          "realtime.refuse.rate": "but it returned",
        ]),
      wrong(
        .givesUpOnAnExpiredToken, "Exchanges a refused token, and then reports the session as over.",
        ["realtime.refuse.token": "to go on, but it threw"]),
      wrong(
        .takesCancellationForLoss, "Reports a cancelled call or consumer as a lost connection.",
        [
          "realtime.subscribe.cancelled":
            "Expected a cancellation, found network(SharedServices.NetworkError.connectionLost)",
          "realtime.cancellation.before": "connectionLost",
          "realtime.cancellation.under-way": "connectionLost",
        ]),
      wrong(
        .tellsEverybodys, "Delivers the changes of all users.",
        ["realtime.tell.own-only": "Expected the first change to be"]),
    ]
  }

  /// Correct services over a table with a mistake.
  private static var ofTable: [Mutant] {
    [
      Mutant(
        "tellsRefusedNames", "Has a table that stores a second child of a name, and delivers it.",
        of: .supabase(over: .emulator),
        as: .supabase(
          on: .sharedServices(
            replacing: "UNIQUE (user_id, name)", with: "UNIQUE (id, name)")),
        killedBy: [
          "realtime.tell.refused": "Expected the changes to be"
        ])
    ]
  }

  private static func wrong(
    _ mistake: WrongRealtimeService.Mistake, _ sentence: String, _ killers: KeyValuePairs<String, String>
  ) -> Mutant {
    Mutant(
      mistake.rawValue, sentence, of: .inMemory,
      as: .inMemory { WrongRealtimeService(base: $0, backend: $1, mistake: mistake) }, killedBy: killers)
  }
}
