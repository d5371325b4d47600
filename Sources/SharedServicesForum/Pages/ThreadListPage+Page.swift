import Foundation
import SharedServices

extension ThreadListPage {
  /// Parses the list of a forum.
  ///
  /// - Throws: `.parsingError` for an invalid page, and for a page of another forum.
  init(_ page: ForumPage, ofForum forumID: Int, datesIn timeZone: TimeZone) throws(DataError) {
    let found = try page.forumID
    guard let body = page.body, found == forumID else {
      throw .parsingError("Expected the page of the forum \(forumID), found the one of the forum \(found).")
    }
    try page.checkThatItIsWhole()
    guard let crumbs = body.first("div", class: "breadcrumbs") else {
      throw .parsingError("The page of the forum \(forumID) has no div.breadcrumbs.")
    }
    let buttons = body.all("ul", class: "postbuttons").flatMap { $0.all("a") }
    try self.init(
      body, forumID: forumID, breadcrumbs: crumbs.all("a").map(\.text),
      acceptsNewThreads: buttons.contains { $0["href"]?.contains("newthread") == true }, datesIn: timeZone)
  }

  /// Parses the list of the reader's bookmarks.
  ///
  /// - Throws: `.parsingError` for an invalid page.
  init(bookmarks page: ForumPage, datesIn timeZone: TimeZone) throws(DataError) {
    try page.checkThatItIsWhole()
    guard let body = page.body, body.all("form").contains(where: { $0["name"] == "bookmarks" }) else {
      throw .parsingError("The page has no form[name=bookmarks], so it is not the list of the bookmarks.")
    }
    try self.init(body, forumID: nil, breadcrumbs: [], acceptsNewThreads: false, datesIn: timeZone)
  }

  private init(
    _ body: HTMLElement, forumID: Int?, breadcrumbs: [String], acceptsNewThreads: Bool,
    datesIn timeZone: TimeZone
  ) throws(DataError) {
    guard let table = body.all("table").first(where: { $0["id"] == "forum" }) else {
      throw .parsingError("The page has no table#forum, so it is not a list of threads.")
    }
    let (number, count) = try Self.pages(body)
    var announcements: [ForumAnnouncement] = []
    var threads: [ForumThread] = []
    for row in table.all("tr", class: "thread").map(ThreadRow.init) {
      if let announcement = try row.announcement {
        announcements.append(announcement)
      } else {
        threads.append(try row.thread(inForum: forumID, datesIn: timeZone))
      }
    }
    // Otherwise an unrecognized row would be missing without an error.
    let titles = table.all("a", class: "thread_title").count
    guard titles == threads.count else {
      throw .parsingError("The table has \(titles) titles of threads and \(threads.count) rows of threads.")
    }
    if let id = Self.firstRepeated(threads.map(\.id)) {
      throw .parsingError("The thread \(id) has two rows.")
    }
    self.init(
      forumID: forumID, number: number, pageCount: count, breadcrumbs: breadcrumbs,
      acceptsNewThreads: acceptsNewThreads, announcements: announcements, threads: threads)
  }

  private static func pages(_ body: HTMLElement) throws(DataError) -> (number: Int, count: Int) {
    guard
      let pages = body.all("div", class: "pages").first(where: {
        $0["data-current-page"] != nil || $0["data-total-pages"] != nil
      })
    else {
      throw .parsingError("The page has no div.pages with data-current-page and data-total-pages.")
    }
    let (number, count) = (pages["data-current-page"] ?? "", pages["data-total-pages"] ?? "")
    guard let number = Int(digits: number), let count = Int(digits: count), number >= 1, count >= number
    else {
      throw .parsingError("div.pages says page \(number.debugDescription) of \(count.debugDescription).")
    }
    return (number, count)
  }

  private static func firstRepeated(_ ids: [Int]) -> Int? {
    var seen: Set<Int> = []
    return ids.first { !seen.insert($0).inserted }
  }
}
