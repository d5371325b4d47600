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
        .newestFirst, "Reverses the messages of a page, so that the newest comes first.",
        ["history.pages.first": "Expected the messages to be"]),
      wrong(
        .saysThatThereIsAlwaysMore, "Reports for every page that another page follows.",
        [
          "history.pages.next": "Expected a cursor exactly where there is more",
          "history.pages.exact": "Expected nothing behind the page.",
        ]),
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
        .repairsWhatIsStored, "Takes stored content out of its wrapper.",
        ["history.pages.as-stored": "Expected the contents, byte by byte"]),
      wrong(
        .losesToolIDs, "Leaves out which use of a tool a message is.",
        ["history.pages.as-stored": "Expected the uses of tools to be"]),
    ]
  }

  private static var sessions: [Mutant] {
    [
      wrong(
        .keepsPagesOfAnySession, "Keeps pages by their cursors alone, for any session.",
        ["history.sessions.apart": "Expected the messages from 0 of s 2 to be"]),
      wrong(
        .knowsForeignCursors, "Has nothing behind a cursor of another session.",
        ["history.sessions.cursor": "cursorNotFound), but it returned"]),
      wrong(
        .answersForTheLastCall, "Answers every call under way with the session of the last.",
        ["history.sessions.concurrency": "Expected the messages of s 1/é to be"]),
      wrong(
        .keepsPages, "Keeps the pages that it has loaded.",
        ["history.pages.growing": "Expected the messages after to be"]),
      wrong(
        .keepsFullPages, "Keeps the pages that are followed by others.",
        [
          "history.pages.growing": "Expected the number of messages to be [8, 8, 8], found [8, 6, 8]",
          "history.cursor.expired": "cursorExpired), but it returned",
        ]),
      wrong(
        .returnsFiftyAtMost, "Returns at most fifty messages.",
        ["history.pages.long": "Expected where the pages begin to be [0, 100, 200], found [0, 50,"]),
      wrong(
        .losesImages, "Leaves out the images of messages.",
        ["history.pages.fields": "imageData: nil"]),
    ]
  }

  private static var refusals: [Mutant] {
    [
      wrong(
        .checksTheFirstLimit, "Replaces the limit of a later page by the nearest valid one.",
        ["history.cursor.limit": "Expected the call for a later page of 0 to be refused"]),
      wrong(
        .startsOverForAnUnknownCursor, "Treats an unknown cursor as the beginning.",
        ["history.cursor.unknown": "cursorNotFound), but it returned"]),
      wrong(
        .startsOverForAnExpiredCursor, "Treats an expired cursor as the beginning.",
        ["history.cursor.expired": "cursorExpired), but it returned"]),
      wrong(
        .clampsTheLimit, "Replaces a limit outside its range by the nearest valid one.",
        ["history.cursor.limit": "Expected the call for the first page of 0 to be refused"]),
      wrong(
        .isEmptyForAnUnknownSession, "Returns an empty page for a missing session.",
        ["history.cursor.session": "notFound), but it returned"]),
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
        .isEmptyWhenTheServerFails, "Answers with an empty page when the server fails.",
        ["history.failure.server": "serverError), but it returned"]),
      wrong(
        .takesTimeoutsForFailures, "Reports a time-out as a failure of the server.",
        ["history.failure.no-answer": "but it threw network(SharedServices.NetworkError.serverError)"]),
      wrong(
        .isEmptyOffline, "Answers with an empty page without a network.",
        ["history.failure.offline": "noConnection), but it returned"]),
      wrong(
        .takesLostConnectionsForNone, "Reports a connection that breaks as if there had been no network.",
        ["history.failure.connection": "but it threw network(SharedServices.NetworkError.noConnection)"]),
      wrong(
        .isEmptyWhenUnreadable, "Takes an answer that makes no sense for an empty page.",
        ["history.failure.unreadable": "unreadableAnswer), but it returned"]),
      wrong(
        .losesTheDelay, "Forgets how long the server asks to be left alone.",
        ["history.failure.rate": "rateLimited(retryAfter: nil)"]),
      wrong(
        .ignoresCancellation, "Answers a call that was cancelled with an empty page.",
        [
          "history.cancellation.before": "Expected the call page to throw cancelled, but it returned",
          "history.cancellation.under-way": "Expected the call page to throw cancelled, but it returned",
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
