public import SharedServices
import SharedServicesContracts
public import UnderstudyContracts

extension Mutant where Subject == any MessageHistoryService {
  /// Every wrong implementation that the contract must notice.
  public static var all: [Mutant] {
    [
      wrong(
        .newestFirst, "Newest first.",
        [
          "history.pages.first": "Expected the messages to be"
        ]),
      wrong(
        .saysThatThereIsAlwaysMore, "Says that there is always more.",
        [
          "history.pages.next": "Expected a cursor exactly where there is more",
          "history.pages.exact": "Expected nothing behind the page.",
        ]),
      wrong(
        .repeatsTheCursor, "Repeats the cursor.",
        [
          "history.cursor.message": "Expected the message behind it to be"
        ]),
      wrong(
        .repairsWhatIsStored, "Repairs what is stored.",
        [
          "history.pages.as-stored": "Expected the contents, byte by byte"
        ]),
      wrong(
        .losesToolIDs, "Loses tool i ds.",
        [
          "history.pages.as-stored": "Expected the uses of tools to be"
        ]),
      wrong(
        .beginsAnewForAnUnknownCursor, "Begins anew for an unknown cursor.",
        [
          "history.cursor.unknown": "but it returned"
        ]),
      wrong(
        .beginsAnewForAnExpiredCursor, "Begins anew for an expired cursor.",
        [
          "history.cursor.expired": "but it returned"
        ]),
      wrong(
        .clampsTheLimit, "Clamps the limit.",
        [
          "history.cursor.limit": "but it returned"
        ]),
      wrong(
        .isEmptyForAnUnknownSession, "Is empty for an unknown session.",
        [
          "history.cursor.session": "but it returned"
        ]),
      wrong(
        .isEmptyWhenUnreadable, "Is empty when unreadable.",
        [
          "history.failure.unreadable": "but it returned"
        ]),
      wrong(
        .takesTimeoutsForFailures, "Takes timeouts for failures.",
        [
          "history.failure.no-answer": "serverError"
        ]),
      wrong(
        .ignoresCancellation, "Ignores cancellation.",
        [
          "history.cancellation.before": "Expected the call page to throw cancelled"
        ]),
    ]
  }

  private static func wrong(
    _ mistake: WrongMessageHistoryService.Mistake, _ sentence: String,
    _ killers: KeyValuePairs<String, String>
  ) -> Mutant {
    Mutant(mistake.rawValue, sentence, of: .inMemory, killedBy: killers) {
      WrongMessageHistoryService(base: $0, mistake: mistake)
    }
  }
}
