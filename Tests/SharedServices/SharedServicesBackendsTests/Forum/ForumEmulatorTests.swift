import Foundation
import SharedServices
import SharedServicesBackends
import UnderstudyHTTP
import Testing
import UnderstudyTesting

@Suite(.stallLimit()) struct ForumEmulatorTests {
  private static let thread = ForumThread(
    id: 5, forumID: 26, title: "“A” <b> & 王", icons: ["icon-1"], bookmark: .cyan,
    author: ForumUser(id: 7, name: "Kim"), replyCount: 3, rating: .init(voteCount: 2, average: 4.126),
    reading: .seen(unreadCount: 2), lastPostDate: Date(timeIntervalSince1970: 1_767_427_559),
    lastPostAuthor: "Robin")

  private static let boards = [ForumBoard(id: 26, name: "Games")]

  private static func forum() -> ForumEmulator { ForumEmulator(boards: boards, threads: [thread]) }

  private static func page(
    _ method: HTTP.Method, _ path: String, form: String? = nil, of emulator: ForumEmulator
  ) async throws -> (status: Int, bytes: Data) {
    let url = try #require(URL(string: "http://forum.invalid/\(path)"))
    let request = HTTP.Request(method, url, body: form.map { Data($0.utf8) })
    let (bytes, response) = try await InProcessTransport(to: emulator).data(for: request)
    return (response.status, bytes)
  }

  /// The bytes themselves: a reader of the same package could share a mistake of the writer.
  @Test func pagesAreWindows1252() async throws {
    let (_, bytes) = try await Self.page(.get, "forumdisplay.php?forumid=26", of: Self.forum())
    let title = Data([0x93]) + Data("A".utf8) + Data([0x94]) + Data(" &lt;b&gt; &amp; &#29579;</a>".utf8)
    #expect(bytes.range(of: title) != nil)
  }

  @Test(arguments: [
    (ForumEmulator.Clock.twelveHours, "UTC" as String?, "8:05 AM Jan 3, 2026"),
    (.twentyFourHours, "UTC", "08:05 Jan 3, 2026"),
    (.twentyFourHours, "America/Chicago", "02:05 Jan 3, 2026"),
    (.twelveHours, "Pacific/Auckland", "9:05 PM Jan 3, 2026"),
    // The forum's own.
    (.twelveHours, nil, "2:05 AM Jan 3, 2026"),
  ])
  func datesAreThoseOfTheReadersSettings(_ clock: ForumEmulator.Clock, _ zone: String?, _ text: String)
    async throws
  {
    let emulator =
      if let zone {
        ForumEmulator(
          boards: Self.boards, threads: [Self.thread], clock: clock,
          timeZone: try #require(TimeZone(identifier: zone)))
      } else {
        ForumEmulator(boards: Self.boards, threads: [Self.thread], clock: clock)
      }
    let (_, bytes) = try await Self.page(.get, "forumdisplay.php?forumid=26", of: emulator)
    #expect(String(decoding: bytes, as: UTF8.self).contains(#"<div class="date">\#(text)</div>"#))
  }

  @Test func marksAndBookmarksAreStoredAndShown() async throws {
    let forum = Self.forum()
    func post(_ name: String, _ form: String) async throws {
      #expect(try await Self.page(.post, name, form: form, of: forum).status == 200)
    }
    func shown(_ path: String) async throws -> String {
      String(decoding: try await Self.page(.get, path, of: forum).bytes, as: UTF8.self)
    }
    try await post("showthread.php", "action=setseen&threadid=5&index=3")
    #expect(forum.thread(id: 5)?.reading == .seen(unreadCount: 1))
    #expect(try await shown("forumdisplay.php?forumid=26").contains(#"class="count"><b>1</b>"#))
    try await post("showthread.php", "action=setseen&threadid=5&index=4")
    #expect(forum.thread(id: 5)?.reading == .seen(unreadCount: 0))
    try await post("showthread.php", "action=resetseen&threadid=5")
    #expect(forum.thread(id: 5)?.reading == .never)
    #expect(try await !shown("forumdisplay.php?forumid=26").contains("lastseen"))
    try await post("bookmarkthreads.php", "action=add&threadid=5&category_id=5")
    #expect(forum.thread(id: 5)?.bookmark == .purple)
    #expect(try await shown("bookmarkthreads.php").contains(#"class="star bm5""#))
    try await post("bookmarkthreads.php", "action=remove&threadid=5")
    #expect(forum.thread(id: 5)?.bookmark == nil)
    #expect(try await !shown("bookmarkthreads.php").contains("thread5"))
  }

  @Test(arguments: [
    (HTTP.Method.get, "forumdisplay.php?forumid=99", nil as String?), (.get, "forumdisplay.php", nil),
    (.post, "showthread.php", "action=setseen&threadid=6&index=1"),
    (.post, "showthread.php", "action=setseen&threadid=5"),
    (.post, "showthread.php", "action=resetseen&threadid=99999999999999999999"),
    (.post, "bookmarkthreads.php", "action=add&threadid=5&category_id=6"),
    (.post, "bookmarkthreads.php", "action=remove&threadid=6"), (.post, "bookmarkthreads.php", "threadid=5"),
  ])
  func saysNoWithASuccess(_ method: HTTP.Method, _ path: String, _ form: String?) async throws {
    let (status, bytes) = try await Self.page(method, path, form: form, of: Self.forum())
    #expect(status == 200)
    #expect(String(decoding: bytes, as: UTF8.self).contains(#"class="standarderror">"#))
  }

  @Test(arguments: [
    (HTTP.Method.get, "newreply.php"), (.get, "showthread.php"), (.post, "forumdisplay.php"), (.get, ""),
  ])
  func anythingElseIsNotFound(_ method: HTTP.Method, _ path: String) async throws {
    let (status, _) = try await Self.page(method, path, of: Self.forum())
    #expect(status == 404)
  }

  @Test func threadsAreStoredAsAPageShowsThem() throws {
    let forum = Self.forum()
    var thread = Self.thread
    thread.title = "  two \n words "
    thread.icons = ["a", "b", "c"]
    forum.store(thread)
    let kept = try #require(forum.thread(id: 5))
    #expect(kept.title == "two   words")
    #expect(kept.icons == ["a", "b"])
    #expect(kept.rating?.average == 4.13)
    #expect(kept.lastPostDate == Date(timeIntervalSince1970: 1_767_427_500))
  }

  /// The number of unread posts follows from how far the thread was read, also where there are not so many posts.
  @Test(
    arguments: [
      (3, 0, 0), (3, 4, 4), (3, 10, 10), (3, -1, 0), (-1, 1, 1), (3, .max, .max), (3, .min, 0), (.max, 0, 0),
      (.max, .max, .max),
    ] as [(Int, Int, Int)])
  func unreadPostsAreStored(_ replies: Int, _ unread: Int, _ expected: Int) {
    let forum = Self.forum()
    var thread = Self.thread
    (thread.replyCount, thread.reading) = (replies, .seen(unreadCount: unread))
    forum.store(thread)
    #expect(forum.thread(id: 5)?.replyCount == max(0, replies))
    #expect(forum.thread(id: 5)?.reading == .seen(unreadCount: expected))
  }

  @Test func extremeNumbersAreAccepted() async throws {
    let forum = Self.forum()
    var thread = Self.thread
    thread.replyCount = .max
    forum.store(thread)
    // With the first one, there is one post more than can be marked.
    for (index, unread) in [(Int.min, Int.max), (-1, .max), (0, .max), (1, .max), (.max, 1)] {
      _ = try await Self.page(
        .post, "showthread.php", form: "action=setseen&threadid=5&index=\(index)", of: forum)
      #expect(forum.thread(id: 5)?.reading == .seen(unreadCount: unread))
    }
    for query in [
      "perpage=0", "perpage=-1&pagenumber=-1", "perpage=9223372036854775807&pagenumber=9223372036854775807",
      "perpage=-9223372036854775808&pagenumber=-9223372036854775808",
    ] {
      let (status, bytes) = try await Self.page(.get, "bookmarkthreads.php?\(query)", of: forum)
      #expect(status == 200)
      #expect(String(decoding: bytes, as: UTF8.self).contains(#"id="thread5""#))
    }
  }
}
