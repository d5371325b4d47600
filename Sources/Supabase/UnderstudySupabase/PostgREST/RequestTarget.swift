import Foundation

/// The path and the query of a request, decoded.
struct RequestTarget: Sendable {
  struct Item: Sendable {
    let name: String
    let value: String
  }

  /// The path segments that are not empty.
  let path: [String]
  /// The query items in the order of the request; `+` is a space, as in a form.
  let query: [Item]

  init(_ url: URL) {
    path = url.path(percentEncoded: true).split(separator: "/").map { Self.decoded(String($0)) }
    query = Self.items(of: url.query(percentEncoded: true) ?? "")
  }

  /// The items of a query string or of a form.
  static func items(of text: String) -> [Item] {
    text.split(separator: "&").map { item in
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map { decoded(String($0.replacing("+", with: " "))) }
      return Item(name: parts[0], value: parts.count > 1 ? parts[1] : "")
    }
  }

  /// The value of the first item with a name.
  subscript(name: String) -> String? {
    query.first { $0.name == name }?.value
  }

  private static func decoded(_ text: String) -> String {
    text.removingPercentEncoding ?? text
  }
}
