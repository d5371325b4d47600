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
      body, forumID: forumID, breadcrumbs: Self.path(in: crumbs),
      acceptsNewThreads: buttons.contains { $0["href"]?.contains("newthread") == true }, datesIn: timeZone)
  }

  /// Parses the list of the reader's bookmarks.
  ///
  /// - Throws: `.parsingError` for an invalid page.
  init(bookmarks page: ForumPage, datesIn timeZone: TimeZone) throws(DataError) {
    try page.checkThatItIsWhole()
    guard let body = page.body, page.isOfBookmarks else {
      throw .parsingError(
        "The page has no form[name=bookmarks] and no body.bookmark_threads, so it is not the list of the bookmarks."
      )
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
    let columns = Self.columns(of: table)
    for row in table.all("tr", class: "thread").map({ ThreadRow($0, columns: columns) }) {
      if let announcement = try row.announcement {
        announcements.append(announcement)
      } else {
        threads.append(try row.thread(inForum: forumID, datesIn: timeZone))
      }
    }
    // Otherwise an unrecognized row would be missing without an error.
    let titles = body.all("a", class: "thread_title").count
    guard titles == threads.count else {
      throw .parsingError("The page has \(titles) titles of threads and \(threads.count) rows of threads.")
    }
    if let id = Self.firstRepeated(threads.map(\.id)) {
      throw .parsingError("The thread \(id) has two rows.")
    }
    self.init(
      forumID: forumID, number: number, pageCount: count, breadcrumbs: breadcrumbs,
      acceptsNewThreads: acceptsNewThreads, announcements: announcements, threads: threads)
  }

  /// The number of the page and of all pages, in the form that the page has.
  ///
  /// The forum's versions differ: attributes; a menu of all pages; for a list of one page neither.
  private static func pages(_ body: HTMLElement) throws(DataError) -> (number: Int, count: Int) {
    let all = body.all("div", class: "pages")
    guard !all.isEmpty else { throw .parsingError("The page has no div.pages.") }
    let number: String
    let count: String
    if let pages = all.first(where: { $0["data-current-page"] != nil || $0["data-total-pages"] != nil }) {
      (number, count) = (pages["data-current-page"] ?? "", pages["data-total-pages"] ?? "")
    } else if let menu = all.lazy.compactMap({ $0.first("select") }).first {
      let options = menu.all("option")
      let value = { (option: HTMLElement) in option["value"] ?? option.text }
      let values = options.map(value)
      guard values == (1...max(1, values.count)).map(String.init) else {
        throw .parsingError("The menu in div.pages has the pages \(values), not all from 1.")
      }
      // A browser selects the first option if none is marked.
      number = value(options.last { $0["selected"] != nil } ?? options[0])
      count = values.last ?? ""
    } else {
      guard !all.contains(where: { $0.all("a").contains { $0["href"]?.contains("pagenumber=") == true } })
      else {
        throw .parsingError("div.pages has links to pages, and no number of the page.")
      }
      return (1, 1)
    }
    guard let number = Int(digits: number), let count = Int(digits: count), number >= 1, count >= number
    else {
      throw .parsingError("div.pages says page \(number.debugDescription) of \(count.debugDescription).")
    }
    return (number, count)
  }

  /// The names on the way from the front page to the forum.
  ///
  /// The same element contains links to moderators, to the readers who are there, and to the pages of the list.
  private static func path(in crumbs: HTMLElement) -> [String] {
    let path = crumbs.first("span", class: "mainbodytextlarge") ?? crumbs
    let pages = path.all("div", class: "pages")
    return path.all("a").filter { link in
      guard let href = link["href"], !href.hasPrefix("#"), !pages.contains(where: { $0.contains(link) }),
        let address = URLComponents(string: href), address.scheme.map({ $0.hasPrefix("http") }) ?? true
      else { return false }
      let file = address.path.split(separator: "/").last ?? ""
      return ["", "index.php", "forumdisplay.php"].contains(file)
        && address.queryItems?.contains { $0.name == "pagenumber" } != true
    }.map(\.verbatimText)
  }

  /// The classes of the cells in the table's head; `nil` for a table without them.
  ///
  /// The reader's options determine them; for instance, there may be no column of bookmarks.
  private static func columns(of table: HTMLElement) -> Set<Substring>? {
    let classes = Set(table.first("thead")?.all("th").flatMap(\.classes) ?? [])
    return classes.isEmpty ? nil : classes
  }

  private static func firstRepeated(_ ids: [Int]) -> Int? {
    var seen: Set<Int> = []
    return ids.first { !seen.insert($0).inserted }
  }
}
