import Foundation
import SharedServices
import SharedServicesBackends

/// Pages in the markup of the real software, oddities included, written by hand; all people and texts are invented.
struct HandmadePage: Sendable {
  let html: String
  let markup: ForumEmulator.Markup
  let clock: ForumEmulator.Clock
  /// What the page says to a reader in Chicago.
  let expected: ThreadListPage

  var bytes: Data { Data(windows1252: html) }

  static let all = [oldList, currentList, bookmarks]

  /// The first page of an older version: a `div` in the head, a menu of pages, padded days, and two forms in one list.
  static let oldList = HandmadePage(
    html: """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <title>Pots & Pans - The Forums</title>
      <meta name="SmartTags" content="TRUE">
      <link ref="icon" href="https://images.invalid/icon-16.png" sizes="16x16">
      <!--[if lt IE 8]><link rel="stylesheet" type="text/css" href="/css/ie7.css?14"><![endif]-->
      <link rel="stylesheet" type="text/css" href="/css/main.css?14">
      <script type="text/javascript" src="/js/forums.combined.js?14"></script>
      <div style="display:none;" id="loggedinusername">Robin</div>
      <script type="text/javascript">
        //
        disable_coloring = true;
        for (var i = 0; i<body; i++) { document.write('</table>'); }
      </script>
      </head>
      <body id="board" class="forumdisplay forum_44" data-forum="44">
      <div id="globalmenu"><ul><li class="first"><a href="/shop">Buy</a></li></ul></div>
      <div id="container">
      <ul id="navigation" class="navigation">
      <li class="first"><a href="/index.php">The Forums</a></li>
      <li>- <a href="/account.php?action=logout&amp;ma=0">Log Out</a></li>
      </ul>
      <div id="content">
      <div class="pages top"><span class="disabled">&laquo;</span><select data-url="forumdisplay.php?forumid=44&amp;perpage=40"><option value="1" selected="selected">1</option><option value="2">2</option><option value="3">3</option></select><a href="forumdisplay.php?forumid=44&amp;perpage=40&pagenumber=3" title="Last page">3 &raquo;</a></div>
      <div class="breadcrumbs"><span class="mainbodytextlarge"><b><a href="/">The Forums</a> &gt; <a href="forumdisplay.php?forumid=901">Home  Life</a> &gt; <a href="forumdisplay.php?forumid=44" class="bclast">Pots & Pans</a></b></span> <span class="online_users">(<a href="/online.php?forumid=44">31 users browsing</a>)</span>
      <div id="mp_bar"><div id="mods">(Mods: <b><a href="member.php?action=getinfo&amp;userid=9">Alex</a></b>)</div>
      </div></div>
      <table id="subforums" summary="Subforums"><thead><tr><th>Title - Description</th><th>Topics</th></tr></thead>
      <tbody><tr class="subforum"><td class="title"><a href="forumdisplay.php?forumid=45">Lids</a></td>
      <td class="topics">3</td></tr></tbody></table>
      <table id="forum" summary="Threads" class="threadlist ">
      <caption>Threads</caption>
      <thead>
      <tr>
      <th class="star">&nbsp;</th>
      <th class="icon">Icon</th>
      <th class="title"><a href="forumdisplay.php?forumid=44&amp;sortfield=threadcreate">Title (Pages)</a> </th>
      <th class="author">Author</th>
      <th class="replies"><a href="forumdisplay.php?forumid=44&amp;sortfield=replycount"><abbr title="Replies">Re</abbr></a> </th>
      <th class="views">Views</th>
      <th class="rate"><a href="forumdisplay.php?forumid=44&amp;sortfield=voteavg">Rating</a> </th>
      <th class="lastpost"><a href="forumdisplay.php?forumid=44&amp;sortfield=lastpost">Last post</a> </th>
      </tr>
      </thead>
      <tbody>
      <tr class="thread">
      <td class="star"></td>
      <td class="icon"><img src="http://images.invalid/posticons/icon-30-attn.gif" alt=""></td>
      <td class="title"><a href="announcement.php?forumid=1" class="announcement">Wash up &amp;  dry</a></td>
      <td class="author"><a href="member.php?action=getinfo&amp;userid=1">Moderator</a></td>
      <td class="replies">-</td>
      <td class="views">-</td>
      <td class="rating">-</td>
      <td class="lastpost"><div class="date">21:00 Apr  7, 2014</div></td>
      </tr>
      <tr class="thread" id="thread3101">
      <td class="star "></td>
      <td class="icon"><a href="/forumdisplay.php?forumid=44&amp;posticon=82"><img src="http://images.invalid/posticons/icons-08/help.png#82" alt=""></a></td>
      <td class="title title_sticky">
      <div class="title_inner">
      <div class="lastseen"><a href="/showthread.php?action=resetseen&amp;threadid=3101" class="x" title="Mark as unread">X</a></div>
      <div class="info">
      <a href="showthread.php?threadid=3101" class="thread_title">Rules &#150; read  &#147;these&#148; first&hellip;</a>

      </div>
      </div>
      </td>
      <td class="author"><a href="member.php?action=getinfo&amp;userid=1">Moderator</a></td>
      <td class="replies">11</td>
      <td class="views">79720</td>
      <td class="rating">&nbsp;</td>
      <td class="lastpost"><div class="date">00:05 Mar  9, 2014</div><a class="author" href="showthread.php?goto=lastpost&amp;threadid=3101">O'Neil  &amp; Søn</a></td>
      </tr><tr class="thread closed" id="thread3102">
      <td class="star "></td>
      <td class="icon"><a href="/forumdisplay.php?forumid=44&amp;posticon=7"><img src="http://images.invalid/posticons/pan.on.fire.gif#7" alt=""></a></td>
      <td class="title">
      <div class="title_inner">

      <div class="info">
      <a href="showthread.php?threadid=3102" class="thread_title">Fire!&nbsp; &lt;b&gt;Fire&lt;/b&gt;!</a>
      <div class="title_pages">Pages: <a class="pagenumber" href="showthread.php?threadid=3102&amp;pagenumber=1">1</a><a class="pagenumber" href="showthread.php?threadid=3102&amp;pagenumber=2">2</a><a class="pagenumber" href="showthread.php?threadid=3102&amp;pagenumber=3">3</a><a class="pagenumber" href="showthread.php?threadid=3102&amp;pagenumber=4">4</a><a class="pagenumber" href="showthread.php?threadid=3102&amp;pagenumber=5">5</a><a class="pagenumber" href="showthread.php?threadid=3102&amp;pagenumber=6">6</a><a class="pagenumber" href="showthread.php?threadid=3102&amp;pagenumber=7">7</a>... <a class="pagenumber" href="showthread.php?threadid=3102&amp;goto=lastpost">Last</a></div>
      </div>
      </div>
      </td>
      <td class="author"><a href="member.php?action=getinfo&amp;userid=30480">kim kim</a></td>
      <td class="replies">3280</td>
      <td class="views">119597</td>
      <td class="rating"><img src="http://images.invalid/rate/default/4stars.gif" alt="" title="26 votes - 3.81 average"></td>
      <td class="lastpost"><div class="date">23:07 Jul 12, 2013</div><a class="author" href="showthread.php?goto=lastpost&amp;threadid=3102">.Robin</a></td>
      </tr><tr class="thread" id="thread3103">
      <td class="star bm2"></td>
      <td class="icon"><a href="/forumdisplay.php?forumid=44&amp;posticon=8"><img src="http://images.invalid/posticons/lid.gif#8" alt=""></a></td>
      <td class="title">
      <div class="title_inner">
      <div class="lastseen"><a href="/showthread.php?action=resetseen&amp;threadid=3103" class="x" title="Mark as unread">X</a><a title="Jump to last read post" href="/showthread.php?threadid=3103&amp;goto=newpost" class="count"><b>153</b></a></div>
      <div class="info">
      <a href="showthread.php?threadid=3103" class="thread_title">This thread is closed!</a>
      <div class="title_pages">Pages: <a class="pagenumber" href="showthread.php?threadid=3103&amp;pagenumber=1">1</a><a class="pagenumber" href="showthread.php?threadid=3103&amp;pagenumber=2">2</a><a class="pagenumber" href="showthread.php?threadid=3103&amp;pagenumber=3">3</a><a class="pagenumber" href="showthread.php?threadid=3103&amp;pagenumber=4">4</a></div>
      </div>
      </div>
      </td>
      <td class="author"><a href="member.php?action=getinfo&amp;userid=55496">Jo</a></td>
      <td class="replies">153</td>
      <td class="views">11642</td>
      <td class="rating">&nbsp;</td>
      <td class="lastpost"><div class="date">12:00 Jan  2, 2013</div><a class="author" href="showthread.php?goto=lastpost&amp;threadid=3103">Jo</a></td>
      </tr>
      </tbody>
      </table>
      <div class="forumbar"><ul class="postbuttons"><li><a href="newthread.php?action=newthread&amp;forumid=44"><img src="http://images.invalid/forum-post.gif" alt="New thread"></a></li></ul></div>
      <div class="pages bottom"><span class="disabled">&laquo;</span><select data-url="forumdisplay.php?forumid=44&amp;perpage=40"><option value="1" selected="selected">1</option><option value="2">2</option><option value="3">3</option></select><a href="forumdisplay.php?forumid=44&amp;perpage=40&pagenumber=3" title="Last page">3 &raquo;</a></div>
      </div><!-- #content -->
      <ul class="navigation"><li class="first"><a href="/index.php">The Forums</a></li></ul>
      <ol id="debug" style="display:none"><li>&nbsp;</ol>
      </body>
      </html>
      """,
    markup: .old, clock: .twentyFourHours,
    expected: ThreadListPage(
      forumID: 44, number: 1, pageCount: 3, breadcrumbs: ["The Forums", "Home  Life", "Pots & Pans"],
      acceptsNewThreads: true,
      announcements: [ForumAnnouncement(title: "Wash up &  dry", author: "Moderator")],
      threads: [
        ForumThread(
          id: 3101, forumID: 44, title: "Rules – read  “these” first…", isSticky: true, icons: ["help"],
          author: ForumUser(id: 1, name: "Moderator"), replyCount: 11, reading: .seen(unreadCount: 0),
          // Minutes before the clocks of the forum are set forward.
          lastPostDate: moment("2014-03-09T06:05:00Z"), lastPostAuthor: "O'Neil  & Søn"),
        ForumThread(
          id: 3102, forumID: 44, title: "Fire!\u{A0} <b>Fire</b>!", isClosed: true, icons: ["pan.on.fire"],
          author: ForumUser(id: 30_480, name: "kim kim"), replyCount: 3280,
          rating: .init(voteCount: 26, average: 3.81), lastPostDate: moment("2013-07-13T04:07:00Z"),
          lastPostAuthor: ".Robin"),
        ForumThread(
          id: 3103, forumID: 44, title: "This thread is closed!", icons: ["lid"], bookmark: .yellow,
          author: ForumUser(id: 55_496, name: "Jo"), replyCount: 153, reading: .seen(unreadCount: 153),
          lastPostDate: moment("2013-01-02T18:00:00Z"), lastPostAuthor: "Jo"),
      ]))

