import Foundation
import SharedServices
import Testing
import UnderstudyTesting

@testable import SharedServicesForum

@Suite(.stallLimit()) struct ThreadRowTests {
  /// Something that may be otherwise in the row, and what is then otherwise in the thread, and nothing else.
  struct Change: Sendable, CustomTestStringConvertible {
    let old: String
    let new: String
    let apply: @Sendable (inout ForumThread) -> Void

    init(_ old: String, _ new: String, _ apply: @escaping @Sendable (inout ForumThread) -> Void) {
      (self.old, self.new, self.apply) = (old, new, apply)
    }

    var testDescription: String { "\(old) to \(new)" }
  }

  private static let changes: [Change] = [
    Change(" closed", "", { $0.isClosed = false }),
    Change(" title_sticky", "", { $0.isSticky = false }), Change(" bm3", "", { $0.bookmark = nil }),
    Change(" bm3", " bm0", { $0.bookmark = .orange }), Change(" bm3", " bm5", { $0.bookmark = .purple }),
    Change(#"<img src="/tags/ask.png?v=2">"#, "", { $0.icons = ["icon-30-attn"] }),
    Change(#"<td class="icon2"><img src="/tags/ask.png?v=2"></td>"#, "", { $0.icons = ["icon-30-attn"] }),
    Change("posticons/icon-30-attn.gif", "a.b.gif", { $0.icons = ["a.b", "ask"] }),
    Change(#"<img src="/5stars.gif" title="12 votes - 4.50 average">"#, "", { $0.rating = nil }),
    Change("12 votes - 4.50", "1 vote - 1.00", { $0.rating = .init(voteCount: 1, average: 1) }),
    Change(#"<a class="count" href="/"><b>17</b></a>"#, "", { $0.reading = .seen(unreadCount: 0) }),
    Change("<b>17</b>", "<b> 0 </b>", { $0.reading = .seen(unreadCount: 0) }),
    Change(" closed", " seen category2", { $0.isClosed = false }),
    Change(" bm3", " bm-1", { $0.bookmark = nil }), Change(" bm3", " bm1 bm-1", { $0.bookmark = .red }),
    // The row of a thread that was moved.
    Change(#"<a href="who.php">56</a>"#, "-", { $0.replyCount = 0 }),
    Change("Kim &amp; Co", "Kim  &amp;&nbsp; Co&#150;", { $0.author.name = "Kim  &\u{A0} Co–" }),
    Change(">Robin<", "> Rob  in&nbsp;<", { $0.lastPostAuthor = "Rob  in\u{A0}" }),
    Change("8:05 AM Jan  3, 2026", "20:05 Jan 3, 2026", { $0.lastPostDate += 12 * 3600 }),
    Change("getinfo&amp;userid=42", "getinfo&userid=43", { $0.author.id = 43 }),
    Change("thread123", "thread9223372036854775807", { $0 = $0.with(id: .max) }),
  ]

  @Test(arguments: changes) func reads(_ change: Change) throws {
    var expected = SamplePage.thread
    change.apply(&expected)
    #expect(expected != SamplePage.thread, "The test changes nothing.")
    let html = SamplePage.html(replacing: [(change.old, change.new)])
    #expect(try SamplePage.read(html).threads == [expected])
  }

  /// A sticky thread that is closed has another class, of another element.
  @Test func aStickyThreadIsClosedByItsTitle() throws {
    let html = SamplePage.html(replacing: [(" closed", ""), ("title_sticky", "title_sticky sticky_closed")])
    #expect(try SamplePage.read(html).threads == [SamplePage.thread])
  }

  /// Readers can turn the column off; a cell that is missing below its head is lost.
  @Test func withoutAColumnOfBookmarksNoThreadHasOne() throws {
    let star = (#"<td class="star bm3"></td>"#, "")
    let html = SamplePage.html(replacing: [star, ("<th>Thread</th>", #"<th class="title">Thread</th>"#)])
    #expect(try SamplePage.read(html).threads.map(\.bookmark) == [nil])
    let lost = SamplePage.html(replacing: [star, ("<th>Thread</th>", #"<th class="star">&nbsp;</th>"#)])
    #expect(throws: DataError.self) { try SamplePage.read(lost) }
  }

  /// In a forum of reviews the rating has the icon.
  @Test func anImageOfAReviewIsAnIcon() throws {
    let html = SamplePage.html(replacing: [
      (#"<td class="icon"><img src="https://img.invalid/posticons/icon-30-attn.gif#30" alt=""></td>"#, ""),
      (#"<td class="icon2"><img src="/tags/ask.png?v=2"></td>"#, ""),
      ("/5stars.gif", "/rate/reviews/4.5stars.gif"),
    ])
    let thread = try #require(try SamplePage.read(html).threads.first)
    #expect(thread.icons == ["4.5stars"] && thread.rating == SamplePage.thread.rating)
  }

  @Test func aThreadWithoutLastSeenWasNeverRead() throws {
    let html = SamplePage.html(replacing: [
      (#"<a class="x" href="/">X</a>"#, ""), (#"<a class="count" href="/"><b>17</b></a>"#, ""),
    ])
    #expect(try SamplePage.read(html).threads.first?.reading == .never)
  }

  /// A missing or wrong part of the row, and its name in the error.
  @Test(arguments: [
    ("thread123\"", "thread\"", "an id"), ("thread123\"", "threadx1\"", "an id"),
    ("thread123\"", "thread-1\"", "an id"),
    // Beyond Int.
    ("thread123\"", "thread9223372036854775808\"", "an id"), (#"class="thread_title""#, "", "a.thread_title"),
    (#"class="star bm3""#, "", "td.star"), (" bm3", " bm6", "bm0 to bm5"), (" bm3", " bm", "bm0 to bm5"),
    (" bm3", " bm3 bm4", "bm0 to bm5"), (" bm3", " bm18446744073709551616", "bm0 to bm5"),
    (#"class="title title_sticky""#, "", "td.title"),
    (#"class="author"><a href="member.php?action"#, #"><a href="member.php?action"#, "td.author"),
    ("userid=42", "userid=", "a[href*=userid]"), ("userid=42", "user=42", "a[href*=userid]"),
    ("userid=42", "userid=99999999999999999999", "a[href*=userid]"), ("Kim &amp; Co", " ", "a[href*=userid]"),
    (">56<", "><", "td.replies"), (">56<", ">-56<", "td.replies"), (">56<", ">056<", "td.replies"),
    (">56<", ">5 6<", "td.replies"),
    (">56<", ">99999999999999999999<", "td.replies"), (#"class="replies""#, "", "td.replies"),
    (#"src="/tags/ask.png?v=2""#, "", "td.icon2"), ("/tags/ask.png", "/", "td.icon2"),
    ("12 votes - 4.50 average", "", "td.rating"), ("12 votes - 4.50", "12 votes - nan", "td.rating"),
    ("12 votes - 4.50", "12 votes - 45.0", "td.rating"), ("12 votes - 4.50", "x votes - 4.50", "td.rating"),
    ("12 votes - 4.50", "12 votes - 4,50", "td.rating"), ("<b>17</b>", "17", "a.count b"),
    ("<b>17</b>", "<b></b>", "a.count b"), ("<b>17</b>", "<b>99999999999999999999</b>", "a.count b"),
    (#"<a class="x" href="/">X</a>"#, "", "a.x"), (#"class="date""#, "", "td.lastpost div.date"),
    ("Jan  3, 2026", "Jan 32, 2026", "td.lastpost div.date"), ("Jan  3, 2026", "", "td.lastpost div.date"),
    (#"<a class="author" href="/">Robin</a>"#, "", "td.lastpost a.author"),
    (">Robin<", "><", "td.lastpost a.author"),
    (#"<td class="views">1,234</td>"#, #"<td class="replies">1</td>"#, "td.replies twice"),
  ])
  func refuses(_ old: String, _ new: String, _ words: String) throws {
    let html = SamplePage.html(replacing: [(old, new)])
    #expect(html != SamplePage.html(), "The test changes nothing.")
    let error = #expect(throws: DataError.self) { try SamplePage.read(html) }
    guard case .parsingError(let message) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(message.contains(words) && message.hasPrefix("The row #thread"), "\(message)")
  }
}

extension ForumThread {
  fileprivate func with(id: Int) -> ForumThread {
    ForumThread(
      id: id, forumID: forumID, title: title, isSticky: isSticky, isClosed: isClosed, icons: icons,
      bookmark: bookmark, author: author, replyCount: replyCount, rating: rating, reading: reading,
      lastPostDate: lastPostDate, lastPostAuthor: lastPostAuthor)
  }
}
