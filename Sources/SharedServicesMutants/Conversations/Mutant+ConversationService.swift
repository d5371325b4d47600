public import SharedServices
import SharedServicesContracts
public import UnderstudyContracts

extension Mutant where Subject == any ConversationService {
  /// Every wrong implementation that the contract must notice.
  public static var all: [Mutant] {
    [
      wrong(
        .startsForAnyChild, "Starts for any child.",
        [
          "conversations.start.hidden-child": "but it returned",
          "conversations.start.absent-child": "but it returned",
        ]),
      wrong(
        .tellsNewestFirst, "Tells newest first.",
        [
          "conversations.history.order": "Expected what was said to be"
        ]),
      wrong(
        .repeatsMessages, "Repeats messages.",
        [
          "conversations.send.stored": #"to be ["Hello"], found ["Hello", "Hello"]"#
        ]),
      wrong(
        .waitsForTheWholeAnswer, "Waits for the whole answer.",
        [
          "conversations.stream.pieces": "Expected several pieces"
        ]),
      wrong(
        .losesSources, "Loses sources.",
        [
          "conversations.stream.sources": "Expected the sources in the stream to be"
        ]),
      wrong(
        .trimsText, "Trims text.",
        [
          "conversations.stream.pieces": "Expected the stored answer to be"
        ]),
      wrong(
        .streamsBytesAsTheyCome, "Streams bytes as they come.",
        [
          "conversations.stream.smallest-pieces": "Expected no replaced characters"
        ]),
      wrong(
        .goesOnAfterDone, "Goes on after done.",
        [
          "conversations.stream.ends": "Expected the last chunk alone to be done",
          "conversations.stream.done": "Expected the stream to end after",
        ]),
      wrong(
        .readsAhead, "Reads ahead.",
        [
          "conversations.upstream.held-back": "Expected the source to have given 1 chunks",
          "conversations.upstream.unread": "Expected the source to have given 0 chunks at most",
          "conversations.upstream.left": "Expected the source to have given 3 chunks",
        ]),
      wrong(
        .takesLossForSuccess, "Takes loss for success.",
        [
          "conversations.break.drop": "ended as if all were well",
          "conversations.break.ends-early": "ended as if all were well",
        ]),
      wrong(
        .forgetsWhatCame, "Forgets what came.",
        [
          "conversations.break.drop": "chunks before the break to be 3, found 0",
          "conversations.break.corrupt": "chunks before the break to be 3, found 0",
        ]),
      wrong(
        .takesSilenceForLoss, "Takes silence for loss.",
        [
          "conversations.break.stall": "connectionLost"
        ]),
      wrong(
        .failsAgain, "Fails again.",
        [
          "conversations.break.over": "Expected no second error"
        ]),
      wrong(
        .emptyWhenSignedOut, "Empty when signed out.",
        [
          "conversations.session.signed-out": "Expected the call history to throw"
        ]),
      wrong(
        .failsInTheStream, "Fails in the stream.",
        [
          "conversations.failure.server": "Expected the call sendMessageStream to throw"
        ]),
      wrong(
        .repeatsLostMessages, "Repeats lost messages.",
        [
          "conversations.failure.lost-answer": "once or not at all"
        ]),
      wrong(
        .hidesCancellation, "Hides cancellation.",
        [
          "conversations.cancellation.stream": "ended as if all were well"
        ]),
    ]
  }

  private static func wrong(
    _ mistake: WrongConversationService.Mistake, _ sentence: String, _ killers: KeyValuePairs<String, String>
  ) -> Mutant {
    Mutant(mistake.rawValue, sentence, of: .inMemory, killedBy: killers) {
      WrongConversationService(base: $0, mistake: mistake)
    }
  }
}