  /// A list of one page of the current version: no numbers of pages, whose `div` is in the breadcrumbs, and a second
  /// icon.
  static let currentList = HandmadePage(
    html: """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <title>Questions - The Forums</title>
      <meta http-equiv="X-UA-Compatible" content="IE=edge">
      <script src="/cdn/apps.js"></script><link rel="icon" href="/favicon.ico">
      <link rel="stylesheet" type="text/css" href="/css/dark.css?61" />
      </head>
      <body id="board" class="forumdisplay forum_68" data-forum="68">
      <div id="usergroup" class="7">
      <div style="display:none;" id="loggedinusername">Robin</div>
      <div id="container">
      <div id="content">
      <div class="breadcrumbs"><span class="mainbodytextlarge"><b><a href="/">The Forums</a> &gt; <a href="forumdisplay.php?forumid=68" class="bclast">Questions</a></b></span> <span class="online_users">(<a href="/online.php?forumid=68">31 users browsing</a>)</span>
      <div class="pages top"></div>
      <div id="mp_bar"><div id="mods">(Mods: <b><a href="/member.php?action=getinfo&amp;userid=9">Alex</a></b>)</div>
      </div></div>
      <div id="filter"><div class="thread_tags"><a class="if" href="/forumdisplay.php?forumid=68&amp;posticon=894"><img src="https://images.invalid/posticons/q.gif" alt="What&#039;s this?" title="Pots  &quot;Pans&quot;"></a></div></div>
      <table id="forum" summary="Threads" class="threadlist ">
      <caption>Threads</caption>
      <thead>
      <tr>
      <th class="star">&nbsp;</th>
      <th class="icon">Icon</th>
      <th class="icon2">Kind</th>
      <th class="title"><a href="forumdisplay.php?forumid=68&amp;sortfield=threadcreate">Title (Pages)</a> </th>
      <th class="author">Author</th>
      <th class="replies"><a href="forumdisplay.php?forumid=68&amp;sortfield=replycount"><abbr title="Replies">Re</abbr></a> </th>
      <th class="views">Views</th>
      <th class="rate"><a href="forumdisplay.php?forumid=68&amp;sortfield=voteavg">Rating</a> </th>
      <th class="lastpost"><a href="forumdisplay.php?forumid=68&amp;sortfield=lastpost">Last post</a> </th>
      </tr>
      </thead>
      <tbody>
      <tr class="thread seen" id="thread4032762">
      <td class="star bm5"></td>
      <td class="icon"><a href="/forumdisplay.php?forumid=68&amp;posticon=894"><img src="https://images.invalid/posticons/q.gif#894" alt="Question"></a></td>
      <td class="icon2"><img src="https://images.invalid/ama.gif" alt=""></td>
      <td class="title title_sticky sticky_closed">
      <div class="title_inner">
      <div class="lastseen"><a href="/showthread.php?action=resetseen&amp;threadid=4032762" class="x" title="Mark as unread">X</a></div>
      <div class="info">
      <a href="showthread.php?threadid=4032762" class="thread_title">Small &quot;questions&quot;</a>
      </div>
      </div>
      </td>
      <td class="author"><a href="member.php?action=getinfo&amp;userid=2147483649">&#321;ukasz €5</a></td>
      <td class="replies"><a href="/misc.php?action=whoposted&amp;threadid=4032762" target="_blank" title="List users that posted in this thread">3</a></td>
      <td class="views">20291</td>
      <td class="rating"><img src="https://images.invalid/rate/default/5stars.gif" alt="" title="1 votes - 5.00 average"></td>
      <td class="lastpost"><div class="date">12:30 AM Nov 2, 2025</div><a class="author" href="showthread.php?goto=lastpost&amp;threadid=4032762">Zo&euml;</a></td>
      </tr><tr class="thread" id="thread4033907">
      <td class="star "></td>
      <td class="icon"><a href="/forumdisplay.php?forumid=68&amp;posticon=74"><img src="https://images.invalid/images/shitpost.gif#74" alt=""></a></td>
      <td class="icon2"></td>
      <td class="title">
      <div class="title_inner">

      <div class="info">
      <a href="showthread.php?threadid=4033907" class="thread_title">1 &lt; 2 &amp;amp; &#29579;</a>

      </div>
      </div>
      </td>
      <td class="author"><a href="member.php?action=getinfo&amp;userid=8">null</a></td>
      <td class="replies"><a href="/misc.php?action=whoposted&amp;threadid=4033907" target="_blank" title="List users that posted in this thread">0</a></td>
      <td class="views">0</td>
      <td class="rating">&nbsp;</td>
      <td class="lastpost"><div class="date">8:05 PM Nov 2, 2025</div><a class="author" href="showthread.php?goto=lastpost&amp;threadid=4033907">null</a></td>
      </tr>
      </tbody>
      </table>
      <div class="forumbar">
      <ul class="postbuttons">
      <li><a href="modqueue.php"><img src="//images.invalid/queue.gif" alt="See the queue"></a></li>
      <li></li>
      </ul>
      </div>
      <div class="pages bottom"></div>
      </div>
      <form class="forum_jump" action="forumdisplay.php" method="get"><select name="forumid"><option value="-1" selected>Jump</option></select></form>
      </body>
      </html>
      """,
    markup: .current, clock: .twelveHours,
    expected: ThreadListPage(
      forumID: 68, number: 1, pageCount: 1, breadcrumbs: ["The Forums", "Questions"],
      threads: [
        ForumThread(
          id: 4_032_762, forumID: 68, title: #"Small "questions""#, isSticky: true, isClosed: true,
          icons: ["q", "ama"], bookmark: .purple, author: ForumUser(id: 2_147_483_649, name: "Łukasz €5"),
          replyCount: 3, rating: .init(voteCount: 1, average: 5), reading: .seen(unreadCount: 0),
          lastPostDate: moment("2025-11-02T05:30:00Z"), lastPostAuthor: "Zoë"),
        ForumThread(
          id: 4_033_907, forumID: 68, title: "1 < 2 &amp; 王", icons: ["shitpost"],
          author: ForumUser(id: 8, name: "null"), lastPostDate: moment("2025-11-03T02:05:00Z"),
          lastPostAuthor: "null"),
      ]))

