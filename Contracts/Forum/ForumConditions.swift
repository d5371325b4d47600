public import SharedServices
public import Understudy

// The circumstances that the contract of the forum asks for, beside those of all services.

extension Condition where Fixture == ThreadListPage {
  /// A forum has threads of all kinds on one page; with the page as it must be shown.
  public static var forumHasThreads: Self { Condition("a forum has threads of all kinds") }

  /// The reader has bookmarks; with the page of them as it must be shown.
  public static var bookmarksAreSet: Self { Condition("the reader has bookmarks") }

  /// A forum has no threads and takes none; with its page.
  public static var forumIsEmpty: Self { Condition("a forum is empty and closed") }
}

extension Condition where Fixture == [ThreadListPage] {
  /// A forum has more threads than a page; with all pages.
  public static var forumIsLong: Self { Condition("a forum has several pages") }
}

extension Condition where Fixture == Int {
  /// There is no forum and no thread of a certain id; with the id.
  public static var idIsFree: Self { Condition("there is nothing of an id") }
}

extension Condition where Fixture == Void {
  /// The reader is banned from the forum.
  public static var readerIsBanned: Self { Condition("the reader is banned") }

  /// The forum's database is down, and its pages say so with a success.
  public static var databaseIsDown: Self { Condition("the forum's database is down") }

  /// What the reader asks about takes no more answers.
  public static var threadIsClosed: Self { Condition("the thread is closed") }

  /// A page comes with a success that is none of the forum's: of a hotel's network, or of the people who maintain it.
  public static var pageIsUnrecognisable: Self { Condition("the page is none of the forum's") }

  /// A list comes with a success and ends in the middle of its threads, as where whoever makes or keeps it gave up.
  public static var pageIsCutOff: Self { Condition("the page is cut off") }
}

extension Condition where Fixture == String {
  /// The forum says no in words of its own; with the words.
  public static var forumObjects: Self { Condition("the forum objects") }
}
