import SharedServices
import SharedServicesContracts
import SharedServicesInMemory
import Testing
import UnderstudyContracts

/// Deliberately wrong repositories: the contract must catch each, in the clause that is about its mistake.
struct ThreadsMutantTests {
  private static let wrongRepositories: [(WrongThreadsRepository.Mistake, String, String)] = [
    (.losesIcons, "threads.save.stored", #"icons: ["question", "icon-2"]"#),
    (.composesCharacters, "threads.save.unicode", #"the scalars of "Zo"#),
    (.forgetsForums, "threads.save.forum-unknown", "Expected the list to be"),
    (.storesUpToWhatIsRefused, "threads.save.nonsense", "Expected the list after it to be"),
    (.oldestFirst, "threads.order.newest", "to be [2, 1, 3], found [3, 1, 2]"),
    (.mixesStickyThreads, "threads.order.sticky", "to be [3, 1, 2], found [2, 3, 1]"),
    (.leastIDFirst, "threads.order.same-date", "to be [100, 10, 9, -1], found [-1, 9, 10, 100]"),
    (.mixesStickyThreads, "threads.order.many", "Expected the threads to be"),
    (.leavesOneOut, "threads.page.together", "Expected the number of threads on a page to be 1, found 0"),
    (.takesNegativeLimitsForNone, "threads.page.limits", "to be [], found [2, 1]"),
    (.marksEveryThread, "threads.mark.others", "Expected the thread before to be"),
    (.insertsWhatItMarks, "threads.mark.absent", "Expected the thread that is not there to be nil"),
    (.deletesFromTheEnd, "threads.delete.gone", "to be [5, 4, 2], found [5, 4, 3, 2, 1]"),
    (.replacesEveryForum, "threads.replace.others", "Expected the other forum's thread to be"),
    (.keepsWhatIsReplaced, "threads.replace.all", "Expected a thread that is not among them to be nil"),
    (.trustsTheForumOfThreads, "threads.replace.forum", "Expected the forum's threads to be"),
    (.tellsNewPlacesOfUpdates, "threads.observe.updated", "Expected the change to be"),
    (.reloadsEverything, "threads.observe.inserted", "Expected the rows to be"),
    (.reloadsEverything, "threads.observe.moved", "Expected the rows of a new post to be"),
    (.forgetsMoves, "threads.observe.law", "to lead from"),
    (.tellsNewPlacesOfUpdates, "threads.observe.law", "found that they do not fit"),
    (.tellsWhatDidNotChange, "threads.observe.nothing", "found Optional([])"),
    (.queuesEveryChange, "threads.merge.slow", "fewer changes than the hundred calls, found 100"),
    (.queuesEveryChange, "threads.merge.cancelled-out", "Expected the rows to be"),
    (.keepsObserversOfLeavers, "threads.observers.left", "Expected the number of observers to be 1, found 2"),
    (.keepsObserversOfLeavers, "threads.observers.unread", "to be 0, found 1"),
    (.ignoresCancellation, "threads.cancellation.before", "Expected the call save to throw cancelled"),
    (.showsHalfReplacedLists, "threads.concurrency.whole", "found 25 of"),
    (.readsFromACache, "threads.durability.shared", "Expected the list to be"),
    (.emptyWhenItFails, "threads.failure.every-call", "Expected the call threads to throw a storeError"),
    (.hidesFailedWrites, "threads.failure.write", "Expected the call save to throw a storeError"),
  ]

  @Test(arguments: wrongRepositories) func aWrongRepositoryIsCaught(
    _ mistake: WrongThreadsRepository.Mistake, _ clause: String, _ message: String
  ) async throws {
    let mutant = Implementation.inMemory.wrapping(as: mistake.rawValue) {
      WrongThreadsRepository(base: $0, mistake: mistake)
    }
    try await expect(Contract.threadsRepository, toCatch: mutant, in: clause, saying: message)
  }

  @Test func aRepositoryThatForgetsIsCaught() async throws {
    let mutant = Implementation.sqlite.wrapping(as: "forgets") { _ in InMemoryThreadsRepository() }
    try await expect(
      Contract.threadsRepository, toCatch: mutant, in: "threads.durability.reopened",
      saying: "Expected the one forum's list to be")
  }

  @Test func everyGroupOfClausesAndEveryMistakeIsTried() {
    let caught = Set(
      Self.wrongRepositories.map { $0.1.split(separator: ".").dropLast().joined(separator: ".") })
    #expect(
      Set(Contract.threadsRepository.clauses.map(\.group)) == caught,
      "A group without a mutant in the tests above proves nothing.")
    #expect(Set(Self.wrongRepositories.map(\.0)) == Set(WrongThreadsRepository.Mistake.allCases))
  }
}