  /// The second page of the bookmarks: a page within an empty one, a form that ends in a comment, unlinked icons.
  static let bookmarks = HandmadePage(
    html: """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <title>Bookmarked threads - The Forums</title>
      </head>
      <body id="board" class="bookmark_threads">
      <div id="container">
      <div id="content">
      <div class="breadcrumbs"><b><a href="index.php">The Forums</a> &gt; Bookmarked Threads</b></div>
      <ul id="usercpnav"><li><a href="usercp.php">Home</a></li><li><a href="bookmarkthreads.php">Bookmarked Threads</a></li></ul>
      <br style="clear:both;">
      <form method="POST" action="/bookmarkthreads.php" name="bookmarks">
      <div class="pages" data-current-page="2" data-total-pages="2" data-base-url="bookmarkthreads.php?perpage=40"><span class="disabled">&laquo;</span><select data-url="bookmarkthreads.php?perpage=40"><option value="1">1</option><option value="2" selected="selected">2</option></select><a href="bookmarkthreads.php?perpage=40&pagenumber=2" title="Last page">2 &raquo;</a></div>
      <table id="forum" summary="Threads" class="threadlist ">
      <caption>Threads</caption>
      <thead>
      <tr>
      <th class="star">&nbsp;</th>
      <th class="icon">Icon</th>
      <th class="title">Title (Pages)</th>
      <th class="author">Author</th>
      <th class="replies"><abbr title="Replies">Re</abbr></th>
      <th class="views">Views</th>
      <th class="rate">Rating</th>
      <th class="lastpost"><a href="bookmarkthreads.php?pagenumber=1&amp;perpage=40&amp;sortfield=lastpost">Last post</a> </th>
      </tr>
      </thead>
      <tbody>
      <tr class="thread seen" id="thread3500000">
      <td class="star bm0"></td>
      <td class="icon"><img src="https://images.invalid/posticons/icons-08/humor.png#89" alt="Humor"></td>
      <td class="title">
      <div class="title_inner">
      <div class="lastseen"><a href="/showthread.php?action=resetseen&amp;threadid=3500000" class="x" title="Mark as unread">X</a><a title="Jump to last read post" href="/showthread.php?threadid=3500000&amp;goto=newpost" class="count"><b>1</b></a></div>
      <div class="info">
      <a href="showthread.php?threadid=3500000" class="thread_title">Knock,  knock</a>
      <div class="title_pages">Pages: <a class="pagenumber" href="showthread.php?threadid=3500000&amp;pagenumber=1">1</a><a class="pagenumber" href="showthread.php?threadid=3500000&amp;pagenumber=2">2</a></div>
      </div>
      </div>
      </td>
      <td class="author"><a href="member.php?action=getinfo&amp;userid=1">Kim</a></td>
      <td class="replies"><a href="/misc.php?action=whoposted&amp;threadid=3500000" target="_blank" title="List users that posted in this thread">40</a></td>
      <td class="views">49397</td>
      <td class="rating">&nbsp;</td>
      <td class="lastpost"><div class="date">11:14 AM Apr 28, 2008</div><a class="author" href="showthread.php?goto=lastpost&amp;threadid=3500000">Kim</a></td>
      </tr>
      </tbody>
      </table>
      <div class="forumbar">
      <ul class="postbuttons"><li></li></ul>
      </div>
      <div class="pages bottom">
      </div>
      <div class="pages" data-current-page="2" data-total-pages="2" data-base-url="bookmarkthreads.php?perpage=40"><span class="disabled">&laquo;</span><select data-url="bookmarkthreads.php?perpage=40"><option value="1">1</option><option value="2" selected="selected">2</option></select><a href="bookmarkthreads.php?perpage=40&pagenumber=2" title="Last page">2 &raquo;</a></div>
      <!--
      <input type="hidden" name="action" value="massremove">
      <tr class="thread" id="thread1"><td class="title"><a class="thread_title">Not there</a></td></tr>
      </form>
      -->
      </div>
      </body>
      </html>
      """,
    markup: .current, clock: .twelveHours,
    expected: ThreadListPage(
      forumID: nil, number: 2, pageCount: 2,
      threads: [
        ForumThread(
          id: 3_500_000, forumID: nil, title: "Knock,  knock", icons: ["humor"], bookmark: .orange,
          author: ForumUser(id: 1, name: "Kim"), replyCount: 40, reading: .seen(unreadCount: 1),
          lastPostDate: moment("2008-04-28T16:14:00Z"), lastPostAuthor: "Kim")
      ]))

