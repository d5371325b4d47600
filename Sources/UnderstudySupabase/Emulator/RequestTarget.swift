import Foundation

/// The path and the query of a request, decoded.
struct RequestTarget {
  struct Item {
    let name: String
    let value: String
  }

  /// The segments that are not empty.
  let path: [String]
  /// In the order of the request; `+` is a space, as in a form.
  let query: [Item]

  init(_ url: URL) {
    let components = URLComponents(url: url, resolvingAgainstBaseURL: true)
    path = (components?.percentEncodedPath ?? "").split(separator: "/").map { Self.decoded(String($0)) }
    query = (components?.percentEncodedQuery ?? "").split(separator: "&").map { item in
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map { Self.decoded(String($0.replacing("+", with: " "))) }
      return Item(name: parts.first ?? "", value: parts.count > 1 ? parts[1] : "")
    }
  }

  /// The value of the first item of a name.
  subscript(name: String) -> String? {
    query.first { $0.name == name }?.value
  }

  private static func decoded(_ text: String) -> String {
    text.removingPercentEncoding ?? text
  }
}
