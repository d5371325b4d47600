public import SharedServices
import SharedServicesContracts
import SharedServicesBackends
import SharedServicesDoubles
public import Understudy

extension Mutant where Subject == any ConversationService {
  /// The mutants that the contract must detect.
  public static var all: [Mutant] { ofService + ofTable }

  private static var ofService: [Mutant] {
    [
      wrong(
        .greets, "Begins an empty conversation with a greeting.",
        ["conversations.history.new": #"content: "Welcome!""#]),
      wrong(
        .tellsAllConversations, "Returns the messages of all of the user's conversations.",
        ["conversations.history.apart": "the one's messages to be 2, found 4"]),
      wrong(
        .findsNoOtherHistories, "Finds no conversation that was not started here.",
        [
          "conversations.history.absent": "to find that nothing was said, but it threw",
          "conversations.history.hidden": "to find that nothing was said, but it threw",
        ]),
      wrong(
        .repeatsMessages, "Sends each message twice.",
        ["conversations.send.stored": #"to be ["Hello"], found ["Hello", "Hello"]"#]),
      wrong(
        .sendsNoEmptyMessages, "Does not send an empty message.",
        ["conversations.send.unicode": #"the scalars of "" to be []"#]),
      wrong(
        .answersWithoutAConversation, "Answers with nothing in a conversation that it does not find.",
        [
          "conversations.send.absent": "but it returned",
          "conversations.send.hidden": "but it returned",
          "conversations.refuse.all": "sendMessageStream in a conversation that is of another kind",
        ]),
      wrong(
        .startsUnderOtherIDs, "Starts a conversation under another id if another user has the chosen one.",
        ["conversations.start.id-of-another": "conflict"]),
      wrong(
        .ignoresMessageIDs, "Leaves the id of every message to the table.",
        [
          "conversations.send.again": "Expected the id of the message to be",
          "conversations.send.again-unanswered": "Expected what was said to be",
          "conversations.send.lost": "Expected the ids under which it is stored to be",
        ]),
      wrong(
        .refusesRepetitions, "Refuses to take a message again.",
        ["conversations.send.again": "Expected the call to take the message again"]),
      wrong(
        .repeatsNoAnswers, "Answers a message that is sent again with an empty answer.",
        ["conversations.send.again": "Expected the repeated answer to be"]),
      wrong(
        .storesOtherWordsUnderOtherIDs, "Stores other words with a taken id under another id.",
        ["conversations.send.again-otherwise": "conflict"]),
      wrong(
        .ignoresNormalForms, "Takes a text in another normal form for the same when a message is sent again.",
        ["conversations.send.again-scalars": "conflict"]),
      wrong(
        .waitsForTheWholeAnswer, "Waits for the whole answer, and streams it as one chunk.",
        ["conversations.stream.pieces": "Expected several pieces"]),
      wrong(
        .skipsEmptyChunks, "Leaves out a chunk without text, also if it says that the answer is done.",
        ["conversations.stream.empty-last": "Expected the last chunk alone to be done"]),
      wrong(
        .streamsBytesAsTheyCome, "Reads characters before all of their bytes are there.",
        ["conversations.stream.smallest-pieces": "Expected no replaced characters"]),
      wrong(
        .goesOnAfterDone, "Streams another chunk after the one that is done.",
        [
          "conversations.stream.ends": "Expected the last chunk alone to be done",
          "conversations.stream.done": "Expected the stream to end after",
        ]),
      wrong(
        .keepsItsConnection, "Keeps the connection of an answer open after its last words.",
        ["conversations.upstream.complete": "Expected the source of the answer to be closed"]),
      wrong(
        .mixesAnswers, "Reads every answer from the connection that was opened last.",
        ["conversations.stream.two-at-once": "Expected the answers to be"]),
      wrong(
        .readsAhead, "Reads the whole answer before its consumer asks for it.",
        [
          "conversations.upstream.held-back": "Expected the source to have given 1 chunks",
          "conversations.upstream.unread": "Expected the source to have given 0 chunks at most",
          "conversations.upstream.left": "Expected the source to have given 3 chunks",
        ]),
      wrong(
        .forgetsWhatCame, "Streams nothing of an answer that breaks off.",
        [
          "conversations.break.drop": "chunks before the break to be 3, found 0",
          "conversations.break.corrupt": "chunks before the break to be 3, found 0",
        ]),
      wrong(
        .repeatsUnansweredMessages, "Sends a message again when its answer breaks before the first chunk.",
        ["conversations.break.drop": #"what the user has said to be ["Hello"], found ["Hello", "Hello"]"#]),
      wrong(
        .failsAgain, "Throws the error of a stream again when it is read on.",
        ["conversations.break.over": "Expected no second error"]),
      wrong(
        .staysBroken, "Reads no answer any more once one has broken off.",
        [
          "conversations.break.recovery": "Expected the stream to end well, but it threw",
          "conversations.break.apart": "Expected the stream to end well, but it threw",
        ]),
      wrong(
        .givesUpOnAnExpiredToken, "Exchanges an expired token, and then reports the session as over.",
        ["conversations.session.expired": "to go on unnoticed, but it threw"]),
      wrong(
        .failsInTheStream, "Throws in the stream what the call should throw.",
        ["conversations.failure.server": "Expected the call sendMessageStream to throw"]),
      wrong(
        .hidesTheDelay, "Does not say how long the server wants to be left alone.",
        ["conversations.failure.rate": "rateLimited(retryAfter: nil)"]),
      wrong(
        .hidesCancellation, "Takes a cancelled reader for one that has read the whole answer.",
        ["conversations.cancellation.stream": "ended as if all were well"]),
      wrong(
        .remembersHistories, "Returns the history that it saw last if there is no message.",
        [
          "conversations.refuse.all": "the history of a conversation that is removed",
          "conversations.refuse.previous-user": "the history of a conversation that is the first user's",
        ]),
      wrong(
        .sendsLater, "Keeps what is said without a network, and sends it with the next call.",
        ["conversations.effect.none": "Expected what is stored to be"]),
      wrong(
        .roundsDates, "Reads the dates of messages to the millisecond.",
        ["conversations.effect.dates": "Expected the dates of the messages to be"]),
      wrong(
        .tellsOnePage, "Returns the first thousand messages of a history.",
        ["conversations.effect.long-history": "the number of messages to be 45, found 20"]),
      wrong(
        .hidesSystemMessages, "Leaves out the messages of the service.",
        ["conversations.effect.long-history": "the number of messages to be 45, found 30"]),
      wrong(
        .endsAnswersWithItsSession, "Ends an answer when its user signs out.",
        ["conversations.session.answer": "Expected the stream to end well, but it threw"]),
      wrong(
        .cutsLongMessages, "Sends the first eight thousand characters of a message.",
        ["conversations.effect.long-message": "characters, found [8000"]),
      wrong(
        .endsEarlierAnswers, "Ends an answer when another message is sent.",
        ["conversations.effect.two-messages": "Expected the answer 1 to be done"]),
      wrong(
        .endsSessionAfterTimeouts, "Signs the user out after a time-out.",
        [
          "conversations.session.kept":
            "the session to go on after startConversation while the server does not answer"
        ]),
      wrong(
        .endsSessionWhenLimited, "Signs the user out after too many requests.",
        [
          "conversations.session.limited": "the session to go on after startConversation without an exchange",
          "conversations.session.kept": "the session to go on after startConversation too often",
        ]),
      wrong(
        .buffersForCancelledReaders, "Reads the answer ahead, and gives it to a reader that was cancelled.",
        ["conversations.cancellation.reader-before": "Expected the chunks to be []"]),
    ]
  }

  /// Correct services over a table with a mistake.
  private static var ofTable: [Mutant] {
    [
      Mutant(
        "opensTheMessages", "Has a table of messages whose rows are everybody's.",
        of: .supabase(over: .emulator),
        as: .supabase(
          on: .sharedServices(
            replacing: "ALTER TABLE public.messages ENABLE ROW LEVEL SECURITY;", with: "")),
        killedBy: [
          "conversations.history.hidden": #"content: "Mine""#
        ]),
      Mutant(
        "hidesTheMemory", "Has a table of memories whose rows the user cannot see.",
        of: .supabase(over: .emulator),
        as: .supabase(
          on: .sharedServices(
            replacing: "CREATE POLICY own ON public.child_memory\n  USING (EXISTS (SELECT",
            with: "CREATE POLICY own ON public.child_memory\n  USING (NOT EXISTS (SELECT")),
        killedBy: [
          "conversations.effect.memory": "what the guide received"
        ]),
    ]
  }

  private static func wrong(
    _ mistake: WrongConversationService.Mistake, _ sentence: String, _ killers: KeyValuePairs<String, String>
  ) -> Mutant {
    Mutant(
      mistake.rawValue, sentence, of: .inMemory,
      as: .inMemory { WrongConversationService(base: $0, backend: $1, mistake: mistake) }, killedBy: killers)
  }
}
