import Foundation
import SharedServices

/// A row of a list of threads: `tr.thread`.
struct ThreadRow {
  private let row: HTMLElement
  private let columns: Set<Substring>?
  private let cells: [(classes: [Substring], cell: HTMLElement)]

  /// Creates a row of a table.
  ///
  /// - Parameter columns: The classes of the columns in the table's head; `nil` if it has none.
  init(_ row: HTMLElement, columns: Set<Substring>?) {
    self.row = row
    self.columns = columns
    cells = row.children.filter { $0.name == "td" }.map { ($0.classes, $0) }
  }

  /// The announcement in the row; `nil` if the row is a thread's.
  ///
  /// - Throws: `.parsingError` for an announcement without a title or an author.
  var announcement: ForumAnnouncement? {
    get throws(DataError) {
      guard let link = try cell("title").all("a", class: "announcement").first else { return nil }
      let (title, author) = (link.verbatimText, try cell("author").verbatimText)
      guard !title.isEmpty, !author.isEmpty else { throw missing("the title and the author") }
      return ForumAnnouncement(title: title, author: author)
    }
  }

  /// Parses the thread in the row.
  ///
  /// - Throws: `.parsingError`, with the id of the row and the missing value.
  func thread(inForum forumID: Int?, datesIn timeZone: TimeZone) throws(DataError) -> ForumThread {
    let id = try id
    let title = try cell("title")
    guard let text = title.first("a", class: "thread_title")?.verbatimText, !text.isEmpty else {
      throw missing("a.thread_title")
    }
    let last = try cell("lastpost")
    guard let date = last.first("div", class: "date").flatMap({ ForumDate($0.text, in: timeZone) }) else {
      throw missing("a date in td.lastpost div.date")
    }
    guard let lastAuthor = last.first("a", class: "author")?.verbatimText, !lastAuthor.isEmpty else {
      throw missing("a name in td.lastpost a.author")
    }
    return ForumThread(
      id: id, forumID: forumID, title: text, isSticky: title.classes.contains("title_sticky"),
      isClosed: row.classes.contains("closed") || title.classes.contains("sticky_closed"), icons: try icons,
      bookmark: try bookmark, author: try author, replyCount: try replyCount, rating: try rating,
      reading: try reading(title),
      lastPostDate: date.date, lastPostAuthor: lastAuthor)
  }

  // MARK: - The fields

  private var id: Int {
    get throws(DataError) {
      guard let text = row["id"], text.hasPrefix("thread"), let id = Int(digits: text.dropFirst(6)) else {
        throw missing("an id such as thread123")
      }
      return id
    }
  }

  private var author: ForumUser {
    get throws(DataError) {
      for link in try cell("author").all("a") {
        let items = URLComponents(string: link["href"] ?? "")?.queryItems ?? []
        guard let text = items.first(where: { $0.name == "userid" })?.value else { continue }
        guard let id = Int(digits: text), !link.verbatimText.isEmpty else { break }
        return ForumUser(id: id, name: link.verbatimText)
      }
      throw missing("a name with a[href*=userid] in td.author")
    }
  }

  private var replyCount: Int {
    get throws(DataError) {
      let text = try cell("replies").text
      // The row of a thread that was moved to another forum leads there and counts nothing.
      if text == "-" { return 0 }
      guard let count = Int(digits: text) else { throw missing("a number in td.replies") }
      return count
    }
  }

  /// The icons in `td.icon` and `td.icon2`; a forum may have either, both or neither.
  ///
  /// In a forum of reviews the image of the rating is the icon.
  private var icons: [String] {
    get throws(DataError) {
      var icons: [String] = []
      for name in ["icon", "icon2"] {
        guard let image = try optionalCell(name)?.first("img") else { continue }
        icons.append(try icon(image, in: name))
      }
      if icons.isEmpty, let image = try optionalCell("rating")?.first("img"),
        image["src"]?.contains("/rate/reviews") == true
      {
        icons.append(try icon(image, in: "rating"))
      }
      return icons
    }
  }

  private func icon(_ image: HTMLElement, in cell: String) throws(DataError) -> String {
    let file = (image["src"] ?? "").prefix { $0 != "?" && $0 != "#" }.split(separator: "/").last ?? ""
    let ending = file.lastIndex(of: ".") ?? file.endIndex
    guard ending > file.startIndex else { throw missing("the file of the image in td.\(cell)") }
    return String(file[..<ending])
  }

  private var bookmark: ForumThread.Bookmark? {
    get throws(DataError) {
      guard let star = try optionalCell("star") else {
        // Readers can turn the column off.
        if columns?.contains("star") == false { return nil }
        throw missing("td.star")
      }
      let names = star.classes.filter { $0.hasPrefix("bm") && $0 != "bm-1" }
      guard let name = names.first else { return nil }
      guard names.count == 1, let bookmark = Int(digits: name.dropFirst(2)).flatMap(ForumThread.Bookmark.init)
      else { throw missing("a class of td.star from bm0 to bm5") }
      return bookmark
    }
  }

  /// The rating, such as `12 votes - 4.50 average`; optional for a forum and for a thread.
  private var rating: ForumThread.Rating? {
    get throws(DataError) {
      guard let image = try optionalCell("rating")?.first("img") else { return nil }
      let words = (image["title"] ?? "").htmlWords
      guard words.count == 5, words[1].hasPrefix("vote"), words[2] == "-", words[4] == "average",
        let count = Int(digits: words[0]), let average = Double(words[3]), (1...5).contains(average)
      else { throw missing("a title such as \"12 votes - 4.50 average\" of the image in td.rating") }
      return ForumThread.Rating(voteCount: count, average: average)
    }
  }

  private func reading(_ title: HTMLElement) throws(DataError) -> ForumThread.Reading {
    let seen = title.all("div", class: "lastseen")
    let count = seen.flatMap { $0.all("a", class: "count") }.first
    guard seen.contains(where: { $0.first("a", class: "x") != nil }) else {
      // A thread that was never read has no number of unread posts.
      guard count == nil else { throw missing("the a.x that goes with a.count in div.lastseen") }
      return .never
    }
    guard let count else { return .seen(unreadCount: 0) }
    guard let number = count.first("b").flatMap({ Int(digits: $0.text) }) else {
      throw missing("a number in a.count b")
    }
    return .seen(unreadCount: number)
  }

  // MARK: - Cells

  private func optionalCell(_ name: String) throws(DataError) -> HTMLElement? {
    let named = cells.filter { $0.classes.contains(Substring(name)) }
    // Two rows have been merged.
    guard named.count < 2 else { throw .parsingError("\(place) has td.\(name) twice.") }
    return named.first?.cell
  }

  private func cell(_ name: String) throws(DataError) -> HTMLElement {
    guard let cell = try optionalCell(name) else { throw missing("td.\(name)") }
    return cell
  }

  private var place: String { "The row \(row["id"].map { "#\($0)" } ?? "without an id")" }

  private func missing(_ what: String) -> DataError { .parsingError("\(place) lacks \(what).") }
}
