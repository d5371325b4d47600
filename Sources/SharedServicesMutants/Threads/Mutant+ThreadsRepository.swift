public import SharedServices
import SharedServicesContracts
import SharedServicesInMemory
public import UnderstudyContracts

extension Mutant where Subject == any ThreadsRepository {
  /// Every wrong implementation that the contract must notice.
  public static var all: [Mutant] {
    [
      wrong(
        .losesIcons, "Loses icons.",
        [
          "threads.save.stored": #"icons: ["question", "icon-2"]"#
        ]),
      wrong(
        .composesCharacters, "Composes characters.",
        [
          "threads.save.unicode": #"the scalars of "Zo"#
        ]),
      wrong(
        .forgetsForums, "Forgets forums.",
        [
          "threads.save.forum-unknown": "Expected the list to be"
        ]),
      wrong(
        .storesUpToWhatIsRefused, "Stores up to what is refused.",
        [
          "threads.save.nonsense": "Expected the list after it to be"
        ]),
      wrong(
        .oldestFirst, "Oldest first.",
        [
          "threads.order.newest": "to be [2, 1, 3], found [3, 1, 2]"
        ]),
      wrong(
        .mixesStickyThreads, "Mixes sticky threads.",
        [
          "threads.order.sticky": "to be [3, 1, 2], found [2, 3, 1]",
          "threads.order.many": "Expected the threads to be",
        ]),
      wrong(
        .leastIDFirst, "Least i d first.",
        [
          "threads.order.same-date": "to be [100, 10, 9, -1], found [-1, 9, 10, 100]"
        ]),
      wrong(
        .leavesOneOut, "Leaves one out.",
        [
          "threads.page.together": "Expected the number of threads on a page to be 1, found 0"
        ]),
      wrong(
        .takesNegativeLimitsForNone, "Takes negative limits for none.",
        [
          "threads.page.limits": "to be [], found [2, 1]"
        ]),
      wrong(
        .marksEveryThread, "Marks every thread.",
        [
          "threads.mark.others": "Expected the thread before to be"
        ]),
      wrong(
        .marksToTheEnd, "Marks a thread as read to its end, whatever post it was read up to.",
        [
          "threads.mark.up-to": "Expected the thread that was read up to post 1 to be"
        ]),
      wrong(
        .insertsWhatItMarks, "Inserts what it marks.",
        [
          "threads.mark.absent": "Expected the thread that is not there to be nil"
        ]),
      wrong(
        .deletesFromTheEnd, "Deletes from the end.",
        [
          "threads.delete.gone": "to be [5, 4, 2], found [5, 4, 3, 2, 1]"
        ]),
      wrong(
        .replacesEveryForum, "Replaces every forum.",
        [
          "threads.replace.others": "Expected the other forum's thread to be"
        ]),
      wrong(
        .keepsWhatIsReplaced, "Keeps what is replaced.",
        [
          "threads.replace.all": "Expected a thread that is not among them to be nil"
        ]),
      wrong(
        .trustsTheForumOfThreads, "Trusts the forum of threads.",
        [
          "threads.replace.forum": "Expected the forum's threads to be"
        ]),
      wrong(
        .tellsNewPlacesOfUpdates, "Tells new places of updates.",
        [
          "threads.observe.updated": "Expected the change to be",
          "threads.observe.law": "found that they do not fit",
        ]),
      wrong(
        .reloadsEverything, "Reloads everything.",
        [
          "threads.observe.inserted": "Expected the rows to be",
          "threads.observe.moved": "Expected the rows of a new post to be",
        ]),
      wrong(
        .forgetsMoves, "Forgets moves.",
        [
          "threads.observe.law": "to lead from"
        ]),
      wrong(
        .tellsWhatDidNotChange, "Tells what did not change.",
        [
          "threads.observe.nothing": "found Optional([])"
        ]),
      wrong(
        .queuesEveryChange, "Queues every change.",
        [
          "threads.merge.slow": "fewer changes than the hundred calls, found 100",
          "threads.merge.cancelled-out": "Expected the rows to be",
        ]),
      wrong(
        .keepsObserversOfLeavers, "Keeps observers of leavers.",
        [
          "threads.observers.left": "Expected the number of observers to be 1, found 2",
          "threads.observers.unread": "to be 0, found 1",
        ]),
      wrong(
        .ignoresCancellation, "Ignores cancellation.",
        [
          "threads.cancellation.before": "Expected the call save to throw cancelled"
        ]),
      wrong(
        .showsHalfReplacedLists, "Shows half replaced lists.",
        [
          "threads.concurrency.whole": "found 25 of"
        ]),
      wrong(
        .readsFromACache, "Reads from a cache.",
        [
          "threads.durability.shared": "Expected the list to be"
        ]),
      wrong(
        .emptyWhenItFails, "Empty when it fails.",
        [
          "threads.failure.every-call": "Expected the call threads to throw a storeError"
        ]),
      wrong(
        .hidesFailedWrites, "Hides failed writes.",
        [
          "threads.failure.write": "Expected the call save to throw a storeError"
        ]),
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
