public import SharedServices
import SharedServicesContracts
public import UnderstudyContracts

extension Mutant where Subject == any ForumsClient {
  /// Every wrong implementation that the contract must notice.
  public static var all: [Mutant] {
    [
      wrong(
        .newestFirst, "Newest first.",
        [
          "forum.threads.order": "Expected the ids to be [104, 101,"
        ]),
      wrong(
        .losesRatings, "Loses ratings.",
        [
          "forum.threads.fields": "Expected the thread 101 to be"
        ]),
      wrong(
        .closesSticky, "Closes sticky.",
        [
          "forum.threads.state": "to be [104, 108], found [104, 101, 108]"
        ]),
      wrong(
        .normalisesText, "Normalises text.",
        [
          "forum.threads.text": "Expected the scalars of the titles and the names"
        ]),
      wrong(
        .takesNeverForRead, "Takes never for read.",
        [
          "forum.threads.reading": "Expected which threads have unread posts"
        ]),
      wrong(
        .takesNoonForMidnight, "Takes noon for midnight.",
        [
          "forum.threads.dates": "Expected the dates to be"
        ]),
      wrong(
        .losesAnnouncements, "Loses announcements.",
        [
          "forum.pages.frame": "Expected the page without its threads"
        ]),
      wrong(
        .emptyBeyondTheEnd, "Empty beyond the end.",
        [
          "forum.pages.beyond": "Expected the number of the page to be 3, found 999"
        ]),
      wrong(
        .knowsOneColour, "Knows one colour.",
        [
          "forum.bookmarks.colours": "Expected the number of colours in the forum to be 6, found 1"
        ]),
      wrong(
        .keepsHiddenForums, "Keeps hidden forums.",
        [
          "forum.bookmarks.own": "Expected the page to be"
        ]),
      wrong(
        .marksOneMore, "Marks one more.",
        [
          "forum.marks.up-to": "to be Optional(SharedServices.ForumThread.Reading.seen(unreadCount: 2))"
        ]),
      wrong(
        .neverMovesBack, "Never moves back.",
        [
          "forum.marks.back": "what the reader has seen of the thread 101"
        ]),
      wrong(
        .emptyWhenBanned, "Empty when banned.",
        [
          "forum.refuse.banned": "Expected the call threads to throw"
        ]),
      wrong(
        .losesTheWords, "Loses the words.",
        [
          "forum.refuse.words": "Something went wrong."
        ]),
      wrong(
        .emptyWhenServerFails, "Empty when server fails.",
        [
          "forum.failure.server": "but it returned"
        ]),
      wrong(
        .emptyWhenUnrecognisable, "Empty when unrecognisable.",
        [
          "forum.failure.unrecognisable": "Expected the call threads to throw a parsing error"
        ]),
      wrong(
        .takesLostMarksBack, "Takes lost marks back.",
        [
          "forum.failure.lost-answer": "found Optional(SharedServices.ForumThread.Reading.never)"
        ]),
      wrong(
        .tiresAfterThreeMarks, "Tires after three marks.",
        [
          "forum.concurrency.marks": "Expected the number of unread threads to be 0"
        ]),
      wrong(
        .ignoresCancellation, "Ignores cancellation.",
        [
          "forum.cancellation.before": "Expected the call threads to throw cancelled"
        ]),
    ]
  }

  private static func wrong(
    _ mistake: WrongForumsClient.Mistake, _ sentence: String, _ killers: KeyValuePairs<String, String>
  ) -> Mutant {
    Mutant(mistake.rawValue, sentence, of: .inMemory, killedBy: killers) {
      WrongForumsClient(base: $0, mistake: mistake)
    }
  }
}
