public import SharedServices
import SharedServicesContracts
public import Understudy

extension Mutant where Subject == any MessageStreamService {
  /// The mutants that the contract must detect.
  public static var all: [Mutant] {
    telling + sessions + gaps + losses + refusals
  }

  private static var telling: [Mutant] {
    [
      // The first one: its base, whose calls are intercepted, is that of the derived mutants.
      wrong(
        .keepsFollowing, "Keeps following for a follower that has left.",
        [
          "stream.tell.left": "Expected the number of followers to be 1, found 2",
          "stream.cancellation.waiting": "Expected the number of followers to be 0, found 1",
        ], of: .inMemory),
      wrong(.tellsTwice, "Delivers each message twice.", ["stream.tell.order": "Expected the id to be"]),
      wrong(
        .startsAtTheBeginning, "Delivers all messages, even those that the client has.",
        ["stream.tell.after": "Expected the number of updates to be 3, found 250"]),
      wrong(
        .startsAtTheBeginningAfterAnEmptyID, "Takes an empty id for the beginning.",
        ["stream.sessions.position": "found [SharedServices.FeedUpdate.event("]),
      wrong(
        .losesOptions, "Leaves out the possible answers to a question for a permission.",
        [
          "stream.tell.fields": "Expected the event to be",
          "stream.tell.passing": "Expected the events to be",
        ]),
      wrong(
        .tellsNothingOld, "Delivers only new messages to a client that names no message.",
        ["stream.tell.beginning": "Expected what was missed to be"]),
      wrong(
        .tellsAllPiecesSoFar, "Repeats the earlier pieces of an answer with each piece.",
        ["stream.tell.pieces": "Expected the pieces to be"]),
      wrong(
        .tellsOncePerFollower, "Delivers each message as many times as the session has followers.",
        ["stream.tell.several": "Expected the one's messages to be"]),
    ]
  }

  private static var sessions: [Mutant] {
    [
      wrong(
        .followsTheFirstSession, "Follows the first session, whichever is named later.",
        ["stream.sessions.apart": "Other 1"]),
      wrong(
        .tellsLossesToAll, "Reports a lost connection to the followers of every session.",
        ["stream.sessions.gap": "Expected no lost connection in the other session."]),
      wrong(
        .hidesUnknownTypes, "Leaves out messages of unknown types.",
        ["stream.tell.fields": "Expected the number of events to be 26, found 25"]),
    ]
  }

  private static var losses: [Mutant] {
    [
      wrong(
        .abandonsOne, "Reports one abandoned answer of several.",
        ["stream.loss.answers": "Expected the abandoned answers to be"]),
      wrong(
        .abandonsAgain, "Reports abandoned answers again after the next loss.",
        ["stream.loss.answers": "Expected the abandoned answers to be"]),
      wrong(
        .abandonsNothingFromTheHistory, "Abandons no answer where messages came from the history.",
        [
          "stream.loss.abandoned": "Expected the updates to be",
          "stream.loss.reset": "Expected the updates to be",
        ]),
      wrong(
        .takesTheHistoryForParts, "Abandons an answer that comes whole from the history.",
        ["stream.loss.completed": "Expected the updates to be"]),
    ]
  }

  private static var gaps: [Mutant] {
    [
      wrong(
        .hidesReconnecting, "Does not report a lost connection.",
        [
          "stream.gap.missed": "Expected the first update to be",
          "stream.break.drop": "Expected a new connection.",
          "stream.break.closed": "Expected a new connection.",
          "stream.break.corrupt": "Expected a new connection.",
        ]),
      wrong(
        .forgetsWhereItWas, "Delivers new messages, and not those that were missed.",
        [
          "stream.gap.missed": "Expected what was missed to be",
          "stream.gap.refused": "Expected what was missed to be",
        ]),
      wrong(
        .goesOnAtTheLastMessage, "Resumes at the last delivered message instead of after it.",
        [
          "stream.gap.missed": "Expected what was missed to be",
          "stream.gap.unread": "Expected all the messages to be",
          "stream.gap.again": "Expected the messages to be",
          "stream.loss.twice": "Expected the messages to be",
        ]),
      wrong(
        .repeatsPieces, "Delivers the first part of an unfinished answer again.",
        ["stream.gap.pieces": "HelHello", "stream.loss.continued": "HelHello"]),
      wrong(
        .takesPartsForMessages, "Treats a message as whole once it receives a part of an unknown type.",
        ["stream.gap.part": "Expected the piece that was missed to be lo, found ."]),
      wrong(
        .abandonsWhatIsHalfTold, "Abandons every unfinished answer when the connection is lost.",
        ["stream.gap.finished": "Expected the answer not to be abandoned."]),
      wrong(
        .takesResetsForGaps, "Delivers all messages as if they followed the delivered ones.",
        [
          "stream.gap.invalid": "Expected the updates to be",
          "stream.sessions.position": "Expected the updates to be",
          "stream.loss.expired": "Expected the updates to be",
        ]),
      wrong(
        .endsAtALoss, "Ends when the connection is lost.",
        [
          "stream.break.drop": "Expected the messages to be",
          "stream.break.closed": "Expected the messages to be",
          "stream.break.corrupt": "Expected the messages to be",
        ]),
    ]
  }

  private static var refusals: [Mutant] {
    [
      wrong(
        .endsAllWithOne, "Ends every stream once the reader of one has left.",
        ["stream.cancellation.others": "Expected the messages of the other to be"]),
      wrong(
        .failsLater, "Reports what is wrong with the first connection as if it had been made.",
        [
          "stream.refuse.session": "notFound), but it returned",
          "stream.refuse.server": "serverError), but it returned",
        ]),
      wrong(
        .losesTheDelay, "Forgets how long the server asks to be left alone.",
        ["stream.refuse.rate": "rateLimited(retryAfter: nil)"]),
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
