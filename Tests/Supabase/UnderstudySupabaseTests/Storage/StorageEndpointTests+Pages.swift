import Foundation
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudySupabase

/// Lists with a cursor (`object/list-v2`), with the rules of `listObjectsV2` in `object.ts` and of migration 0050.
extension StorageEndpointTests {
  private struct Page {
    let names: [String]
    let folders: [String]
    let json: JSONValue

    var cursor: String? { json["nextCursor"]?.stringValue }
  }

  private func page(_ body: String) async throws -> Page {
    let json = try await json(.post, "object/list-v2/notes", body, as: token)
    guard case .array(let objects)? = json["objects"], case .array(let folders)? = json["folders"] else {
      throw CancellationError()
    }
    return Page(
      names: objects.compactMap { $0["name"]?.stringValue },
      folders: folders.compactMap { $0["name"]?.stringValue }, json: json)
  }

  /// Returns the names of all pages of two entries.
  private func pages(_ options: String) async throws -> [[String]] {
    var pages: [[String]] = []
    var cursor = ""
    while true {
      let page = try await page(#"{"limit":2,"cursor":"\#(cursor)"\#(options)}"#)
      pages.append(page.folders + page.names)
      guard page.json["hasNext"] == .boolean(true) else { return pages }
      cursor = try #require(page.cursor)
    }
  }

  private func makeObjects() async throws {
    try await makeBucket()
    for name in ["z.txt", "c/x.txt", "c/d/y.txt", "B.txt", "c0.txt"] {
      try await upload(name)
      clock.advance(by: 1)
    }
  }

  @Test func aPageHasTheObjectsOfAPrefix() async throws {
    try await makeObjects()
    let all = try await page("{}")
    #expect(all.names == ["B.txt", "c/d/y.txt", "c/x.txt", "c0.txt", "z.txt"] && all.folders == [])
    #expect(all.json["hasNext"] == .boolean(false) && all.cursor == nil)
    #expect(try await page(#"{"prefix":"c"}"#).names == ["c/d/y.txt", "c/x.txt", "c0.txt"])
    #expect(try await page(#"{"prefix":"b"}"#).names == [])
  }

  @Test func aPageWithADelimiterHasFolders() async throws {
    try await makeObjects()
    let root = try await page(#"{"with_delimiter":true}"#)
    #expect(root.names == ["B.txt", "c0.txt", "z.txt"] && root.folders == ["c/"])
    guard case .array(let folders)? = root.json["folders"], case .array(let objects)? = root.json["objects"]
    else { throw CancellationError() }
    #expect(folders.first?["key"] == .string("c") && folders.first?["id"] == .null)
    #expect(objects.first?["key"] == .string("B.txt") && objects.first?["id"] != .null)
    let inner = try await page(#"{"with_delimiter":true,"prefix":"c/"}"#)
    #expect(inner.names == ["c/x.txt"] && inner.folders == ["c/d/"])
  }

  @Test(arguments: [
    ("", [["B.txt", "c/d/y.txt"], ["c/x.txt", "c0.txt"], ["z.txt"]]),
    (
      #","sortBy":{"column":"name","order":"desc"}"#,
      [["z.txt", "c0.txt"], ["c/x.txt", "c/d/y.txt"], ["B.txt"]]
    ),
    (#","sortBy":{"column":"created_at"}"#, [["z.txt", "c/x.txt"], ["c/d/y.txt", "B.txt"], ["c0.txt"]]),
    (#","with_delimiter":true"#, [["c/", "B.txt"], ["c0.txt", "z.txt"]]),
    (
      #","with_delimiter":true,"sortBy":{"column":"name","order":"desc"}"#,
      [["z.txt", "c0.txt"], ["c/", "B.txt"]]
    ),
    (
      #","with_delimiter":true,"sortBy":{"column":"updated_at","order":"desc"}"#,
      [["c0.txt", "B.txt"], ["c/", "z.txt"]]
    ),
  ])
  func aCursorContinuesBehindTheLastEntry(_ options: String, _ expected: [[String]]) async throws {
    try await makeObjects()
    #expect(try await pages(options) == expected)
  }

  /// The letters of `encodeContinuationToken`, as clients that stored a cursor send them.
  @Test func aCursorIsTheOneOfTheService() async throws {
    try await makeObjects()
    let page = try await page(#"{"limit":1,"sortBy":{"column":"name","order":"asc"}}"#)
    let cursor = try #require(page.cursor.flatMap { Data(base64Encoded: $0) })
    #expect(String(decoding: cursor, as: UTF8.self) == "l:B.txt\no:asc\nc:name")
    #expect(page.json["nextCursorKey"] == .string("B.txt"))
  }

  /// `list_objects_with_delimiter` continues at the slash behind the last name, which is behind the dot of `a.txt`.
  @Test func aPageWithADelimiterSkipsWhatIsBeforeTheSlash() async throws {
    try await makeBucket()
    for name in ["a", "a.txt", "a1"] { try await upload(name) }
    let first = try await page(#"{"limit":1,"with_delimiter":true}"#)
    let second = try await page(#"{"with_delimiter":true,"cursor":"\#(first.cursor ?? "")"}"#)
    #expect(first.names == ["a"] && second.names == ["a1"])
  }

  @Test(arguments: [
    (#"{"limit":0}"#, "InvalidRequest", "body/limit must be >= 1"),
    (#"{"cursor":"bm9uZQ=="}"#, "InvalidParameter", "Invalid Parameter continuation token"),
    (#"{"sortBy":{}}"#, "InvalidRequest", "body/sortBy must have required property 'column'"),
    (
      #"{"sortBy":{"column":"size"}}"#, "InvalidRequest",
      "body/sortBy/column must be equal to one of the allowed values"
    ),
  ])
  func anInvalidPageIsRefused(_ body: String, _ code: String, _ message: String) async throws {
    try await makeBucket()
    let refusal = try await json(.post, "object/list-v2/notes", body, as: token)
    #expect(refusal["code"] == .string(code) && refusal["message"] == .string(message))
  }

  // MARK: Images

  /// Returns the claims of a token (RFC 7519 §3), whose text is base64url without padding.
  private func payload(of token: String) throws -> JSONValue {
    let parts = token.split(separator: ".")
    try #require(parts.count == 3)
    let base64 = String(parts[1]).replacing("-", with: "+").replacing("_", with: "/")
    let padded = base64 + String(repeating: "=", count: (4 - base64.count % 4) % 4)
    return try JSONValue(parsing: try #require(Data(base64Encoded: padded)))
  }

  /// `signObjectUrl`: the URL of an image to be transformed is below `render/image`, with the transformation in its token.
  @Test func anSVGIsSentAsItIs() async throws {
    try await makeBucket()
    for (name, type) in [("a.svg", "image/svg+xml"), ("a.png", "image/png")] {
      let (response, _) = try await send(
        .post, "object/notes/\(name)", "<svg/>", as: token, ["Content-Type": type])
      #expect(response.status == 200)
    }
    let body = #"{"expiresIn":60,"transform":{"width":20,"height":3000,"resize":"cover","quality":50}}"#
    let signed = try await json(.post, "object/sign/notes/a.svg", body, as: token)
    let path = String(try #require(signed["signedURL"]?.stringValue).dropFirst())
    #expect(path.hasPrefix("render/image/sign/notes/a.svg?token="))
    let claims = try payload(of: try #require(path.split(separator: "=").last.map(String.init)))
    #expect(claims["transformations"] == .string("height:2000,width:20,resize:cover,quality:50"))
    #expect(try await send(.get, path, as: nil).body == Data("<svg/>".utf8))
    #expect(
      try await json(.post, "object/sign/notes/a.svg", #"{"expiresIn":60,"transform":{}}"#, as: token)[
        "signedURL"]?
        .stringValue?.hasPrefix("/object/sign/") == true)

    let read = try await send(.get, "render/image/authenticated/notes/a.svg?width=2", as: token)
    #expect(read.body == Data("<svg/>".utf8) && read.response.fields["Content-Type"] == "image/svg+xml")
    #expect(
      try await json(.get, "render/image/public/notes/a.svg?width=2", as: nil)["code"]
        == .string("NoSuchBucket"))
    let (response, refusal) = try await send(
      .get, "render/image/authenticated/notes/a.png?width=2", as: token)
    #expect(response.status == 501)
    #expect(try JSONValue(parsing: refusal)["code"] == .string("NotSupported"))
    #expect(
      try await json(.get, "render/image/authenticated/notes/none.png", as: token)["code"]
        == .string("NoSuchKey"))
  }
}
