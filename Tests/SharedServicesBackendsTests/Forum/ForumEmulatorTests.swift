import Foundation
import SharedServices
import SharedServicesBackends
import SharedServicesDoubles
import UnderstudyHTTP
import Testing
import UnderstudyTesting

@Suite(.stallLimit()) struct ForumEmulatorTests {
  private static let thread = ForumThread(
    id: 5, forumID: 26, title: "“A” <b> & 王", icons: ["icon-1"], bookmark: .cyan,
    author: ForumUser(id: 7, name: "Kim"), replyCount: 3, rating: .init(voteCount: 2, average: 4.126),
    reading: .seen(unreadCount: 2), lastPostDate: Date(timeIntervalSince1970: 1_767_427_559),
    lastPostAuthor: "Robin")

  private static func forum() -> InMemoryForum {
    InMemoryForum(boards: [.init(id: 26, name: "Games")], threads: [thread])
  }

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
    let (_, bytes) = try await Self.page(.get, "forumdisplay.php?forumid=26", of: ForumEmulator(Self.forum()))
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
        ForumEmulator(Self.forum(), clock: clock, timeZone: try #require(TimeZone(identifier: zone)))
      } else {
        ForumEmulator(Self.forum(), clock: clock)
      }
    let (_, bytes) = try await Self.page(.get, "forumdisplay.php?forumid=26", of: emulator)
    #expect(String(decoding: bytes, as: UTF8.self).contains(#"<div class="date">\#(text)</div>"#))
  }

  @Test func oneStateHasTwoDoors() async throws {
    let forum = Self.forum()
    let emulator = ForumEmulator(forum)
    let (status, _) = try await Self.page(
      .post, "showthread.php", form: "action=setseen&threadid=5&index=4", of: emulator)
    #expect(status == 200)
    let client = InMemoryForumsClient(forum)
    #expect(try await client.threads(inForum: 26, page: 1).threads.first?.reading == .seen(unreadCount: 0))
    try await client.markUnseen(threadID: 5)
    let (_, bytes) = try await Self.page(.get, "forumdisplay.php?forumid=26", of: emulator)
    #expect(!String(decoding: bytes, as: UTF8.self).contains("lastseen"))
    _ = try await Self.page(
      .post, "bookmarkthreads.php", form: "action=add&threadid=5&category_id=5", of: emulator)
    #expect(try await client.bookmarks(page: 1).threads.first?.bookmark == .purple)
    _ = try await Self.page(.post, "bookmarkthreads.php", form: "action=remove&threadid=5", of: emulator)
    #expect(try await client.bookmarks(page: 1).threads.isEmpty)
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
    let (status, bytes) = try await Self.page(method, path, form: form, of: ForumEmulator(Self.forum()))
    #expect(status == 200)
    #expect(String(decoding: bytes, as: UTF8.self).contains(#"class="standarderror">"#))
  }

  @Test(arguments: [
    (HTTP.Method.get, "newreply.php"), (.get, "showthread.php"), (.post, "forumdisplay.php"), (.get, ""),
  ])
  func anythingElseIsNotFound(_ method: HTTP.Method, _ path: String) async throws {
    let (status, _) = try await Self.page(method, path, of: ForumEmulator(Self.forum()))
    #expect(status == 404)
  }

  /// What no page can say must not be kept, or else the doors would show two things.
  @Test func threadsAreKeptAsAPageSaysThem() throws {
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

  @Test func extremeNumbersAreAccepted() async throws {
    let forum = Self.forum()
    var thread = Self.thread
    thread.replyCount = .max
    forum.store(thread)
    let client = InMemoryForumsClient(forum)
    for index in [Int.min, -1, 0, .max] {
      try await client.markSeen(threadID: 5, upTo: index)
      for page in [Int.min, 0, .max] { #expect(try await client.bookmarks(page: page).number == 1) }
    }
    for query in [
      "perpage=0", "perpage=-1&pagenumber=-1", "perpage=9223372036854775807&pagenumber=9223372036854775807",
    ] {
      let (status, _) = try await Self.page(
        .get, "bookmarkthreads.php?\(query)", of: ForumEmulator(forum))
      #expect(status == 200)
    }
  }
}
