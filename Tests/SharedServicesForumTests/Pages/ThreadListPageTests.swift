import Foundation
import SharedServices
import Testing
import UnderstudyTesting

@testable import SharedServicesForum

@Suite(.stallLimit()) struct ThreadListPageTests {
  @Test func readsEveryFieldOfThePage() throws {
    #expect(
      try SamplePage.read(SamplePage.html())
        == ThreadListPage(
          forumID: 26, number: 2, pageCount: 9, breadcrumbs: ["The Forums", "Games"], acceptsNewThreads: true,
          announcements: [ForumAnnouncement(title: "Be kind", author: "Moderator")],
          threads: [SamplePage.thread]))
  }

  @Test func readsTheSameRowsAsBookmarks() throws {
    let page = try ThreadListPage(
      bookmarks: try ForumPage(Data(SamplePage.html().utf8)), datesIn: .gmt)
    var thread = SamplePage.thread
    thread.forumID = nil
    #expect(page.threads == [thread])
    #expect(page.forumID == nil)
  }

  @Test func anEmptyTableIsAnEmptyList() throws {
    let page = try SamplePage.read(
      SamplePage.html(replacing: [
        (SamplePage.row, ""), (SamplePage.announcement, ""), ("newthread.php", "x.php"),
      ]))
    #expect(page.threads.isEmpty && page.announcements.isEmpty && !page.acceptsNewThreads)
  }

  /// What is replaced, by what, and what the error speaks of.
  ///
  /// None of these is an empty list, or a list less one row.
  @Test(arguments: [
    (#" data-forum="26""#, "", "body[data-forum]"), (#"data-forum="26""#, #"data-forum="x""#, "\"x\""),
    (#"data-forum="26""#, #"data-forum="27""#, "the forum 27"),
    (#"data-forum="26""#, #"data-forum="99999999999999999999""#, "99999999999999999999"),
    (#"id="forum""#, "", "table#forum"), (#"class="breadcrumbs""#, "", "div.breadcrumbs"),
    (#" data-current-page="2""#, "", #"page "" of "9""#),
    (#"data-total-pages="9""#, "data-total-pages", #"of """#),
    (#"data-current-page="2""#, #"data-current-page="0""#, #"page "0""#),
    (#"data-current-page="2""#, #"data-current-page="10""#, #"page "10""#),
    (#"data-current-page="2" data-total-pages="9""#, "", "div.pages"),
    (#"class="thread closed""#, #"class="thraed closed""#, "1 titles of threads and 0 rows"),
    ("<tr class=\"thread closed\" id=\"thread123\">", "", "thread"),
    (#"class="announcement""#, "", "The row without an id"), (">Be kind<", "><", "the title and the author"),
    (SamplePage.row, SamplePage.row + SamplePage.row, "The thread 123 has two rows"),
  ])
  func refuses(_ old: String, _ new: String, _ words: String) throws {
    let html = SamplePage.html(replacing: [(old, new)])
    #expect(html != SamplePage.html(), "The test changes nothing.")
    let error = #expect(throws: DataError.self) { try SamplePage.read(html) }
    guard case .parsingError(let message) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(message.contains(words), "\(message)")
  }

  @Test func aPageWithoutABookmarksFormIsNoListOfBookmarks() throws {
    let page = try ForumPage(
      Data(SamplePage.html(replacing: [(#"name="bookmarks""#, "")]).utf8))
    #expect(throws: DataError.self) { try ThreadListPage(bookmarks: page, datesIn: .gmt) }
  }
}
