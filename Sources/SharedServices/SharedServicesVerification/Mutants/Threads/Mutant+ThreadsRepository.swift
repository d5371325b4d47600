public import SharedServices
import SharedServicesContracts
import SharedServicesDoubles
public import Understudy

extension Mutant where Subject == any ThreadsRepository {
  /// The mutants that the contract must detect.
  public static var all: [Mutant] {
    [
      wrong(
        .knowsFiveColours, "Stores the last colour of a bookmark as none.",
        ["threads.save.bookmarks": "purple), found nil"]),
      wrong(
        .neverMakesSticky, "Never changes whether a stored thread is sticky.",
        ["threads.save.updated": "Expected the list to be"]),
      wrong(
        .keepsTheFirstForum, "Leaves a thread in the forum that it was first stored in.",
        ["threads.save.moved": "Expected the old forum's threads to be [2], found [2, 1]"]),
      wrong(
        .forgetsForums, "Forgets the stored forum of a thread that comes without one.",
        ["threads.save.forum-unknown": "Expected the list to be"]),
      wrong(
        .firstOfTwoCounts, "Takes the first of two threads with one id.",
        [
          "threads.save.twice": #"to be Optional("Two"), found Optional("One")"#,
          "threads.replace.twice": #"title: "One""#,
        ]),
      wrong(
        .keepsCountsIn32Bits, "Stores no number of answers beyond 32 bits.",
        ["threads.save.extremes": "replyCount: 2147483647"]),
      wrong(
        .keepsDatesInMilliseconds, "Stores dates to the millisecond.",
        ["threads.save.dates": "Expected the date of thread 0 to be"]),
      wrong(
        .writesNoMoreThanVariables, "Stores no more threads of a call than a statement has parameters.",
        ["threads.save.many": "Expected the last page to be [2, 1], found []"]),
      wrong(
        .storesUpToWhatIsRefused, "Stores the threads that come before the one that is refused.",
        ["threads.save.nonsense": "Expected the threads after it to be [1], found [130"]),
      wrong(
        .mixesStickyThreads, "Lists sticky threads among the others.",
        [
          "threads.order.sticky": "to be [3, 1, 2], found [2, 3, 1]",
          "threads.order.many": "Expected the threads to be",
        ]),
      wrong(
        .leastIDFirst, "Lists of two threads with one date the one with the lesser id first.",
        ["threads.order.same-date": "to be [100, 10, 9, -1], found [-1, 9, 10, 100]"]),
      wrong(
        .takesNegativeLimitsForNone, "Takes a limit below nothing for no limit, as SQLite does.",
        ["threads.page.limits": "to be [], found [2, 1]"]),
      wrong(
        .listsThreadsOfNoForum, "Lists threads of no forum in every forum.",
        ["threads.page.forum": "Expected the first forum's threads to be [1], found [1, 3]"]),
      wrong(
        .losesBookmarksOfMarked, "Takes the bookmark from a thread that it marks.",
        ["threads.mark.read": "Expected the thread to be"]),
      wrong(
        .marksIn32Bits, "Marks no post beyond 32 bits.",
        ["threads.mark.extremes": "answers that was read up to post 9223372036854775807 to be"]),
      wrong(
        .marksUnreadAsSeen, "Marks a thread as opened and unread, where it is to be as never read.",
        ["threads.mark.unread": "seen(unreadCount: 41)"]),
      wrong(
        .marksEveryThread, "Marks every thread with the one that it marks.",
        ["threads.mark.others": "Expected the thread before to be"]),
      wrong(
        .insertsWhatItMarks, "Stores a thread that it marks and does not have.",
        ["threads.mark.absent": "Expected the missing thread to be nil"]),
      wrong(
        .keepsTheFirstBookmark, "Leaves a bookmark as it is once a thread has one.",
        ["threads.bookmark.set": "Expected the thread with the bookmark"]),
      wrong(
        .bookmarksEveryThread, "Bookmarks every thread with the one that it bookmarks.",
        ["threads.bookmark.others": "Expected the thread before to be"]),
      wrong(
        .insertsWhatItBookmarks, "Stores a thread that it bookmarks and does not have.",
        ["threads.bookmark.absent": "Expected the missing thread to be nil"]),
      wrong(
        .stopsAtWhatIsAbsent, "Deletes threads only up to the first missing one.",
        ["threads.delete.absent": "Expected the threads to be [2], found [2, 1]"]),
      wrong(
        .remembersForumsOfDeleted, "Remembers the forum of a thread that was deleted.",
        ["threads.delete.again": "Expected the thread to be"]),
      wrong(
        .keepsWhatIsReplaced, "Keeps the threads that are not among the new ones.",
        ["threads.replace.all": "Expected a thread that is not among them to be nil"]),
      wrong(
        .replacesEveryForum, "Replaces the threads of every forum.",
        ["threads.replace.others": "Expected the other forum's thread to be"]),
      wrong(
        .trustsTheForumOfThreads, "Leaves the new threads of a forum in the forum that they name.",
        ["threads.replace.forum": "Expected the forum's threads to be"]),
      wrong(
        .tellsInsertionsFirst, "Reports the rows of the first list as inserted.",
        ["threads.observe.first": "Expected the list to be"]),
      wrong(
        .reloadsEverything, "Deletes and inserts every row at each change.",
        [
          "threads.observe.inserted": "Expected the rows to be",
          "threads.observe.moved": "Expected the rows of a new post to be",
        ]),
      wrong(
        .forgetsThreadsThatLeave, "Does not report that a thread has left the list.",
        ["threads.observe.forums": "Expected rows that lead to the change's list of forum"]),
      wrong(
        .tellsPlacesAfterDeletions,
        "Reports the place of a deleted row as if earlier rows were deleted already.",
        ["threads.observe.deleted": "Expected the rows to be"]),
      wrong(.forgetsMoves, "Does not report rows that move.", ["threads.observe.law": "to lead from"]),
      wrong(
        .tellsWhatDidNotChange, "Reports each list twice.",
        ["threads.observe.nothing": "found Optional([])"]),
      wrong(
        .tellsWhatIsRefused, "Reports threads before it knows whether they are refused.",
        ["threads.observe.refused": "Expected the threads of the first change to be"]),
      wrong(
        .queuesEveryChange, "Keeps every change for a reader that is slow.",
        [
          "threads.merge.slow": "fewer changes than the hundred calls, found 100",
          "threads.merge.cancelled-out": "Expected the rows to be",
        ]),
      wrong(
        .endsAllWhenOneIsBehind, "Ends every observation when one reader is forty changes behind.",
        ["threads.merge.waits-for-nobody": "Expected the other's list to be"]),
      wrong(
        .hasOneObserver, "Ends an observation when another begins.",
        ["threads.observers.all": "Expected the one's rows to be"]),
      wrong(
        .keepsObserversOfLeavers, "Keeps the observers that have left.",
        [
          "threads.observers.left": "Expected the number of observers to be 1, found 2",
          "threads.observers.unread": "to be 0, found 1",
        ]),
      wrong(
        .endsAllWithOne, "Ends every observation with the first that ends.",
        ["threads.observers.cancelled": "Expected the other's list to be"]),
      wrong(
        .ignoresCancellation, "Goes on with calls of tasks that were cancelled.",
        ["threads.cancellation.before": "Expected the call save to throw cancelled, but it returned"]),
      wrong(
        .savesInHalves, "Saves more than a hundred threads in two halves.",
        ["threads.cancellation.at-any-time": "Expected the threads of a cancelled save to be 0, found 100"]),
      wrong(
        .losesSavesOfOthers, "Saves the whole list that it read before, without what others saved meanwhile.",
        ["threads.concurrency.saves": "Expected the threads to be [100, 99"]),
      wrong(
        .showsHalfReplacedLists, "Shows a list of which half is replaced.",
        ["threads.concurrency.whole": "found 25 of"]),
      wrong(
        .readsFromACache, "Reads a list once, and then from its memory.",
        ["threads.durability.shared": "Expected the list to be"]),
      Mutant(
        WrongThreadsRepository.Mistake.endsQuietly.rawValue,
        "Ends an observation that fails, without the failure.",
        of: .sqlite,
        killedBy: [
          "threads.failure.observed":
            "Expected the call the observation to throw a storeError, but it returned"
        ]
      ) { WrongThreadsRepository(base: $0, mistake: .endsQuietly) },
      Mutant(
        "forgets", "Stores nothing in its file.", of: .sqlite,
        killedBy: ["threads.durability.reopened": "Expected the one forum's list to be"]
      ) { _ in InMemoryThreadsRepository() },
    ]
  }

  private static func wrong(
    _ mistake: WrongThreadsRepository.Mistake, _ sentence: String, _ killers: KeyValuePairs<String, String>
  ) -> Mutant {
    Mutant(mistake.rawValue, sentence, of: .inMemory, killedBy: killers) {
      WrongThreadsRepository(base: $0, mistake: mistake)
    }
  }
}
