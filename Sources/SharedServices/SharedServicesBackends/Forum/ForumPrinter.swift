import Foundation
import SharedServices

/// Prints the pages of a forum in the structure and with the oddities of the software's own.
struct ForumPrinter: Sendable {
  private let formatter: DateFormatter
  private let markup: ForumEmulator.Markup

  init(clock: ForumEmulator.Clock, timeZone: TimeZone, markup: ForumEmulator.Markup) {
    self.markup = markup
    formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = timeZone
    formatter.dateFormat = clock == .twelveHours ? "h:mm a MMM d, yyyy" : "HH:mm MMM d, yyyy"
  }

  // MARK: - Pages

  func list(_ page: ThreadListPage, perPage: Int) -> String {
    guard let id = page.forumID else { preconditionFailure("A page of a forum has the id of the forum.") }
    let name = page.breadcrumbs.last ?? ""
    let button =
      page.acceptsNewThreads
      ? #"<a href="newthread.php?action=newthread&amp;forumid=\#(id)"><img src="//images.invalid/post.gif" alt="New thread"></a>"#
      : ""
    let address = "forumdisplay.php?forumid=\(id)&amp;daysprune=30&amp;perpage=\(perPage)"
    let (top, bottom) = (pages(page, "top", address), pages(page, "bottom", address))
    return document(
      name, "forumdisplay forum_\(id)", #" data-forum="\#(id)""#,
      """
      \(markup == .old ? top + "\n" : "")\(crumbs(page.breadcrumbs, forumID: id, pages: markup == .old ? "" : top))
      <table id="subforums" summary="Subforums"><thead><tr><th>Title - Description</th><th>Topics</th></tr></thead>
      <tbody><tr class="subforum"><td class="title"><a href="forumdisplay.php?forumid=90\(id)">Annex</a></td>
      <td class="topics">3</td></tr></tbody></table>
      <div id="filter"><div class="thread_tags"><a class="if" href="/forumdisplay.php?forumid=\(id)&amp;posticon=7">\
      <img src="//images.invalid/posticons/news.png" alt="News" title="News"></a></div></div>
      \(table(page, address: address))
      <div class="forumbar"><ul class="postbuttons"><li><a href="modqueue.php">Queue</a></li><li>\(button)</li></ul></div>
      \(bottom)
      \(crumbs(page.breadcrumbs, forumID: id, pages: ""))
      """)
  }

  func bookmarks(_ page: ThreadListPage, perPage: Int) -> String {
    let address = "bookmarkthreads.php?perpage=\(perPage)&amp;sortorder=desc&amp;sortfield="
    // Here the div of the bottom is empty, and another one without a class follows it.
    return document(
      "Bookmarked threads", "bookmark_threads", "",
      """
      <div class="breadcrumbs"><b><a href="index.php">The Forums</a> &gt; Bookmarked Threads</b></div>
      <form method="POST" action="/bookmarkthreads.php" name="bookmarks">
      \(pages(page, "", address))
      \(table(page, address: address))
      <div class="forumbar"><ul class="postbuttons"><li></li></ul></div>
      <div class="pages bottom">
      </div>
      \(pages(page, "", address))
      <!--
      <input type="hidden" name="action" value="massremove"></form>
      -->
      """)
  }

