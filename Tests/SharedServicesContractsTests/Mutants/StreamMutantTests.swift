import SharedServices
import SharedServicesContracts
import Testing
import UnderstudyContracts

/// Deliberately wrong services with streams: the contracts must catch each, in the clause that is about its mistake.
struct StreamMutantTests {
  @Test(arguments: [
    (
      WrongConversationService.Mistake.startsForAnyChild, "conversations.start.hidden-child",
      "but it returned"
    ),
    (.startsForAnyChild, "conversations.start.absent-child", "but it returned"),
    (.tellsNewestFirst, "conversations.history.order", "Expected what was said to be"),
    (.repeatsMessages, "conversations.send.stored", #"to be ["Hello"], found ["Hello", "Hello"]"#),
    (.waitsForTheWholeAnswer, "conversations.stream.pieces", "Expected several pieces"),
    (.losesSources, "conversations.stream.sources", "Expected the sources in the stream to be"),
    (.trimsText, "conversations.stream.pieces", "Expected the stored answer to be"),
    (.streamsBytesAsTheyCome, "conversations.stream.smallest-pieces", "Expected no replaced characters"),
    (.goesOnAfterDone, "conversations.stream.ends", "Expected the last chunk alone to be done"),
    (.goesOnAfterDone, "conversations.stream.done", "Expected the stream to end after"),
    (.readsAhead, "conversations.upstream.held-back", "Expected the source to have given 1 chunks"),
    (.readsAhead, "conversations.upstream.unread", "Expected the source to have given 0 chunks at most"),
    (.readsAhead, "conversations.upstream.left", "Expected the source to have given 3 chunks"),
    (.takesLossForSuccess, "conversations.break.drop", "ended as if all were well"),
    (.takesLossForSuccess, "conversations.break.ends-early", "ended as if all were well"),
    (.forgetsWhatCame, "conversations.break.drop", "chunks before the break to be 3, found 0"),
    (.forgetsWhatCame, "conversations.break.corrupt", "chunks before the break to be 3, found 0"),
    (.takesSilenceForLoss, "conversations.break.stall", "connectionLost"),
    (.failsAgain, "conversations.break.over", "Expected no second error"),
    (.emptyWhenSignedOut, "conversations.session.signed-out", "Expected the call history to throw"),
    (.failsInTheStream, "conversations.failure.server", "Expected the call sendMessageStream to throw"),
    (.repeatsLostMessages, "conversations.failure.lost-answer", "once or not at all"),
    (.hidesCancellation, "conversations.cancellation.stream", "ended as if all were well"),
  ])
  func aWrongConversationServiceIsCaught(
    _ mistake: WrongConversationService.Mistake, _ clause: String, _ message: String
  ) async throws {
    let mutant = Implementation.inMemory.wrapping(as: mistake.rawValue) {
      WrongConversationService(base: $0, mistake: mistake)
    }
    try await expect(Contract.conversationService, toCatch: mutant, in: clause, saying: message)
  }

  @Test(arguments: [
    (WrongRealtimeService.Mistake.takesChangesForInsertions, "realtime.tell.updated", "inserted"),
    (.tellsTwice, "realtime.tell.order", "Expected the changes to be"),
    (.keepsSubscriptionsOfLeavers, "realtime.subscribe.left", "Expected the number of subscriptions to be 1"),
    (.endsQuietly, "realtime.end.broken", "but it returned [nil]"),
    (.keepsSubscriptionsOfLeavers, "realtime.subscribe.unread", "number of subscriptions to be 0, found 1"),
    (.endsQuietly, "realtime.end.session", "Expected the end of the session, found nil"),
    (.endsQuietly, "realtime.end.waiting", "Expected the end of the session, found nil"),
    (.endsQuietly, "realtime.break.drop", "found nil"), (.endsQuietly, "realtime.break.closed", "found nil"),
    (.endsQuietly, "realtime.break.corrupt", "found nil"),
    (.failsAgain, "realtime.end.over", "Expected no second error"),
    (.subscribesAgain, "realtime.end.signed-out", "notSignedIn"),
    (.failsInTheStream, "realtime.refuse.signed-out", "but it returned"),
    (.failsInTheStream, "realtime.refuse.session", "but it returned"),
    (.failsInTheStream, "realtime.refuse.rate", "but it returned"),
    (.takesCancellationForLoss, "realtime.cancellation.before", "connectionLost"),
    (.takesCancellationForLoss, "realtime.cancellation.under-way", "connectionLost"),
  ])
  func aWrongRealtimeServiceIsCaught(
    _ mistake: WrongRealtimeService.Mistake, _ clause: String, _ message: String
  ) async throws {
    let mutant = Implementation.inMemory.wrapping(as: mistake.rawValue) {
      WrongRealtimeService(base: $0, mistake: mistake)
    }
    try await expect(Contract.realtimeService, toCatch: mutant, in: clause, saying: message)
  }

  @Test func everyGroupOfClausesCatchesAMutant() {
    let caught: Set = [
      "conversations.start", "conversations.history", "conversations.send", "conversations.stream",
      "conversations.upstream", "conversations.break", "conversations.session", "conversations.failure",
      "conversations.cancellation", "realtime.tell", "realtime.subscribe", "realtime.end", "realtime.refuse",
      "realtime.break", "realtime.cancellation",
    ]
    let groups =
      Contract.conversationService.clauses.map(\.group) + Contract.realtimeService.clauses.map(\.group)
    #expect(Set(groups) == caught, "A group without a mutant in the tests above proves nothing.")
  }
}
