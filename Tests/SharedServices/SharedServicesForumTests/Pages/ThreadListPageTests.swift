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

  /// The versions of the forum's software number pages in different ways.
  @Test(arguments: [
    ("", 1, 1), ("Pages ", 1, 1), ("<div class=\"pages\"></div>", 1, 1),
    ("<select><option value=\"1\">1</option><option value=\"2\" selected>2</option></select>", 2, 2),
    ("<select><option>1<option>2<option selected=selected>3<option>4</select>", 3, 4),
    ("<select><option value=1>1<option value=2>2</select>", 1, 2),
  ])
  func readsTheNumbersOfPages(_ html: String, _ number: Int, _ count: Int) throws {
    let attributes = #" data-current-page="2" data-total-pages="9"><select></select>"#
    let page = try SamplePage.read(SamplePage.html(replacing: [(attributes, ">" + html)]))
    #expect(page.number == number && page.pageCount == count)
  }

  @Test(arguments: [
    (#"<a href="/online.php?forumid=26">31 users</a>"#, ["The Forums", "Games"]),
    (
      #"<a href="member.php?userid=9">Alex</a><a href="javascript:x()">x</a><a>y</a>"#,
      ["The Forums", "Games"]
    ),
    (##"<a href="#top">up</a><a href="usercp.php">Panel</a>"##, ["The Forums", "Games"]),
    (#"<div class="pages"><a href="forumdisplay.php?forumid=26">2</a></div>"#, ["The Forums", "Games"]),
    (#"<a href="forumdisplay.php?forumid=26&pagenumber=2">2</a>"#, ["The Forums", "Games"]),
    (
      #"<a href="http://forum.invalid/forumdisplay.php?forumid=27">Chess &  Go</a>"#,
      ["The Forums", "Games", "Chess &  Go"]
    ),
  ])
  func breadcrumbsAreTheWayToTheForum(_ links: String, _ names: [String]) throws {
    let html = SamplePage.html(replacing: [("Games</a>", "Games</a>" + links)])
    #expect(try SamplePage.read(html).breadcrumbs == names)
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
    (#" data-current-page="2" data-total-pages="9""#, "", "div.pages has the pages []"),
    (#"<div class="pages""#, #"<div class="pagse""#, "no div.pages"),
    (
      #" data-current-page="2" data-total-pages="9"><select></select>"#, #"><a href="?pagenumber=2">2</a>"#,
      "no number of the page"
    ),
    (
      #" data-current-page="2" data-total-pages="9"><select>"#,
      #"><select><option value="1">1<option value="3" selected>3"#, #"["1", "3"]"#
    ),
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
