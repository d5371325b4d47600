import Foundation
import SharedServices
import UnderstudyRecording
import UnderstudyHTTP

/// An exchange of the forum's document: what a client makes of it, and what the document says, in words that can be
/// compared.
struct ForumExchange {
  private let exchange: Exchange

  init(_ exchange: Exchange) {
    self.exchange = exchange
  }

  /// Calls the operation of the exchange.
  func outcome(of client: some ForumsClient) async -> String {
    do throws(DataError) {
      switch exchange.operation {
      case "threads":
        return text(try await client.threads(inForum: number("forumid"), page: number("pagenumber")))
      case "bookmarks": return text(try await client.bookmarks(page: number("pagenumber")))
      case "markSeen": try await client.markSeen(threadID: number("threadid"), upTo: number("index"))
      case "markUnseen": try await client.markUnseen(threadID: number("threadid"))
      default: return "unknown operation \(exchange.operation)"
      }
      return "nothing"
    } catch {
      return "\(error)"
    }
  }

  /// What the document says, read of its page without the client's own reader.
  var expectedOutcome: String {
    let page = exchange.response.chunks.map(\.text).joined()
    switch exchange.meaning {
    case .result("nothing"): return "nothing"
    case .result:
      let announcements = page.matches(of: /class="announcement"[^>]*>([^<]*)</).map { String($0.1) }
      let rows = page.split(separator: "<tr class=\"thread").filter { $0.contains(" id=\"thread") }.map(row)
      return (announcements + rows).joined(separator: "; ")
    case .error("refused.banned", _, _, _): return "\(DataError.refused(.banned))"
    case .error("refused.databaseDown", _, _, _): return "\(DataError.refused(.databaseDown))"
    case .error("refused.other", _, _, _):
      let words = page.firstMatch(of: /inner">([^<]*)</).map { String($0.1) }
      return "\(DataError.refused(.other(words ?? "")))"
    case .error(let name, _, _, _): return "unknown error \(name)"
    }
  }

  private func row(_ html: Substring) -> String {
    func first(_ pattern: Regex<(Substring, Substring)>) -> String {
      html.firstMatch(of: pattern).map { String($0.1) } ?? "nil"
    }
    let title = first(/thread_title"[^>]*>([^<]*)</).replacing("&lt;", with: "<").replacing("&gt;", with: ">")
      .replacing("&amp;", with: "&")
    let unread = html.contains("class=\"x\"") ? first(/<b>([0-9]*)</) : "never"
    return [
      first(/\ id="thread([0-9]*)"/), title, "\(html.contains("title_sticky"))",
      "\(html.hasPrefix(" closed"))",
      first(/posticons\/([^."]*)\./), first(/star bm([0-9])/), first(/userid=([0-9]*)"/),
      first(/userid=[^>]*>([^<]*)</), first(/replies">([0-9]*)</), first(/title="([0-9]*) votes/),
      first(/votes - ([0-9.]*)0 average/), unread, date(first(/date">([^<]*)</)),
      first(/goto=lastpost[^>]*>([^<]*)</),
    ].joined(separator: " ")
  }

  private func date(_ text: String) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = .gmt
    formatter.dateFormat = "h:mm a MMM d, yyyy"
    return formatter.date(from: text).map { "\(Int($0.timeIntervalSince1970))" } ?? "nil"
  }

  private func text(_ page: ThreadListPage) -> String {
    let rows = page.threads.map { thread in
      let unread = if case .seen(let count) = thread.reading { "\(count)" } else { "never" }
      let parts: [String] = [
        "\(thread.id)", thread.title, "\(thread.isSticky)", "\(thread.isClosed)", thread.icons.first ?? "nil",
        thread.bookmark.map { "\($0.rawValue)" } ?? "nil", "\(thread.author.id)", thread.author.name,
        "\(thread.replyCount)", thread.rating.map { "\($0.voteCount)" } ?? "nil",
        thread.rating.map { "\($0.average)" } ?? "nil", unread,
        "\(Int(thread.lastPostDate.timeIntervalSince1970))", thread.lastPostAuthor,
      ]
      return parts.joined(separator: " ")
    }
    return (page.announcements.map(\.title) + rows).joined(separator: "; ")
  }

  /// A number of the query or of the form.
  private func number(_ name: String) -> Int {
    let form = URLComponents(string: "?" + (exchange.request.body?.stringValue ?? ""))?.queryItems ?? []
    let text = exchange.request.query[name] ?? form.first { $0.name == name }?.value
    return text.flatMap { Int($0) } ?? 0
  }
}
