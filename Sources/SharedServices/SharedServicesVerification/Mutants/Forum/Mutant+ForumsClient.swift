public import SharedServices
import SharedServicesContracts
public import Understudy

extension Mutant where Subject == any ForumsClient {
  /// The mutants that the contract must detect.
  public static var all: [Mutant] {
    [
      wrong(
        .keepsListsOfAnyReader, "Keeps the lists that it has loaded, also for the next reader.",
        ["forum.readers.lists": "Expected the page after reader 1 has signed in to be"]),
      wrong(
        .keepsMarksOfAnyReader, "Shows what it has marked as seen to the next reader too.",
        ["forum.readers.marks": "Expected the page after a mark of reader 0, for reader 1 to be"]),
      wrong(
        .knowsOneForum, "Keeps pages by their numbers alone, for any forum.",
        ["forum.pages.forums": "Expected page 1 of the forum 27 to be"]),
      wrong(
        .answersForTheLastCall, "Answers every call under way with the list of the last.",
        ["forum.concurrency.lists": "Expected the page of the forum 26 to be"]),
      wrong(
        .repeatsAnnouncements, "Shows the announcements of the first page on every page.",
        ["forum.pages.whole": #"announcements: [], threads"#]),
      wrong(
        .marksWhatItShowedFirst, "Marks only threads that it has shown on a first page.",
        ["forum.marks.anywhere": "Expected the last page to be"]),
      wrong(
        .triesAgain, "Asks again after a time-out.",
        [
          "forum.failure.once":
            "Expected the number of requests of threads while the server does not answer to be 1, found 2"
        ]),
      wrong(
        .asksInVain, "Asks before it looks at a cancellation.",
        ["forum.cancellation.before": "Expected the number of requests to be 0"]),
      wrong(
        .emptyBeforeTheStart, "Makes up an empty page before the first one.",
        ["forum.pages.before": "Expected page 0 to be"]),
      wrong(
        .marksLater, "Repeats a mark that failed without a network when it next loads a list.",
        ["forum.failure.offline": "Expected the page after it to be"]),
      wrong(
        .newestFirst, "Shows the thread with the newest post first, sticky or not.",
        ["forum.threads.order": "Expected the ids to be [104, 101,"]),
      wrong(
        .closesSticky, "Takes every sticky thread for closed.",
        ["forum.threads.state": "to be [104, 108], found [104, 101, 108]"]),
      wrong(
        .collapsesSpaces, "Shows several spaces in a row as one.",
        ["forum.threads.text": "Expected the scalars of the titles and the names to be"]),
      wrong(
        .takesNeverForRead, "Takes a thread that was never opened for one that was read to its end.",
        ["forum.threads.reading": "Expected which threads have unread posts"]),
      wrong(
        .takesNoonForMidnight, "Reads 12 PM as midnight.",
        ["forum.threads.dates": "Expected the dates to be"]),
      wrong(
        .emptyBeyondTheEnd, "Makes up an empty page beyond the last one.",
        ["forum.pages.beyond": "Expected the number of the page to be 3, found 999"]),
      wrong(
        .alwaysTakesThreads, "Reports that every forum accepts new threads.",
        ["forum.pages.empty": "acceptsNewThreads: true"]),
      wrong(
        .keepsHiddenForums, "Leaves bookmarks out that are of a forum the reader cannot see.",
        ["forum.bookmarks.own": "Expected the page to be"]),
      wrong(
        .knowsOneColour, "Takes every bookmark for an orange one.",
        ["forum.bookmarks.colours": "Expected the number of colours in the forum to be 6, found 1"]),
      wrong(
        .marksAllBehindTheFirstPage, "Marks all posts of a thread instead of one behind its first page.",
        ["forum.marks.up-to": "to be Optional(SharedServices.ForumThread.Reading.seen(unreadCount: 6173))"]),
      wrong(
        .marksIn32Bits,
        "Counts one further than the post it marks, in 32 bits, so that the greatest comes before the first.",
        [
          "forum.marks.all": "to be Optional(SharedServices.ForumThread.Reading.seen(unreadCount: 0))"
        ]),
      wrong(
        .neverMovesBack, "Never moves a mark back.",
        ["forum.marks.back": "what the reader has seen of the thread 101"]),
      wrong(
        .marksUnseenAsUnread,
        "Marks a thread as read up to before its first post, where it is to be as never read.",
        [
          "forum.marks.unseen": "to be Optional(SharedServices.ForumThread.Reading.never), found"
        ]),
      wrong(
        .losesBookmarksOfMarked, "Shows a thread without its bookmark once it has marked it.",
        ["forum.marks.others": "Expected the page after it to be"]),
      wrong(
        .togglesBookmarks, "Removes a bookmark that is set again in its colour.",
        ["forum.bookmarks.again": "Expected the page after the bookmark purple to be"]),
      wrong(
        .bookmarksWhatItShowedFirst, "Bookmarks only threads that it has shown on a first page.",
        ["forum.bookmarks.anywhere": "Expected the last page to be"]),
      wrong(
        .losesTheWords, "Puts words of its own in the place of the forum's.",
        ["forum.refuse.words": "Something went wrong."]),
      wrong(
        .forgetsTheDelay, "Does not report the delay that the server asks for.",
        [
          "forum.failure.rate":
            "but it threw networkError(SharedServices.NetworkError.rateLimited(retryAfter: nil))"
        ]),
      wrong(
        .takesLostMarksBack, "Takes a mark back of which it got no answer.",
        ["forum.failure.lost-answer": "Expected the page after the lost answers to be"]),
      wrong(
        .staysOffline, "Believes for one more call that there is no network.",
        [
          "forum.failure.recovery":
            "to throw refused(SharedServices.ForumRefusal.databaseDown), but it threw networkError(SharedServices.NetworkError.noConnection)"
        ]),
      wrong(
        .tiresAfterThreeMarks, "Sets no mark after the third.",
        ["forum.concurrency.marks": "Expected the number of unread threads to be 0"]),
      wrong(
        .ignoresCancellation, "Goes on with calls of tasks that were cancelled.",
        ["forum.cancellation.before": "Expected the call threads to throw cancelled, but it returned"]),
      wrong(
        .sharesCancellation, "Gives up every call that is under way when one is cancelled.",
        [
          "forum.cancellation.others":
            "Expected the call that was not cancelled to succeed, but it threw cancelled"
        ]),
      wrong(
        .takesHalfForWhole, "Shows a list that was cut off as far as it goes.", of: .html(over: .emulator),
        ["forum.failure.cut-off": "Expected the call threads to throw a parsing error, but it returned"]),
      wrong(
        .takesAnyPageForSuccess, "Takes any page of the forum for the confirmation of a mark.",
        of: .html(over: .emulator),
        ["forum.failure.unconfirmed": "Expected the call markSeen to throw a parsing error, but it returned"]),
      wrong(
        .takesGuestsForReaders, "Takes the page for guests for any other refusal.",
        ["forum.refuse.guest": "to throw refused(SharedServices.ForumRefusal.notSignedIn("]),
      wrong(
        .ignoresProbations, "Reports that a mark is set during a probation.",
        ["forum.refuse.probation": "Expected the call markSeen to throw refused("]),
    ]
  }

  private static func wrong(
    _ mistake: WrongForumsClient.Mistake, _ sentence: String,
    of base: Implementation<Subject> = .inMemory, _ killers: KeyValuePairs<String, String>
  ) -> Mutant {
    Mutant(mistake.rawValue, sentence, of: base, killedBy: killers) {
      WrongForumsClient(base: $0, mistake: mistake)
    }
  }
}
