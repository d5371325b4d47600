import Foundation
import SharedServices
import SharedServicesBackends
import Testing
import UnderstudyHTTP
import UnderstudyTesting

@testable import SharedServicesForum

@Suite(.stallLimit()) struct HandmadePageTests {
  private static func list(_ bytes: Data, of forumID: Int?, in zone: TimeZone) throws -> ThreadListPage {
    let page = try ForumPage(bytes)
    return if let forumID {
      try ThreadListPage(page, ofForum: forumID, datesIn: zone)
    } else {
      try ThreadListPage(bookmarks: page, datesIn: zone)
    }
  }

  @Test(arguments: HandmadePage.all) func isReadCompletely(_ page: HandmadePage) throws {
    let chicago = try #require(TimeZone(identifier: "America/Chicago"))
    let found = try Self.list(page.bytes, of: page.expected.forumID, in: chicago)
    #expect(found == page.expected)
    // Strings are equal whatever their normalization form.
    #expect(
      found.threads.map { Array($0.title.unicodeScalars) }
        == page.expected.threads.map { Array($0.title.unicodeScalars) })
  }

  @Test(arguments: HandmadePage.refusals.indices) func isRecognizedAsARefusal(_ place: Int) {
    let (name, html, refusal) = HandmadePage.refusals[place]
    #expect(throws: DataError.refused(refusal), "\(name)") { try ForumPage(Data(windows1252: html)) }
  }

  // MARK: - The printer

  /// The elements below one, with the names of their attributes and their classes, but without text and addresses.
  private static func shape(_ element: HTMLElement) -> [String] {
    guard case .element(let name, let attributes) = element.document.nodes[element.index].content else {
      return []
    }
    let classes = element.classes.filter { !$0.hasPrefix("forum_") && !$0.hasPrefix("thread_3") }
    // The texts of icons vary.
    let names = attributes.map(\.name).filter { name != "img" || $0 != "alt" }.sorted()
    let line = ([name] + names + classes.map(String.init)).joined(separator: " ")
    return [line] + element.children.flatMap { shape($0).map { "  " + $0 } }
  }

  private static func body(_ bytes: Data) throws -> HTMLElement {
    try #require(try HTMLDocument(windows1252: bytes).elements.first { $0.isElement("body") })
  }

  /// The page that the emulator prints of the same threads, on the same page.
  private static func printed(_ page: HandmadePage) async throws -> Data {
    let expected = page.expected
    var threads = expected.threads
    let id = expected.forumID ?? 26
    for place in threads.indices { threads[place].forumID = id }
    // Older and newer threads fill the other pages.
    let size = max(1, threads.count)
    for number in 0..<((expected.pageCount - 1) * size) {
      let isBefore = number < (expected.number - 1) * size
      threads.append(
        ForumThread(
          id: 100 + number, forumID: id, title: "t", isSticky: isBefore, bookmark: .red,
          author: ForumUser(id: 1, name: "a"), lastPostDate: .init(timeIntervalSince1970: isBefore ? 2e9 : 0),
          lastPostAuthor: "b"))
    }
    let names = expected.breadcrumbs
    let board = ForumBoard(
      id: id, name: names.last ?? "", path: names.dropLast(), acceptsNewThreads: expected.acceptsNewThreads,
      announcements: expected.announcements)
    let emulator = ForumEmulator(
      boards: [board], threads: threads, clock: page.clock,
      timeZone: TimeZone(identifier: "America/Chicago") ?? .gmt, markup: page.markup)
    let list = expected.forumID.map { "forumdisplay.php?forumid=\($0)" } ?? "bookmarkthreads.php?action=view"
    let url = try #require(
      URL(string: "http://forum.invalid/\(list)&perpage=\(size)&pagenumber=\(expected.number)"))
    return try await InProcessTransport(to: emulator).data(for: HTTP.Request(.get, url)).0
  }

  @Test(arguments: HandmadePage.all) func theEmulatorPrintsTheSame(_ page: HandmadePage) async throws {
    let bytes = try await Self.printed(page)
    let chicago = try #require(TimeZone(identifier: "America/Chicago"))
    #expect(try Self.list(bytes, of: page.expected.forumID, in: chicago) == page.expected)

    let (sample, printed) = (try Self.body(page.bytes), try Self.body(bytes))
    #expect(sample.classes == printed.classes)
    #expect(sample["data-forum"] == printed["data-forum"])
    for part in ["breadcrumbs", "pages"] {
      #expect(
        printed.first("div", class: part).map(Self.shape) == sample.first("div", class: part).map(Self.shape))
    }
    let tables = [sample, printed].map { $0.all("table").first { $0["id"] == "forum" } }
    let (expected, found) = (try #require(tables[0]), try #require(tables[1]))
    #expect(found.first("thead").map(Self.shape) == expected.first("thead").map(Self.shape))
    let rows = (expected.all("tr", class: "thread"), found.all("tr", class: "thread"))
    #expect(rows.0.count == rows.1.count)
    for (expected, found) in zip(rows.0, rows.1) {
      #expect(Self.shape(found) == Self.shape(expected), "\(expected["id"] ?? "announcement")")
      let date = { (row: HTMLElement) in row.first("div", class: "date")?.verbatimText }
      // The emulator's announcements have a date of their own.
      if expected["id"] != nil { #expect(date(found) == date(expected)) }
    }
  }

  /// The printed head must not end where it ends for a parser that repairs nothing.
  @Test func theOldHeadContainsAnElementOfTheBody() async throws {
    let text = Windows1252.decoded(try await Self.printed(.oldList))
    let name = try #require(text.range(of: "loggedinusername"))
    let body = try #require(text.range(of: "<body id"))
    #expect(name.upperBound < body.lowerBound)
  }

  @Test(arguments: [
    (ForumRefusal.databaseDown, "database"), (.banned, "banned"), (.threadClosed, "closed"),
    (.other("No such thread."), "no such thread"),
  ])
  func theEmulatorPrintsRefusalsTheSame(_ refusal: ForumRefusal, _ name: String) async throws {
    let forum = ForumEmulator(boards: [])
    forum.refuseRequests(with: refusal)
    let url = try #require(URL(string: "http://forum.invalid/forumdisplay.php?forumid=1"))
    let bytes = try await InProcessTransport(to: forum).data(for: HTTP.Request(.get, url)).0
    #expect(throws: DataError.refused(refusal)) { try ForumPage(bytes) }
    let sample = try #require(HandmadePage.refusals.first { $0.name == name })
    let bodies = (try Self.body(Data(windows1252: sample.html)), try Self.body(bytes))
    #expect(bodies.0.classes == bodies.1.classes)
    let path = { (body: HTMLElement) in
      body.all("div").compactMap { $0["id"] ?? $0["class"] }.filter {
        ["closemsg", "msg", "content", "main_wide", "inner"].contains($0)
      }
    }
    #expect(path(bodies.1) == path(bodies.0))
  }
}
