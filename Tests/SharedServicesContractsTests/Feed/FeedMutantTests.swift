import SharedServices
import SharedServicesContracts
import Testing
import UnderstudyContracts

struct FeedMutantTests {
  private static let wrongHistories: [(WrongMessageHistoryService.Mistake, String, String)] = [
    (.newestFirst, "history.pages.first", "Expected the messages to be"),
    (.saysThatThereIsAlwaysMore, "history.pages.next", "Expected a cursor exactly where there is more"),
    (.saysThatThereIsAlwaysMore, "history.pages.exact", "Expected nothing behind the page."),
    (.repeatsTheCursor, "history.cursor.message", "Expected the message behind it to be"),
    (.repairsWhatIsStored, "history.pages.as-stored", "Expected the contents, byte by byte"),
    (.losesToolIDs, "history.pages.as-stored", "Expected the uses of tools to be"),
    (.beginsAnewForAnUnknownCursor, "history.cursor.unknown", "but it returned"),
    (.beginsAnewForAnExpiredCursor, "history.cursor.expired", "but it returned"),
    (.clampsTheLimit, "history.cursor.limit", "but it returned"),
    (.isEmptyForAnUnknownSession, "history.cursor.session", "but it returned"),
    (.isEmptyWhenUnreadable, "history.failure.unreadable", "but it returned"),
    (.takesTimeoutsForFailures, "history.failure.no-answer", "serverError"),
    (.ignoresCancellation, "history.cancellation.before", "Expected the call page to throw cancelled"),
  ]

  @Test(arguments: wrongHistories) func aWrongHistoryIsCaught(
    _ mistake: WrongMessageHistoryService.Mistake, _ clause: String, _ message: String
  ) async throws {
    let mutant = Implementation.inMemory.wrapping(as: mistake.rawValue) {
      WrongMessageHistoryService(base: $0, mistake: mistake)
    }
    try await expect(Contract.messageHistory, toCatch: mutant, in: clause, saying: message)
  }

  private static let wrongStreams: [(WrongMessageStreamService.Mistake, String, String)] = [
    (.tellsTwice, "stream.tell.order", "Expected the id to be"),
    (.swapsPairs, "stream.tell.several", "Expected what the one is told to be"),
    (.startsAtTheBeginning, "stream.tell.after", "Expected what was missed to be"),
    (.hidesReconnecting, "stream.gap.missed", "Expected what is told first to be"),
    (.forgetsWhereItWas, "stream.gap.missed", "Expected what was missed to be"),
    (.hidesGaps, "stream.gap.evicted", "Expected 129 messages of the history, found 0"),
    (.hidesAbandonedAnswers, "stream.gap.abandoned", "Expected what is told to be"),
    (.takesResetsForGaps, "stream.gap.invalid", "Expected what is told to be"),
    (.endsQuietly, "stream.gap.gives-up", "Expected the server's error, found nil"),
    (.hidesReconnecting, "stream.break.drop", "Expected a new connection."),
    (.failsLater, "stream.refuse.session", "but it returned"),
    (.takesCancellationForLoss, "stream.cancellation.before", "Expected the call updates to throw cancelled"),
  ]

  @Test(.timeLimit(.minutes(2)), arguments: wrongStreams) func aWrongStreamIsCaught(
    _ mistake: WrongMessageStreamService.Mistake, _ clause: String, _ message: String
  ) async throws {
    let mutant = Implementation.live(over: .emulator).wrapping(as: mistake.rawValue) {
      WrongMessageStreamService(base: $0, mistake: mistake)
    }
    try await expect(Contract.messageStream, toCatch: mutant, in: clause, saying: message)
  }

  @Test func everyGroupOfClausesCatchesAMutant() {
    let clauses = Self.wrongHistories.map(\.1) + Self.wrongStreams.map(\.1)
    let caught = Set(clauses.map { $0.split(separator: ".").dropLast().joined(separator: ".") })
    let groups = Contract.messageHistory.clauses.map(\.group) + Contract.messageStream.clauses.map(\.group)
    #expect(Set(groups) == caught, "A group without a mutant in the tests above proves nothing.")
  }
}