  /// Pages of refusals, with what they say.
  static let refusals: [(name: String, html: String, refusal: ForumRefusal)] = [
    (
      "database",
      """
      <!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN"><html><head><title>Database</title>
      <style type="text/css">body { margin:0 40px; } #msg h1 { color:#666; }</style></head>
      <body id="board" class="database_error"><div id="closemsg"><div id="msg"><h1>Database!</h1>
      It sleeps.<br><br><div class="note"><b>Dear friend,</b> <!-- 10.0.0.5 --></div><hr></div></div></body></html>
      """, .databaseDown
    ),
    (
      "banned",
      """
      <!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "//www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
      <html xmlns="//www.w3.org/1999/xhtml"><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8">
      <title>Banned!</title></head><body id="board" class="banned"><h1>Bye, Robin</h1><img src="b.jpg"></p>
      <p class="style2"><a href="/banlist.php?userid=7">Why?</a></p></body></html>
      """, .banned
    ),
    (
      "closed",
      frame(
        "standardredirect", "Redirecting...",
        """
        Sorry! This thread is closed! You will now be returned to the thread.<br>
        <br>
        <div style="text-align:center;"><a href="showthread.php?threadid=7">Click here</a></div>
        """), .threadClosed
    ),
    (
      "signed out",
      frame(
        "standarderror", "A message for you",
        """
        <b>Sorry, you must be a  member &#150; to see this.</b>
        <b>If you are one, <a href="/account.php?action=loginform&amp;next=%2F">sign in here</a>.</b>
        <br>
        <br>
        To register, see our <a href="/register.php">page</a><br>
        <div style="display:none;"><b>WHY?</b><br>This thread is not closed.</div>
        """), .notSignedIn("Sorry, you must be a member – to see this. If you are one, sign in here.")
    ),
    (
      "registered only",
      frame(
        "standarderror", "A message for you",
        "Sorry, you must be a <b>registered</b> member to view this page.<br><br>Read the rules."),
      .notSignedIn("Sorry, you must be a registered member to view this page.")
    ),
    (
      "probation",
      frame(
        "standardredirect", "Redirecting...",
        """
        Sorry! You are on probation until Monday. You will now be returned to the thread.<br>
        <a href="showthread.php?threadid=7">Click here</a>
        """), .other("Sorry! You are on probation until Monday. You will now be returned to the thread.")
    ),
    (
      "no permission",
      frame(
        "standarderror", "A message for you",
        """
        The page (search, etc) is <a href="/products.php">only
        for members with shelves.</a> We're sorry.<br>
        <br><b>Q: Why?</b>
        """), .other("The page (search, etc) is only for members with shelves. We're sorry.")
    ),
    (
      "no such thread",
      frame("standarderror", "A message for you", "Specified thread was not found in the live forums."),
      .other("Specified thread was not found in the live forums.")
    ),
    (
      "too fast",
      frame(
        "standarderror", "A message for you",
        "<p></p><p>You can search once in <b>40</b> seconds.</p><p>Try again.</p>"),
      .other("You can search once in 40 seconds.")
    ),
    (
      "all closed",
      """
      <html><head><title>Closed</title></head><body id="board"><div id="closemsg"><div id="msg"><h1>Closed</h1>
      <p class="reason">We are moving house.</p></div></div></body></html>
      """, .other("We are moving house.")
    ),
  ]

  private static func frame(_ kind: String, _ title: String, _ message: String) -> String {
    """

    <html>
    <head>
    <title>The Forums</title>
    <meta http-equiv="Cache-Control" content="private, no-cache">
    <div style="display:none;" id="loggedinusername">Robin</div>
    <script>var a = '<div class="inner">This thread is closed!</div>';</script>
    </head>
    <body id="board" class="\(kind)">
    <div id="container"><ul id="navigation" class="navigation"><li>- <a href="/usercp.php">Panel</a></li></ul>
    <div id="content">
    <center>
    <div class="standard" id="main_wide">
    <h2>\(title)</h2>
    <div class="inner">
    \(message)
    </div>
    </div>
    </center>
    <div class="channing"><b></b></div>
    </div>
    </div>
    </body>
    </html>
    """
  }

  private static func moment(_ text: String) -> Date {
    do { return try Date(text, strategy: .iso8601) } catch {
      preconditionFailure("\(text) is not a date of ISO 8601.")
    }
  }
}
