public import SharedServices
import SharedServicesContracts
public import UnderstudyContracts

extension Mutant where Subject == any RealtimeService {
  /// Every wrong implementation that the contract must notice.
  public static var all: [Mutant] {
    [
      wrong(
        .takesChangesForInsertions, "Takes changes for insertions.",
        [
          "realtime.tell.updated": "inserted"
        ]),
      wrong(
        .tellsTwice, "Tells twice.",
        [
          "realtime.tell.order": "Expected the changes to be"
        ]),
      wrong(
        .keepsSubscriptionsOfLeavers, "Keeps subscriptions of leavers.",
        [
          "realtime.subscribe.left": "Expected the number of subscriptions to be 1",
          "realtime.subscribe.unread": "number of subscriptions to be 0, found 1",
        ]),
      wrong(
        .endsQuietly, "Ends quietly.",
        [
          "realtime.end.broken": "but it returned [nil]",
          "realtime.end.session": "Expected the end of the session, found nil",
          "realtime.end.waiting": "Expected the end of the session, found nil",
          "realtime.break.drop": "found nil",
          "realtime.break.closed": "found nil",
          "realtime.break.corrupt": "found nil",
        ]),
      wrong(
        .failsAgain, "Fails again.",
        [
          "realtime.end.over": "Expected no second error"
        ]),
      wrong(
        .subscribesAgain, "Subscribes again.",
        [
          "realtime.end.signed-out": "notSignedIn"
        ]),
      wrong(
        .failsInTheStream, "Fails in the stream.",
        [
          "realtime.refuse.signed-out": "but it returned",
          "realtime.refuse.session": "but it returned",
          "realtime.refuse.rate": "but it returned",
        ]),
      wrong(
        .takesCancellationForLoss, "Takes cancellation for loss.",
        [
          "realtime.cancellation.before": "connectionLost",
          "realtime.cancellation.under-way": "connectionLost",
        ]),
    ]
  }

  private static func wrong(
    _ mistake: WrongRealtimeService.Mistake, _ sentence: String, _ killers: KeyValuePairs<String, String>
  ) -> Mutant {
    Mutant(mistake.rawValue, sentence, of: .inMemory, killedBy: killers) {
      WrongRealtimeService(base: $0, mistake: mistake)
    }
  }
}
