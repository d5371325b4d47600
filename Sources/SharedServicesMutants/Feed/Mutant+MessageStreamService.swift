public import SharedServices
import SharedServicesContracts
public import UnderstudyContracts

extension Mutant where Subject == any MessageStreamService {
  /// Every wrong implementation that the contract must notice.
  public static var all: [Mutant] {
    [
      wrong(
        .tellsTwice, "Tells twice.",
        [
          "stream.tell.order": "Expected the id to be"
        ]),
      wrong(
        .swapsPairs, "Swaps pairs.",
        [
          "stream.tell.several": "Expected what the one is told to be"
        ]),
      wrong(
        .startsAtTheBeginning, "Starts at the beginning.",
        [
          "stream.tell.after": "Expected what was missed to be"
        ]),
      wrong(
        .hidesReconnecting, "Hides reconnecting.",
        [
          "stream.gap.missed": "Expected what is told first to be",
          "stream.break.drop": "Expected a new connection.",
        ]),
      wrong(
        .forgetsWhereItWas, "Forgets where it was.",
        [
          "stream.gap.missed": "Expected what was missed to be"
        ]),
      wrong(
        .hidesGaps, "Hides gaps.",
        [
          "stream.gap.evicted": "Expected 129 messages of the history, found 0"
        ]),
      wrong(
        .hidesAbandonedAnswers, "Hides abandoned answers.",
        [
          "stream.gap.abandoned": "Expected what is told to be"
        ]),
      wrong(
        .takesResetsForGaps, "Takes resets for gaps.",
        [
          "stream.gap.invalid": "Expected what is told to be"
        ]),
      wrong(
        .endsQuietly, "Ends quietly.",
        [
          "stream.gap.gives-up": "Expected the server's error, found nil"
        ]),
      wrong(
        .failsLater, "Fails later.",
        [
          "stream.refuse.session": "but it returned"
        ]),
      wrong(
        .takesCancellationForLoss, "Takes cancellation for loss.",
        [
          "stream.cancellation.before": "Expected the call updates to throw cancelled"
        ]),
    ]
  }

  private static func wrong(
    _ mistake: WrongMessageStreamService.Mistake, _ sentence: String, _ killers: KeyValuePairs<String, String>
  ) -> Mutant {
    Mutant(mistake.rawValue, sentence, of: .live(over: .emulator), killedBy: killers) {
      WrongMessageStreamService(base: $0, mistake: mistake)
    }
  }
}
