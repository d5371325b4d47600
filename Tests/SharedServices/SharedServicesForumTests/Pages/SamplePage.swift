import Foundation
import SharedServices

@testable import SharedServicesForum

/// A page of the forum, written by hand, of which a test changes one part.
struct SamplePage {
  static let row = """
    <tr class="thread closed" id="thread123">
    <td class="star bm3"></td>
    <td class="icon"><img src="https://img.invalid/posticons/icon-30-attn.gif#30" alt=""></td>
    <td class="icon2"><img src="/tags/ask.png?v=2"></td>
    <td class="title title_sticky"><div class="lastseen"><a class="x" href="/">X</a>
    <a class="count" href="/"><b>17</b></a></div><div class="info">
    <a class="thread_title" href="showthread.php?threadid=123">
    A <b>bold <i>and</i></b>  italic title</a><a href="2">2</a></div></td>
    <td class="author"><a href="member.php?action=getinfo&amp;userid=42">Kim &amp; Co</a></td>
    <td class="replies"><a href="who.php">56</a></td><td class="views">1,234</td>
    <td class="rating"><img src="/5stars.gif" title="12 votes - 4.50 average"></td>
    <td class="lastpost"><div class="date">8:05 AM Jan  3, 2026</div><a class="author" href="/">Robin</a></td>
    </tr>
    """

  static let announcement = """
    <tr class="thread"><td class="star"></td><td class="title"><a class="announcement" href="a.php">Be kind</a></td>
    <td class="author"><a href="member.php?userid=1">Moderator</a></td></tr>
    """

  static let thread = ForumThread(
    id: 123, forumID: 26, title: "A bold and  italic title", isSticky: true, isClosed: true,
    icons: ["icon-30-attn", "ask"], bookmark: .cyan, author: ForumUser(id: 42, name: "Kim & Co"),
    replyCount: 56,
    rating: .init(voteCount: 12, average: 4.5), reading: .seen(unreadCount: 17),
    lastPostDate: Date(timeIntervalSince1970: 1_767_427_500), lastPostAuthor: "Robin")

  /// The page of the forum 26 with the sample rows, of which parts are replaced.
  static func html(replacing changes: [(String, String)] = []) -> String {
    let page = """
      <!DOCTYPE html><html><head><title>Forum</title></head><body class="forumdisplay" data-forum="26">
      <div class="breadcrumbs"><a href="/">The Forums</a> &gt; <a href="?forumid=26">Games</a></div>
      <ul class="postbuttons"><li><a href="newthread.php?forumid=26"><img src="n.gif"></a></li></ul>
      <div class="pages" data-current-page="2" data-total-pages="9"><select></select></div>
      <form name="bookmarks"><table class="standard" id="forum"><thead><tr><th>Thread</th></tr></thead>
      <tbody>
      \(announcement)
      \(row)
      </tbody></table></form></body></html>
      """
    return changes.reduce(page) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
  }

  static func read(_ html: String) throws(DataError) -> ThreadListPage {
    try ThreadListPage(try ForumPage(Data(html.utf8)), ofForum: 26, datesIn: .gmt)
  }
}