  /// The page of a thread, without its posts.
  func thread(_ thread: ForumThread) -> String {
    let forum = thread.forumID.map { (classes: " forum_\($0)", attribute: #" data-forum="\#($0)""#) }
    return document(
      thread.title, "showthread\(forum?.classes ?? "") thread_\(thread.id)",
      #"\#(forum?.attribute ?? "") data-thread="\#(thread.id)""#,
      """
      <div class="breadcrumbs"><b><a href="/">The Forums</a> &gt; \
      <a class="bclast" href="showthread.php?threadid=\(thread.id)">\(thread.title.html)</a></b></div>
      <div id="thread" class="thread:\(thread.id)"></div>
      """)
  }

  /// A page that leads to a thread after an action.
  func redirection(toThread id: Int, _ words: String) -> String {
    message(
      "standardredirect", "Redirecting...",
      #"\#(words.html)<br><br><a href="showthread.php?threadid=\#(id)">Click here if you do not want to wait</a>"#,
      head: #"<meta http-equiv="Refresh" content="00; URL=showthread.php?threadid=\#(id)">"#)
  }

  /// The page for a refusal.
  func refusal(_ refusal: ForumRefusal) -> String {
    switch refusal {
    case .databaseDown:
      """
      <!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">
      <html>
      <head><title>Database Unavailable</title>
      <style type="text/css">body { margin:0 40px; } div.note { padding:4px; }</style></head>
      <body id="board" class="database_error">
      <div id="closemsg"><div id="msg"><h1>Database Unavailable!</h1>
      The database is resting. Please try again in a while.<br><br>
      <div class="note"><b>Dear reader,</b><br>this will pass.</div><hr></div></div></body></html>
      """
    case .banned:
      """
      <!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "//www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
      <html xmlns="//www.w3.org/1999/xhtml"><head>
      <meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1"><title>Banned</title></head>
      <body id="board" class="banned"><h1>You have been banned.</h1><img src="banned.jpg" alt="Banned"></p>
      <p><a href="/banlist.php?userid=7&amp;actfilt=-1">The reason is here.</a></p></body></html>
      """
    case .threadClosed:
      message(
        "standardredirect", "Redirecting...",
        "Sorry! This thread is closed! You will now be returned to the thread.<br>\n<br>\n",
        head: #"<meta http-equiv="Refresh" content="00; URL=showthread.php">"#)
    case .notSignedIn(let words):
      """
      <!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "//www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
      <html xmlns="//www.w3.org/1999/xhtml"><head><title>Guests</title></head>
      <body id="board"><div id="notregistered"><p class="reason">\(words.html)</p>
      <p><a href="/account.php?action=loginform">Log in</a></p></div></body></html>
      """
    case .other(let words):
      message(
        "standarderror", "A message for you",
        "\(words.html)<br>\n<br>\n<b>What now?</b> Ask <a href=\"/supportmail.php\">our support</a>.")
    }
  }

  private func message(_ kind: String, _ title: String, _ html: String, head: String = "") -> String {
    document(
      "The Forums", kind, "",
      """
      <center>
      <div class="standard" id="main_wide">
      <h2>\(title.html)</h2>
      <div class="inner">
      \(html)
      </div>
      </div>
      </center>
      """, head: head)
  }

  // MARK: - The frame

  private func document(
    _ title: String, _ classes: String, _ attributes: String, _ content: String, head: String = ""
  ) -> String {
    // The old version closes the head with an element of the body, and goes on with scripts as if it had not.
    let name = #"<div style="display:none;" id="loggedinusername">Robin</div>"#
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <title>\(title.unescapedWhereHarmless) - The Forums</title>
      <meta http-equiv="X-UA-Compatible" content="chrome=1">\(head)
      <!--[if lt IE 8]><link rel="stylesheet" type="text/css" href="/css/old.css"><![endif]-->
      <link ref="icon" href="//images.invalid/icon.png" sizes="16x16">
      <script type="text/javascript" src="//scripts.invalid/forums.js"></script>
      \(markup == .old ? name : "")
      <script>
      if (1 < 2 && window.board) { document.write("<body class='script'><table id=\\"forum\\">"); }
      </script>
      <link rel="stylesheet" type="text/css" href="/css/forums.css" />
      </head>
      <body id="board" class="\(classes)"\(attributes)>
      \(markup == .old ? "" : name)
      <div id="container">
      <ul id="navigation" class="navigation">
      <li class="first"><a href="/index.php">The Forums</a></li>
      <li>- <a href="/account.php?action=logout&amp;ma=00000000">Log Out</a></li>
      </ul>
      <div id="content">
      \(content)
      </div><!-- #content -->
      <form class="forum_jump" action="forumdisplay.php" method="get"><select name="forumid">
      <option value="-1" selected>Jump to another forum:</option></select></form>
      </div>
      <ol id="debug" style="display:none"><li>&nbsp;</ol>
      </body>
      </html>

      """
  }

  /// The way to a forum, with links to the reader's page, to moderators and, in the current version, to pages.
  private func crumbs(_ names: [String], forumID: Int, pages: String) -> String {
    let links = names.enumerated().map { place, name in
      let isLast = place == names.count - 1
      let address =
        place == 0 && !isLast ? "/" : "forumdisplay.php?forumid=\(isLast ? forumID : 900 + place)"
      return
        #"<a href="\#(address)"\#(isLast ? #" class="bclast""# : "")>\#(name.unescapedWhereHarmless)</a>"#
    }
    return """
      <div class="breadcrumbs"><span class="mainbodytextlarge"><b>\(links.joined(separator: " &gt; "))</b></span> \
      <span class="online_users">(<a href="/online.php?forumid=\(forumID)">31 users browsing</a>)</span>
      \(pages)
      <div id="mp_bar"><div id="mods">(Mods: <b><a href="member.php?action=getinfo&amp;userid=9">Alex</a></b>)</div>
      </div></div>
      """
  }

  private func pages(_ page: ThreadListPage, _ place: String, _ address: String) -> String {
    let classes = place.isEmpty ? "pages" : "pages \(place)"
    // A list of one page has no numbers.
    guard page.pageCount > 1 else { return #"<div class="\#(classes)"></div>"# }
    let options = (1...page.pageCount).map { number in
      let selected = number == page.number ? #" selected="selected""# : ""
      return #"<option value="\#(number)"\#(selected)>\#(number)</option>"#
    }
    let attributes =
      markup == .old
      ? ""
      : #" data-current-page="\#(page.number)" data-total-pages="\#(page.pageCount)" data-base-url="\#(address)""#
    return """
      <div class="\(classes)"\(attributes)><span class="disabled">&laquo;</span>\
      <select data-url="\(address)">\(options.joined())</select>\
      <a href="\(address)&pagenumber=\(page.pageCount)" title="Last page">\(page.pageCount) &raquo;</a></div>
      """
  }

  // MARK: - Rows

  private func table(_ page: ThreadListPage, address: String) -> String {
    // Some forums have a second icon, in all rows.
    let columns = Columns(
      hasSecondIcon: page.threads.contains { $0.icons.count > 1 },
      linksIcons: page.forumID != nil || markup == .old,
      linksHeads: page.forumID != nil)
    let announcements = page.announcements.map { announcement($0, forumID: page.forumID ?? 0, columns) }
    func head(_ name: String, _ text: String, sortedBy field: String) -> String {
      let link = #"<a href="\#(address)&amp;sortorder=desc&amp;sortfield=\#(field)">\#(text)</a> "#
      return #"<th class="\#(name)">\#(columns.linksHeads ? link : text)</th>"#
    }
    return """
      <table id="forum" summary="Threads" class="threadlist ">
      <caption>Threads</caption>
      <thead>
      <tr>
      <th class="star">&nbsp;</th>
      <th class="icon">Icon</th>
      \(columns.hasSecondIcon ? #"<th class="icon2">&nbsp;</th>"# : "")
      \(head("title", "Title (Pages)", sortedBy: "threadcreate"))
      <th class="author">Author</th>
      \(head("replies", #"<abbr title="Replies">Re</abbr>"#, sortedBy: "replycount"))
      <th class="views">Views</th>
      \(head("rate", "Rating", sortedBy: "voteavg"))
      <th class="lastpost"><a href="\(address)&amp;sortorder=desc&amp;sortfield=lastpost">Last post</a> </th>
      </tr>
      </thead>
      <tbody>
      \((announcements + page.threads.map { row($0, columns) }).joined())
      </tbody>
      </table>
      """
  }

  private struct Columns {
    let hasSecondIcon: Bool
    let linksIcons: Bool
    let linksHeads: Bool
  }

  private func announcement(
    _ announcement: ForumAnnouncement, forumID: Int, _ columns: Columns
  ) -> String {
    """
    <tr class="thread">
    <td class="star"></td>
    <td class="icon"><img src="//images.invalid/posticons/attention.gif" alt=""></td>
    \(columns.hasSecondIcon ? #"<td class="icon2"></td>"# : "")
    <td class="title"><a href="announcement.php?forumid=\(forumID)" class="announcement">\
    \(announcement.title.html)</a></td>
    <td class="author"><a href="member.php?action=getinfo&amp;userid=1">\(announcement.author.html)</a></td>
    <td class="replies">-</td><td class="views">-</td><td class="rating">-</td>
    <td class="lastpost"><div class="date">\(formatter.string(from: Self.dayOfAnnouncements))</div></td>
    </tr>
    """
  }

  private static let dayOfAnnouncements = Date(timeIntervalSince1970: 1_767_427_500)

  private func row(_ thread: ForumThread, _ columns: Columns) -> String {
    let isSeen = thread.reading != .never && markup == .current
    // A sticky thread is closed by another class, of another element.
    let classes = "thread\(thread.isClosed && !thread.isSticky ? " closed" : "")\(isSeen ? " seen" : "")"
    let title =
      "title" + (thread.isSticky ? " title_sticky" : "")
      + (thread.isClosed && thread.isSticky ? " sticky_closed" : "")
    let address = "showthread.php?threadid=\(thread.id)"
    return """
      <tr class="\(classes)" id="thread\(thread.id)">
      <td class="star \(thread.bookmark.map { "bm\($0.rawValue)" } ?? "")"></td>
      \(icons(thread, columns))
      <td class="\(title)">
      <div class="title_inner">
      \(seen(thread))
      <div class="info">
      <a href="\(address)" class="thread_title">\(thread.title.html)</a>
      \(titlePages(thread, address))
      </div>
      </div>
      </td>
      <td class="author"><a href="member.php?action=getinfo&amp;userid=\(thread.author.id)">\
      \(thread.author.name.html)</a></td>
      <td class="replies">\(replies(thread))</td>
      <td class="views">\(thread.id % 90_000)</td>
      <td class="rating">\(rating(thread))</td>
      <td class="lastpost"><div class="date">\(date(thread.lastPostDate))</div>\
      <a class="author" href="showthread.php?goto=lastpost&amp;threadid=\(thread.id)">\
      \(thread.lastPostAuthor.html)</a></td>
      </tr>
      """
  }

  private func date(_ date: Date) -> String {
    let text = formatter.string(from: date)
    // The old version pads the day.
    return markup == .old ? text.replacing(/\ (\d),/) { "  \($0.1)," } : text
  }

  private func replies(_ thread: ForumThread) -> String {
    guard markup == .current else { return "\(thread.replyCount)" }
    return """
      <a href="/misc.php?action=whoposted&amp;threadid=\(thread.id)" target="_blank" \
      title="List users that posted in this thread">\(thread.replyCount)</a>
      """
  }

  private func icons(_ thread: ForumThread, _ columns: Columns) -> String {
    let first = thread.icons.first.map { name in
      let image = #"<img src="//images.invalid/posticons/\#(name.html).gif#82" alt="">"#
      return columns.linksIcons
        ? #"<a href="/forumdisplay.php?forumid=\#(thread.forumID ?? 0)&amp;posticon=82">\#(image)</a>"#
        : image
    }
    let second = thread.icons.dropFirst().first.map {
      #"<img src="//images.invalid/\#($0.html).gif" alt="">"#
    }
    return #"<td class="icon">\#(first ?? "")</td>"#
      + (columns.hasSecondIcon ? #"<td class="icon2">\#(second ?? "")</td>"# : "")
  }

  private func titlePages(_ thread: ForumThread, _ address: String) -> String {
    let count = thread.replyCount / 40 + 1
    guard count > 1 else { return "" }
    let links = (1...min(7, count)).map {
      #"<a class="pagenumber" href="\#(address)&amp;pagenumber=\#($0)">\#($0)</a>"#
    }
    let last = count > 7 ? #"... <a class="pagenumber" href="\#(address)&amp;goto=lastpost">Last</a>"# : ""
    return #"<div class="title_pages">Pages: \#(links.joined())\#(last)</div>"#
  }

  private func rating(_ thread: ForumThread) -> String {
    guard let rating = thread.rating else { return "&nbsp;" }
    let average = String(format: "%.2f", locale: Locale(identifier: "en_US_POSIX"), rating.average)
    let stars = Int(exactly: rating.average.rounded(.down)) ?? 0
    return """
      <img src="//images.invalid/rate/\(stars)stars.gif" alt="" title="\(rating.voteCount) votes - \(average) average">
      """
  }

  private func seen(_ thread: ForumThread) -> String {
    guard case .seen(let unreadCount) = thread.reading else { return "" }
    let reset =
      #"<a href="/showthread.php?action=resetseen&amp;threadid=\#(thread.id)" class="x" title="Mark as unread">X</a>"#
    let count =
      unreadCount > 0
      ? #"<a title="Jump to last read post" href="/showthread.php?threadid=\#(thread.id)&amp;goto=newpost" class="count"><b>\#(unreadCount)</b></a>"#
      : ""
    return #"<div class="lastseen">\#(reset)\#(count)</div>"#
  }
}

extension String {
  /// The text with HTML's special characters as entities.
  fileprivate var html: String {
    replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }

  /// The text with an ampersand as it is before a space, as the software prints names of forums.
  fileprivate var unescapedWhereHarmless: String { html.replacing("&amp; ", with: "& ") }
}
