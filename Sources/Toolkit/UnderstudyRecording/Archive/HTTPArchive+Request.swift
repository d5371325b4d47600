package import Foundation
package import UnderstudyHTTP

extension HTTPArchive {
  /// A request.
  package struct Request: HTTPArchiveObject {
    /// All members, including unknown ones.
    package var members: [JSONValue.Member]

    /// Creates a request from its members.
    package init(members: [JSONValue.Member]) {
      self.members = members
    }

    /// Creates a request with all members that HAR 1.2 requires; derives the cookies and the query.
    package init(_ request: HTTP.Request) {
      let text = request.url.absoluteString
      let url = text.utf8.firstIndex(of: UInt8(ascii: "#")).map { String(text[..<$0]) } ?? text
      members = [
        .init("method", .string(request.method.rawValue)), .init("url", .string(url)),
        .init("httpVersion", .string("unknown")),
        .init("cookies", JSONValue(Cookie.sent(in: request.fields))),
        .init("headers", JSONValue(request.fields.map(NamedValue.init))),
        .init("queryString", JSONValue(NamedValue.items(ofQueryIn: url))),
        .init("headersSize", JSONValue(-1)), .init("bodySize", JSONValue(request.body?.count ?? 0)),
      ]
      if let body = request.body {
        self["postData"] = PostData(body, mimeType: request.fields["Content-Type"] ?? "").json
      }
    }

    /// The method.
    package var method: HTTP.Method { HTTP.Method(rawValue: string("method") ?? "") }
    /// The URL as recorded, without a fragment.
    package var url: String { string("url") ?? "" }
    /// The header fields, in order.
    package var headers: [NamedValue] { objects("headers") }
    /// The cookies.
    package var cookies: [Cookie] { objects("cookies") }
    /// The query items.
    package var queryString: [NamedValue] { objects("queryString") }
    /// The body; `nil` if the request has no body.
    package var postData: PostData? { object("postData") }
  }

  /// The body of a request.
  package struct PostData: HTTPArchiveObject {
    /// All members, including unknown ones.
    package var members: [JSONValue.Member]

    /// Creates a body from its members.
    package init(members: [JSONValue.Member]) {
      self.members = members
    }

    /// Creates a body.
    ///
    /// Data that is not UTF-8 is stored as base64, and `_encoding` marks it, because HAR 1.2 has no field for this.
    package init(_ body: Data, mimeType: String) {
      members = [.init("mimeType", .string(mimeType))]
      if let text = String(exactlyUTF8: body) {
        members.append(.init("text", .string(text)))
      } else {
        members.append(.init("text", .string(body.base64EncodedString())))
        members.append(.init("_encoding", .string("base64")))
      }
    }

    /// The media type.
    package var mimeType: String? { string("mimeType") }
    /// The text, or the base64 encoding of the body.
    package var text: String? { string("text") }
    /// The form fields; of a JSON body, the members that a tool recorded in place of its text.
    package var params: [NamedValue] { objects("params") }

    /// Whether the tool recorded the members of a JSON document in place of its text.
    ///
    /// The exact document is then unknown: an array of one element cannot be distinguished from the element, and empty
    /// arrays are missing.
    package var isFlattened: Bool {
      self["_flattened"] == .boolean(true) || hasOnlyParams && FlattenedJSON.isRecorded(as: mimeType)
    }

    /// Whether the body is in `params`; an empty text beside them is not a body.
    private var hasOnlyParams: Bool { (text ?? "").isEmpty && !params.isEmpty }

    /// The decoded body: the text, or otherwise the encoded form fields or the nearest JSON document; `nil` if the
    /// base64 is invalid.
    package var body: Data? {
      guard hasOnlyParams else {
        let text = text ?? ""
        return string("_encoding") == "base64" ? Data(base64Encoded: text) : Data(text.utf8)
      }
      if isFlattened {
        let pairs = params.map { ($0.name, $0["value"] ?? .null) }
        return Data(FlattenedJSON.document(of: pairs).compactText.utf8)
      }
      let form = params.map { "\(Self.formEncoded($0.name))=\(Self.formEncoded($0.value))" }
      return Data(form.joined(separator: "&").utf8)
    }

    private static func formEncoded(_ text: String) -> String {
      let allowed = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789*-._ ")
      let encoded = text.addingPercentEncoding(withAllowedCharacters: allowed) ?? text
      return encoded.replacing(" ", with: "+")
    }
  }
}

extension HTTP.Request {
  /// Creates a request to send from a recorded one; `nil` if its URL is invalid or its body cannot be decoded.
  package init?(_ recorded: HTTPArchive.Request) {
    guard let url = URL(string: RequestTarget.sendable(recorded.url)) else { return nil }
    let body = recorded.postData.map(\.body)
    if case .some(.none) = body { return nil }
    var fields = HTTP.Fields(recorded: recorded.headers)
    // Some tools write the type of a body without its field.
    if body != nil, fields["Content-Type"] == nil, let type = recorded.postData?.mimeType, !type.isEmpty {
      fields["Content-Type"] = type
    }
    self.init(recorded.method, url.withoutFragment, fields: fields, body: body ?? nil)
  }
}

extension HTTPArchive.NamedValue {
  /// Returns the decoded query items of a URL; an item with an invalid percent-encoding of UTF-8 is empty.
  static func items(ofQueryIn url: String) -> [Self] {
    guard let mark = url.utf8.firstIndex(of: UInt8(ascii: "?")) else { return [] }
    let query = url[url.utf8.index(after: mark)...]
    guard !query.isEmpty else { return [] }
    return query.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map { item in
      let name = item.prefix { $0 != UInt8(ascii: "=") }
      return Self(name: decoded(name), value: decoded(item.dropFirst(name.count + 1)))
    }
  }

  private static func decoded(_ text: Substring.UTF8View) -> String {
    let text = String(Substring(text))
    return text.utf8.contains(UInt8(ascii: "%")) ? text.removingPercentEncoding ?? "" : text
  }
}

extension HTTPArchive.Cookie {
  /// Returns the cookies of `Cookie` fields (RFC 6265 §4.2.1).
  static func sent(in fields: HTTP.Fields) -> [Self] {
    fields.values(of: "Cookie").flatMap { $0.split(separator: ";") }.compactMap { Self(pair: $0) }
  }

  /// Returns the cookies of `Set-Cookie` fields, without their attributes, which remain in the headers.
  static func set(in fields: HTTP.Fields) -> [Self] {
    fields.values(of: "Set-Cookie").compactMap { line in
      line.split(separator: ";", omittingEmptySubsequences: false).first.flatMap { Self(pair: $0) }
    }
  }

  private init?(pair: Substring) {
    let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let name = parts.first, parts.count == 2 else { return nil }
    self.init(
      name: name.trimmingCharacters(in: .whitespaces), value: parts[1].trimmingCharacters(in: .whitespaces))
  }
}

extension URL {
  /// The URL without its fragment, which is not sent (RFC 9110 §4.2.5).
  var withoutFragment: URL {
    let text = absoluteString
    guard let hash = text.firstIndex(of: "#") else { return self }
    return URL(string: String(text[..<hash])) ?? self
  }
}
