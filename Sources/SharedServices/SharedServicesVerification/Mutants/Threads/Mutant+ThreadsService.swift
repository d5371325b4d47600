public import SharedServices
import SharedServicesContracts
public import Understudy

extension Mutant where Subject == any ThreadsService {
  /// The mutants that the contract must detect.
  public static var all: [Mutant] {
    [
      wrong(
        .showsTheLastPage, "Shows the page that was loaded last as the whole list.",
        ["threads-service.load.pages": "Expected what is stored after page 2 in step 1 to be"]),
      wrong(
        .emptyBeyondTheEnd, "Makes up an empty page beyond the last one.",
        ["threads-service.load.beyond": "Expected the page to be"]),
      wrong(
        .forgetsTheOtherForum, "Has only the forum that was loaded last.",
        ["threads-service.load.forums": "Expected what is stored of the forum that was not loaded to be"]),
      wrong(
        .answersForTheLastCall, "Answers every call under way with the list of the last.",
        ["threads-service.race.lists": "Expected the page of the forum to be"]),
      wrong(
        .marksAllThatIsStored, "Marks posts as seen that the reader was not shown.",
        ["threads-service.mark.up-to": "Expected what is stored after 2 newer answers to be"]),
      wrong(
        .marksUnreadAsSeen, "Marks a thread as read up to its first post, where it is to be as never read.",
        ["threads-service.mark.unread": "Expected what is stored after the mark of thread"]),
      wrong(
        .editsWhatItShowed, "Changes only threads of a forum that it has loaded.",
        [
          "threads-service.edit.not-stored": "Expected what is posted to be",
          "threads-service.edit.anywhere": "Expected what was seen of the hidden thread to be",
        ]),
      wrong(
        .repeatsFailedMarks, "Repeats a mark that failed without a network when it next reads the store.",
        ["threads-service.failure.forum": "Expected what is stored while the device is offline to be"]),
      wrong(
        .losesTheWords, "Puts words of its own in the place of the forum's.",
        ["threads-service.failure.refused": "Something went wrong."]),
      wrong(
        .loadsToRead, "Loads a forum to read what is stored.",
        ["threads-service.failure.offline-reading": "to read what is stored, but it threw"]),
      wrong(
        .asksTheStoreFirst, "Reads the store before it asks the forum.",
        ["threads-service.failure.first": "but it threw storeError"]),
      wrong(
        .staysOffline, "Believes for one more call that there is no network.",
        ["threads-service.failure.again": "to succeed afterwards, but it threw"]),
      wrong(
        .hidesLostAnswers, "Reports success when an answer is lost.", of: .forum,
        ["threads-service.failure.lost-answer": "connectionLost), but it returned"]),
      wrong(
        .ignoresCancellation, "Reads the store in a task that was cancelled.",
        ["threads-service.cancellation.before": "Expected the call sections to throw cancelled"]),
      wrong(
        .emptyWhenCancelled, "Shows an empty list when it was cancelled under way.", of: .forum,
        [
          "threads-service.cancellation.under-way": "to throw cancelled, but it returned",
          "threads-service.cancellation.loaded": "to throw cancelled, but it returned",
        ]),
      wrong(
        .throwsAfterItStored, "Reports a change as cancelled that the forum and the store have.", of: .forum,
        ["threads-service.cancellation.accepted": "Expected the call markRead to succeed, but it threw"]),
      wrong(
        .sharesCancellation, "Gives up every call that is under way when one is cancelled.",
        ["threads-service.cancellation.others": "to succeed, but it threw cancelled"]),
      wrong(
        .marksUnreadDuringLoads, "Marks a thread as unread where it is to be as read, during a load.",
        ["threads-service.race.edit": "Expected what is stored after all calls to be"]),
      wrong(
        .reportsEveryLoad, "Reports an empty list to observers after each load.",
        ["threads-service.observe.nothing": "Expected the first change to be"]),
      Mutant(
        "plain", "Stores a page that the forum made before a change, as seed 002 does.", of: .forum,
        as: .forum(named: "plain") { client, repository, _ in
          PlainThreadsService(client: client, repository: repository)
        },
        killedBy: ["threads-service.race.stored-late": "Expected what is stored after all calls to be"]),
      Mutant(
        "shares-store", "Keeps the threads of all readers of a device in one store.", of: .forum,
        as: .forum(named: "shares-store", sharingStore: true) {
          ForumThreadsService(client: $0, repository: $1, notifications: $2)
        },
        killedBy: ["threads-service.readers.apart": "Expected what is stored for the other reader to be"]),
    ]
  }

  private static func wrong(
    _ mistake: WrongThreadsService.Mistake, _ sentence: String,
    of base: Implementation<Subject> = .inMemory, _ killers: KeyValuePairs<String, String>
  ) -> Mutant {
    Mutant(mistake.rawValue, sentence, of: base, killedBy: killers) {
      WrongThreadsService(base: $0, mistake: mistake)
    }
  }
}
