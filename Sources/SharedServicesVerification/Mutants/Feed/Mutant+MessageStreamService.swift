public import SharedServices
import SharedServicesContracts
public import Understudy

extension Mutant where Subject == any MessageStreamService {
  /// The mutants that the contract must detect.
  public static var all: [Mutant] {
    telling + gaps + refusals
  }

  private static var telling: [Mutant] {
    [
      wrong(
        .tellsTwice, "Tells each message twice.",
        ["stream.tell.order": "Expected the id to be"]),
      wrong(
        .startsAtTheBeginning, "Tells everything, whatever its caller has.",
        ["stream.tell.after": "Expected what was missed to be"]),
      wrong(
        .tellsNothingOld, "Tells whoever names no message only what is new.",
        ["stream.tell.beginning": "Expected what was missed to be"]),
      wrong(
        .tellsAllPiecesSoFar, "Tells with each piece of an answer those before it too.",
        ["stream.tell.pieces": "Expected the pieces to be"]),
      wrong(
        .hidesWhatIsBegun, "Tells of an answer that was begun only the pieces that are new.",
        ["stream.tell.begun": "Expected what was written to be"]),
      wrong(
        .losesTheCost, "Leaves out what a session costs.",
        ["stream.tell.passing": "totalCost: nil"]),
      wrong(
        .tellsOncePerFollower, "Tells each who follows what all the others are told too.",
        ["stream.tell.several": "Expected what the one is told to be"]),
      wrong(
        .keepsFollowing, "Follows for whoever has left.",
        [
          "stream.tell.left": "Expected how many follow to be 1, found 2",
          "stream.cancellation.waiting": "Expected how many follow to be 0, found 1",
        ], of: .inMemory),
    ]
  }

  private static var gaps: [Mutant] {
    [
      wrong(
        .hidesReconnecting, "Says nothing of a connection that is lost.",
        [
          "stream.gap.missed": "Expected what is told first to be",
          "stream.break.drop": "Expected a new connection.",
          "stream.break.closed": "Expected a new connection.",
          "stream.break.corrupt": "Expected a new connection.",
        ]),
      wrong(
        .tellsTheNewestFirst, "Tells of what was missed the newest first.",
        [
          "stream.tell.beginning": "Expected what was missed to be",
          "stream.gap.missed": "Expected what was missed to be",
        ]),
      wrong(
        .forgetsWhereItWas, "Goes on with what comes, and not with what was missed.",
        [
          "stream.gap.missed": "Expected what was missed to be",
          "stream.gap.refused": "Expected what was missed to be",
        ]),
      wrong(
        .goesOnAtTheLastMessage, "Goes on at the last message that it told instead of behind it.",
        [
          "stream.gap.missed": "Expected what was missed to be",
          "stream.gap.unread": "Expected all that is told to be",
          "stream.gap.again": "Expected the messages to be",
        ]),
      wrong(
        .repeatsPieces, "Tells of an answer that is half told the first half again.",
        ["stream.gap.pieces": "HelHello"]),
      wrong(
        .takesPartsForMessages, "Takes a message to be whole once a part of it comes that nobody knows.",
        ["stream.gap.part": "Expected the piece that was missed to be lo, found ."]),
      wrong(
        .abandonsWhatIsHalfTold, "Gives up every answer that is half told when the connection is lost.",
        ["stream.gap.finished": "Expected the answer not to be abandoned."]),
      wrong(
        .hidesAbandonedAnswers, "Says nothing of an answer that will never be whole.",
        ["stream.gap.abandoned": "Expected what is told to be"]),
      wrong(
        .hidesGaps, "Says nothing of what the stream does not know any more.",
        ["stream.gap.evicted": "Expected 129 messages of the history, found 0"]),
      wrong(
        .takesResetsForGaps, "Tells all that there is as if it came behind what was told.",
        ["stream.gap.invalid": "Expected what is told to be"]),
      wrong(
        .saysTwiceThatItReconnects, "Says at the loss and at the first try that it reconnects.",
        ["stream.gap.refused": "Expected how often it says that it reconnects to be 1, found 2"]),
      wrong(
        .endsAtALoss, "Ends when the connection is lost.",
        [
          "stream.break.drop": "Expected the messages to be",
          "stream.break.closed": "Expected the messages to be",
          "stream.break.corrupt": "Expected the messages to be",
        ]),
      wrong(
        .endsQuietly, "Ends without an error when it gives up.",
        ["stream.gap.gives-up": "Expected the server's error, found nil"]),
    ]
  }

  private static var refusals: [Mutant] {
    [
      wrong(
        .failsLater, "Reports what is wrong with the first connection as if it had been made.",
        [
          "stream.refuse.session": "notFound), but it returned",
          "stream.refuse.server": "serverError), but it returned",
        ]),
      wrong(
        .takesNoConnectionForTimeouts, "Reports that there is no network as a time-out.",
        ["stream.refuse.offline": "but it threw network(SharedServices.NetworkError.timeout)"]),
      wrong(
        .takesTimeoutsForLoss, "Reports a time-out as a lost connection.",
        ["stream.refuse.no-answer": "but it threw network(SharedServices.NetworkError.connectionLost)"]),
      wrong(
        .losesTheDelay, "Forgets how long the server asks to be left alone.",
        ["stream.refuse.rate": "rateLimited(retryAfter: nil)"]),
      wrong(
        .takesCancellationForLoss, "Reports a cancellation as a lost connection.",
        [
          "stream.cancellation.before":
            "Expected the call updates to throw cancelled, but it threw network(SharedServices.NetworkError.connectionLost)",
          "stream.cancellation.under-way":
            "Expected the call updates to throw cancelled, but it threw network(SharedServices.NetworkError.connectionLost)",
        ]),
    ]
  }

  private static func wrong(
    _ mistake: WrongMessageStreamService.Mistake, _ sentence: String,
    _ killers: KeyValuePairs<String, String>,
    of base: Implementation<Subject> = .live(over: .emulator)
  ) -> Mutant {
    Mutant(mistake.rawValue, sentence, of: base, killedBy: killers) {
      WrongMessageStreamService(base: $0, mistake: mistake)
    }
  }
}
