import Foundation
import SharedServices
import SharedServicesBackends
import Understudy
import TestSupport
import Testing
import UnderstudyHTTP
import UnderstudyTesting

@testable import SharedServicesForum

/// Pages that are broken in one place each, more than ten thousand with full effort: the client says so, or reads what is
/// there.
@Suite(.stallLimit()) struct PageMutationTests {
  /// How many pages are tried of each markup and seed.
  private static let rounds = Effort.number(20, of: 1_800)

  /// A page as the emulator prints it, with where each thread's row is.
  private struct Original {
    let bytes: [UInt8]
    let threads: [Int: ForumThread]
    let rows: [Int: Range<Int>]
  }

  private static func original(_ markup: ForumEmulator.Markup) async throws -> Original {
    let threads = (1...6).map(Self.thread)
    let board = ForumBoard(
      id: 26, name: "Games", announcements: [ForumAnnouncement(title: "Be kind", author: "Moderator")])
    let emulator = ForumEmulator(
      boards: [board], threads: threads, clock: markup == .old ? .twentyFourHours : .twelveHours,
      timeZone: .gmt, markup: markup)
    let url = try #require(URL(string: "http://forum.invalid/forumdisplay.php?forumid=26"))
    let bytes = Array(try await InProcessTransport(to: emulator).data(for: HTTP.Request(.get, url)).0)
    var rows: [Int: Range<Int>] = [:]
    var place = 0
    let data = Data(bytes)
    while let start = data.range(of: Data("<tr class=\"thread".utf8), in: place..<data.count),
      let end = data.range(of: Data("</tr>".utf8), in: start.upperBound..<data.count)
    {
      let text = Windows1252.decoded(bytes[start.lowerBound..<end.upperBound])
      if let id = threads.first(where: { text.contains("id=\"thread\($0.id)\"") })?.id {
        rows[id] = start.lowerBound..<end.upperBound
      }
      place = end.upperBound
    }
    return Original(
      bytes: bytes, threads: Dictionary(uniqueKeysWithValues: threads.map { ($0.id, $0) }), rows: rows)
  }

  private static func thread(_ number: Int) -> ForumThread {
    let icons = ["icon-\(number)", "tag-\(number)"]
    var thread = ForumThread(
      id: 1000 + number, forumID: 26, title: "Title “\(number)” & <more> 王\(number)", isSticky: number > 4,
      isClosed: number % 3 == 0, icons: Array(icons.prefix(number % 3)),
      bookmark: .init(rawValue: number - 2),
      author: ForumUser(id: 70 + number, name: "Författare \(number)"), replyCount: number * 37,
      lastPostDate: Date(timeIntervalSince1970: 1_767_427_500).addingTimeInterval(Double(number) * 7_140),
      lastPostAuthor: "Last \(number)")
    if number % 2 == 0 { thread.rating = .init(voteCount: number, average: 4.25) }
    if number % 4 != 0 { thread.reading = .seen(unreadCount: number % 4 * 9) }
    return thread
  }

  /// A page, and which bytes of the original it has not, or otherwise.
  private static func mutated(
    _ original: Original, _ random: inout SeededGenerator
  ) -> (name: String, bytes: [UInt8], hit: Range<Int>) {
    let bytes = original.bytes
    func cut(_ range: Range<Int>, putting new: [UInt8] = []) -> [UInt8] {
      Array(bytes[..<range.lowerBound]) + new + Array(bytes[range.upperBound...])
    }
    let start = Int.random(in: 0..<bytes.count, using: &random)
    switch Int.random(in: 0..<11, using: &random) {
    case 0:
      let hit = start..<(start + 1)
      return (
        "flips a bit", cut(hit, putting: [bytes[start] ^ (1 << UInt8.random(in: 0..<8, using: &random))]), hit
      )
    case 1:
      let hit = start..<min(bytes.count, start + Int.random(in: 1...40, using: &random))
      return (
        "overwrites", cut(hit, putting: hit.map { _ in UInt8.random(in: 0...255, using: &random) }), hit
      )
    case 2:
      // A tag.
      let open = bytes[start...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count - 1
      let close = bytes[open...].firstIndex(of: UInt8(ascii: ">")) ?? bytes.count - 1
      return ("cuts a tag", cut(open..<(close + 1)), open..<(close + 1))
    case 3:
      // A row, or any other text between two places.
      let end = min(bytes.count, start + Int.random(in: 1...900, using: &random))
      return ("drops a piece", cut(start..<end), start..<end)
    case 4:
      let row = original.rows.sorted { $0.key < $1.key }.map(\.value).randomElement(using: &random) ?? 0..<1
      return ("drops a row", cut(row), row)
    case 5:
      // An attribute's value.
      let open = bytes[start...].firstIndex(of: UInt8(ascii: "\"")) ?? bytes.count - 1
      let close = bytes[(open + 1)...].firstIndex(of: UInt8(ascii: "\"")) ?? bytes.count
      return ("empties an attribute", cut((open + 1)..<max(open + 1, close)), open..<close)
    case 6:
      let hit = start..<min(bytes.count, start + Int.random(in: 1...400, using: &random))
      return ("repeats a piece", cut(hit.upperBound..<hit.upperBound, putting: Array(bytes[hit])), hit)
    case 7:
      return swapped(original, tagFrom: start, &random)
    case 8:
      let (piece, swallows) = Self.garbage.randomElement(using: &random) ?? ("", false)
      return (
        "inserts \(piece.debugDescription)", cut(start..<start, putting: Array(piece.utf8)),
        start..<(swallows ? bytes.count : start + 1)
      )
    case 9:
      let piece = (0..<Int.random(in: 1...200, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      // The first of them may end a tag, and any of them begin one.
      return ("inserts bytes", cut(start..<start, putting: piece), start..<bytes.count)
    default:
      return ("truncates", Array(bytes[..<start]), start..<bytes.count)
    }
  }

  /// What is inserted, and whether the following bytes may become part of it.
  private static let garbage: [(String, Bool)] = [
    ("<b>", false), ("</div>", false), ("</td>", false), ("</tr>", false), ("</table>", false),
    ("<tr>", false),
    ("<td>", false), ("<table>", false), ("<p>", false), ("</p>", false), ("</form>", false),
    ("<select>", false),
    ("</body>", false), ("</html>", false), ("</head>", false), ("<head>", false), ("<html lang=de>", false),
    ("<body class=banned data-forum=9>", false), ("<!-- <tr> -->", false), ("<script><tr></script>", false),
    ("&nbsp;", false), ("<br/>", false), ("\0", false), ("\u{C}", false), ("<![CDATA[", true), ("<!--", true),
    ("<script>", true),
    ("<style>", true), ("<textarea>", true), ("\"", true), ("'", true), ("<", true), ("<a href=\"", true),
    ("<?", true),
  ]

  /// A page with the values of two attributes of a tag in each other's place.
  private static func swapped(
    _ original: Original, tagFrom start: Int, _ random: inout SeededGenerator
  ) -> (name: String, bytes: [UInt8], hit: Range<Int>) {
    let bytes = original.bytes
    let open = bytes[start...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count - 1
    let close = bytes[open...].firstIndex(of: UInt8(ascii: ">")) ?? bytes.count - 1
    let quotes = bytes[open...close].indices.filter { bytes[$0] == UInt8(ascii: "\"") }
    let values = stride(from: 0, to: quotes.count - 1, by: 2).map { (quotes[$0] + 1)..<quotes[$0 + 1] }
    guard values.count > 1 else { return ("swaps nothing", bytes, open..<open) }
    let place = Int.random(in: 0..<(values.count - 1), using: &random)
    let (first, second) = (values[place], values[place + 1])
    let swapped =
      Array(bytes[..<first.lowerBound]) + Array(bytes[second])
      + Array(bytes[first.upperBound..<second.lowerBound]) + Array(bytes[first])
      + Array(bytes[second.upperBound...])
    return ("swaps attributes", swapped, open..<(close + 1))
  }

  /// What is wrong with a thread that was read of a mutated page; `nil` if nothing is.
  ///
  /// A thread whose row was not mutated equals the original. The page contains every number and every text of any other
  /// thread: none was invented.
  private static func failure(
    about thread: ForumThread, _ original: Original, _ bytes: [UInt8], _ hit: Range<Int>
  ) -> String? {
    if let row = original.rows[thread.id], !row.overlaps(hit), let expected = original.threads[thread.id] {
      return thread == expected ? nil : "\(thread) is not \(expected)"
    }
    var texts = [
      "thread\(thread.id)", thread.title, thread.author.name, "\(thread.author.id)", "\(thread.replyCount)",
      thread.lastPostAuthor,
    ]
    texts += thread.icons
    if case .seen(let count) = thread.reading, count > 0 { texts.append("\(count)") }
    if let rating = thread.rating {
      texts += ["\(rating.voteCount) vote"]
      if rating.average == 4.25 { texts.append("4.25") }
    }
    if let bookmark = thread.bookmark { texts.append("bm\(bookmark.rawValue)") }
    let page = Windows1252.decoded(bytes)
    return texts.first { !occurs($0, in: page) }.map {
      "\($0.debugDescription) of \(thread) is not in the page"
    }
  }

  /// The threads of whose rows no byte was hit, and that are not in the page.
  private static func missing(from page: ThreadListPage, _ original: Original, _ hit: Range<Int>) -> [Int] {
    let found = Set(page.threads.map(\.id))
    return original.rows.filter { !$0.value.overlaps(hit) && !found.contains($0.key) }.map(\.key).sorted()
  }

  /// Whether a page contains the letters and digits of a text, with or without its tags.
  ///
  /// Between them there may be entities, invalid bytes, and the brackets of a tag that has lost its name.
  private static func occurs(_ text: String, in page: String) -> Bool {
    func isWhole(_ page: String) -> Bool {
      text.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }.allSatisfy { page.contains($0) }
    }
    return isWhole(page) || isWhole(page.replacing(/<[^>]*>/, with: ""))
      || isWhole(page.replacing("</", with: ""))
  }

  /// The page that is read; `nil` for one that is refused.
  private static func page(_ bytes: [UInt8]) throws -> ThreadListPage? {
    do {
      return try ThreadListPage(try ForumPage(Data(bytes)), ofForum: 26, datesIn: .gmt)
    } catch DataError.parsingError, DataError.refused {
      return nil
    }
  }

  @Test(arguments: Effort.some(of: [1, 2, 3] as [UInt64], every: 3), ForumEmulator.Markup.allCases)
  func brokenPagesAreRefusedOrReadAsTheyAre(_ seed: UInt64, _ markup: ForumEmulator.Markup) async throws {
    let original = try await Self.original(markup)
    #expect(original.rows.count == 6)
    let untouched = try ThreadListPage(
      try ForumPage(Data(original.bytes)), ofForum: 26, datesIn: .gmt)
    #expect(Set(untouched.threads) == Set(original.threads.values))
    var random = SeededGenerator(seed: seed)
    var (refused, equal, changed) = (0, 0, 0)
    for round in 0..<Self.rounds {
      let (name, bytes, hit) = Self.mutated(original, &random)
      guard let page = try Self.page(bytes) else {
        refused += 1
        continue
      }
      if page.threads == untouched.threads { equal += 1 } else { changed += 1 }
      let missing = Self.missing(from: page, original, hit).map { "thread \($0) is missing" }
      let failures = page.threads.compactMap { Self.failure(about: $0, original, bytes, hit) }
      for failure in missing + failures {
        Issue.record("\(failure) (seed \(seed), round \(round): \(name) at \(hit))")
      }
    }
    // A mutation that never gets through, or always does, would try nothing.
    let least = Self.rounds / 20
    #expect(
      refused > least && equal > least && changed > least,
      "\(refused) refused, \(equal) equal, \(changed) changed")
  }
}
