import SharedServices
import SharedServicesContracts
import Testing
import UnderstudyContracts

/// Deliberately wrong clients of the forum: the contract must catch each, in the clause that is about its mistake.
struct ForumMutantTests {
  private static let wrongClients: [(WrongForumsClient.Mistake, String, String)] = [
    (.newestFirst, "forum.threads.order", "Expected the ids to be [104, 101,"),
    (.losesRatings, "forum.threads.fields", "Expected the thread 101 to be"),
    (.closesSticky, "forum.threads.state", "to be [104, 108], found [104, 101, 108]"),
    (.normalisesText, "forum.threads.text", "Expected the scalars of the titles and the names"),
    (.takesNeverForRead, "forum.threads.reading", "Expected which threads have unread posts"),
    (.takesNoonForMidnight, "forum.threads.dates", "Expected the dates to be"),
    (.losesAnnouncements, "forum.pages.frame", "Expected the page without its threads"),
    (.emptyBeyondTheEnd, "forum.pages.beyond", "Expected the number of the page to be 3, found 999"),
    (
      .knowsOneColour, "forum.bookmarks.colours",
      "Expected the number of colours in the forum to be 6, found 1"
    ),
    (.keepsHiddenForums, "forum.bookmarks.own", "Expected the page to be"),
    (
      .marksOneMore, "forum.marks.up-to",
      "to be Optional(SharedServices.ForumThread.Reading.seen(unreadCount: 2))"
    ),
    (.neverMovesBack, "forum.marks.back", "what the reader has seen of the thread 101"),
    (.emptyWhenBanned, "forum.refuse.banned", "Expected the call threads to throw"),
    (.losesTheWords, "forum.refuse.words", "Something went wrong."),
    (.emptyWhenServerFails, "forum.failure.server", "but it returned"),
    (
      .emptyWhenUnrecognisable, "forum.failure.unrecognisable",
      "Expected the call threads to throw a parsing error"
    ),
    (
      .takesLostMarksBack, "forum.failure.lost-answer",
      "found Optional(SharedServices.ForumThread.Reading.never)"
    ),
    (.tiresAfterThreeMarks, "forum.concurrency.marks", "Expected the number of unread threads to be 0"),
    (.ignoresCancellation, "forum.cancellation.before", "Expected the call threads to throw cancelled"),
  ]

  @Test(arguments: wrongClients) func aWrongClientIsCaught(
    _ mistake: WrongForumsClient.Mistake, _ clause: String, _ message: String
  ) async throws {
    let mutant = Implementation.inMemory.wrapping(as: mistake.rawValue) {
      WrongForumsClient(base: $0, mistake: mistake)
    }
    try await expect(Contract.forumsClient, toCatch: mutant, in: clause, saying: message)
  }

  @Test func everyGroupOfClausesCatchesAMutant() {
    let caught = Set(
      Self.wrongClients.map { $0.1.split(separator: ".").dropLast().joined(separator: ".") })
    #expect(
      Set(Contract.forumsClient.clauses.map(\.group)) == caught,
      "A group without a mutant in the test above proves nothing.")
  }
}
