public import SharedServices
import SharedServicesContracts
public import Understudy

extension Mutant where Subject == any MessageHistoryService {
  /// The mutants that the contract must detect.
  public static var all: [Mutant] {
    pages + sessions + refusals + failures
  }

  private static var pages: [Mutant] {
    [
      wrong(
        .repeatsTheCursor, "Begins a page at the cursor's message instead of behind it.",
        ["history.cursor.message": "Expected the message behind it to be"]),
      wrong(
        .pointsAtItsOwnBeginning,
        "Gives as the cursor of the page before the first message of the page itself.",
        ["history.pages.previous": "Expected the page before it to be"]),
      wrong(
        .takesTheCountForTheLimit, "Says that a page has as many places as it has messages.",
        ["history.pages.empty": "limit: 0"]),
      wrong(
        .emptiesWhatIsMissing, "Delivers a message that is stored without content as an empty one.",
        ["history.pages.without-content": "Expected the messages to be"]),
      wrong(
        .repairsWhatIsStored, "Takes stored content out of its wrapper.",
        ["history.pages.as-stored": "Expected the contents, byte by byte"]),
    ]
  }

  private static var sessions: [Mutant] {
    [
      wrong(
        .keepsPagesOfAnySession, "Keeps pages by their cursors alone, for any session.",
        ["history.sessions.apart": "Expected the messages from 0 of S 1/é to be"]),
      wrong(
        .knowsForeignCursors, "Has nothing behind a cursor of another session.",
        ["history.sessions.cursor": "cursorNotFound), but it returned"]),
      wrong(
        .answersForTheLastCall, "Answers every call under way with the session of the last.",
        ["history.sessions.concurrency": "Expected the messages of s 1/é to be"]),
      wrong(
        .keepsFullPages, "Keeps the pages that are followed by others.",
        [
          "history.pages.growing": "Expected the number of messages to be [8, 8, 8], found [8, 6, 8]",
          "history.cursor.expired": "cursorExpired), but it returned",
        ]),
      wrong(
        .returnsFiftyAtMost, "Returns at most fifty messages.",
        ["history.pages.long": "Expected where the pages begin to be [0, 100, 200], found [0, 50,"]),
    ]
  }

  private static var refusals: [Mutant] {
    [
      wrong(
        .checksTheFirstLimit, "Replaces the limit of a later page by the nearest valid one.",
        ["history.cursor.limit": "Expected the call for a later page of 0 to be refused"]),
      wrong(
        .clampsTheLimit, "Replaces a limit outside its range by the nearest valid one.",
        ["history.cursor.limit": "Expected the call for the first page of 0 to be refused"]),
    ]
  }

  private static var failures: [Mutant] {
    [
      wrong(
        .isEmptyWhenALaterPageFails, "Answers with an empty page when the server fails behind the first.",
        ["history.failure.server": "Expected the call later page to throw"]),
      wrong(
        .triesAgain, "Asks again after a time-out.",
        [
          "history.failure.once":
            "Expected the number of requests of page while the server does not answer to be 1, found 2"
        ]),
      wrong(
        .asksInVain, "Asks before it looks at a cancellation.",
        ["history.cancellation.before": "Expected the number of requests to be 0"]),
      wrong(
        .sharesCancellation, "Gives up every call that is under way when one is cancelled.",
        ["history.cancellation.others": "Expected the call that was not cancelled to succeed"]),
      wrong(
        .losesTheDelay, "Forgets how long the server asks to be left alone.",
        ["history.failure.rate": "rateLimited(retryAfter: nil)"]),
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
