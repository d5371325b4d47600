public import SharedServices
public import Understudy

// Conditions of the forum's contract, in addition to those of all services.

extension Condition where Fixture == ThreadListPage {
  /// A forum has threads of all kinds on one page.
  ///
  /// The fixture is the expected page.
  public static var forumHasThreads: Self { Condition("a forum has threads of all kinds") }

  /// The reader has bookmarks.
  ///
  /// The fixture is the expected page of bookmarks.
  public static var bookmarksAreSet: Self { Condition("the reader has bookmarks") }

  /// A forum has no threads and accepts none.
  ///
  /// The fixture is its page.
  public static var forumIsEmpty: Self { Condition("a forum is empty and closed") }
}

extension Condition where Fixture == [ThreadListPage] {
  /// A forum has several pages of threads.
  ///
  /// The fixture holds all pages.
  public static var forumIsLong: Self { Condition("a forum has several pages") }

  /// The reader has more bookmarks than a page has.
  ///
  /// The fixture holds all pages of the bookmarks.
  package static var bookmarksAreMany: Self { Condition("the bookmarks have several pages") }
}

extension Condition where Fixture == ForumReaders {
  /// Two readers use the same client, one after the other.
  ///
  /// The fixture signs them in; the first one is signed in.
  package static var severalReaders: Self { Condition("there are several readers") }
}

/// The readers of a forum who use one client in turn.
package struct ForumReaders: Sendable {
  /// What a reader sees at first.
  package struct Lists: Sendable, Hashable {
    /// The page of ``Condition/forumHasThreads``.
    package var forum: ThreadListPage
    /// The page of ``Condition/bookmarksAreSet``.
    package var bookmarks: ThreadListPage

    /// Creates the lists of a reader.
    package init(forum: ThreadListPage, bookmarks: ThreadListPage) {
      self.forum = forum
      self.bookmarks = bookmarks
    }
  }

  /// The lists of each reader.
  package let lists: [Lists]
  /// Signs a reader in, in place of the current one.
  package let signIn: @Sendable (_ reader: Int) -> Void

  /// Creates readers.
  package init(lists: [Lists], signIn: @escaping @Sendable (_ reader: Int) -> Void) {
    self.lists = lists
    self.signIn = signIn
  }
}

extension Condition where Fixture == Int {
  /// No forum and no thread has a certain id.
  ///
  /// The fixture is the id.
  public static var idIsFree: Self { Condition("an id is unused") }
}

extension Condition where Fixture == Void {
  /// The reader is banned from the forum.
  public static var readerIsBanned: Self { Condition("the reader is banned") }

  /// The forum's database is down, and its pages report this with a success status.
  public static var databaseIsDown: Self { Condition("the forum's database is down") }

  /// The thread that the call concerns is closed.
  public static var threadIsClosed: Self { Condition("the thread is closed") }

  /// A page with a success status is not one of the forum's pages, such as a captive portal or a maintenance page.
  public static var pageIsUnrecognisable: Self { Condition("the page is not one of the forum's") }

  /// Every call is answered with the first page of a forum, also one that marks or bookmarks a thread.
  public static var everyAnswerIsAList: Self { Condition("every answer is a list of threads") }

  /// A list with a success status ends in the middle of its threads.
  public static var pageIsCutOff: Self { Condition("the page is cut off") }
}

extension Condition where Fixture == String {
  /// The forum refuses with a message of its own.
  ///
  /// The fixture is the message.
  public static var forumObjects: Self { Condition("the forum refuses with a message") }

  /// The reader is not signed in, or no longer.
  ///
  /// The fixture is the forum's message.
  public static var readerIsSignedOut: Self { Condition("the reader is not signed in") }

  /// The reader may change nothing for a while.
  ///
  /// The fixture is the forum's message, which contains the word "probation".
  public static var readerIsOnProbation: Self { Condition("the reader is on probation") }
}
