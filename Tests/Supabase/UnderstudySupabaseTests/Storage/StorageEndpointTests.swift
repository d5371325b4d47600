import Foundation
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudySupabase
import UnderstudyTesting

/// The endpoints of Storage, with the rules of `storage` (`src/http/routes` and `src/storage`).
@Suite(.stallLimit()) struct StorageEndpointTests {
  let clock = HandDrivenTime()
  let database: InMemoryDatabase
  let auth: AuthServer
  let emulator: SupabaseEmulator
  let pat: UUID
  let token: String

  init() throws {
    let schema = try DatabaseSchema.running(
      """
      CREATE POLICY "own objects" ON storage.objects FOR ALL TO authenticated
        USING (bucket_id = 'notes' AND owner = auth.uid())
        WITH CHECK (bucket_id = 'notes' AND owner = auth.uid());
      CREATE POLICY "a folder for each user" ON storage.objects FOR INSERT TO authenticated
        WITH CHECK (bucket_id = 'files' AND auth.uid()::text = (storage.foldername(name))[1]
          AND storage.extension(name) = 'txt' AND storage.filename(name) <> 'no.txt');
      """)
    database = InMemoryDatabase(schema, seed: 1, time: clock.time)
    auth = AuthServer(database: database, seed: 1, time: clock.time)
    emulator = SupabaseEmulator(database: database, auth: auth)
    pat = try auth.addUser(email: "pat@example.com", password: "secret1")
    token = try auth.signIn(email: "pat@example.com", password: "secret1").accessToken
  }

  func send(
    _ method: HTTP.Method, _ path: String, _ body: String? = nil, as token: String? = "service-key",
    _ fields: HTTP.Fields = [:]
  ) async throws -> (response: HTTP.Response, body: Data) {
    let url = try #require(URL(string: "http://localhost/storage/v1/\(path)"))
    var request = HTTP.Request(method, url, fields: fields, body: body.map { Data($0.utf8) })
    if let token { request.fields["Authorization"] = "Bearer \(token)" }
    let (data, response) = try await InProcessTransport(to: emulator).data(for: request)
    return (response, data)
  }

  func json(
    _ method: HTTP.Method, _ path: String, _ body: String? = nil, as token: String? = "service-key",
    _ fields: HTTP.Fields = [:]
  ) async throws -> JSONValue {
    try JSONValue(parsing: try await send(method, path, body, as: token, fields).body)
  }

  func makeBucket(_ settings: String = "") async throws {
    let answer = try await json(.post, "bucket", #"{"id":"notes","name":"notes"\#(settings)}"#)
    #expect(answer["name"] == .string("notes"))
  }

  func upload(_ path: String, _ text: String = "hello", as token: String? = nil) async throws {
    let (response, _) = try await send(
      .post, "object/notes/\(path)", text, as: token ?? self.token, ["Content-Type": "text/plain"])
    #expect(response.status == 200)
  }

  // MARK: Buckets

  @Test func aBucketIsCreatedChangedListedAndDeleted() async throws {
    try await makeBucket(#","public":true,"file_size_limit":"1.5KB","allowed_mime_types":["text/*"]"#)
    let bucket = try await json(.get, "bucket/notes")
    #expect(bucket["public"] == .boolean(true) && bucket["file_size_limit"]?.numberValue == 1_500)
    #expect(bucket["owner"] == .string(""))
    #expect(bucket["allowed_mime_types"] == .array([.string("text/*")]))
    let again = try await send(.post, "bucket", #"{"name":"notes"}"#)
    #expect(again.response.status == 400)
    #expect(try JSONValue(parsing: again.body)["statusCode"] == .string("409"))
    #expect(try JSONValue(parsing: again.body)["error"] == .string("Duplicate"))
    _ = try await json(.put, "bucket/notes", #"{"public":false}"#)
    #expect(try await json(.get, "bucket/notes")["public"] == .boolean(false))
    guard case .array(let all) = try await json(.get, "bucket") else { throw CancellationError() }
    #expect(all.map { $0["id"] } == [.string("notes")])
    try await upload("a.txt", as: "service-key")
    #expect(try await json(.delete, "bucket/notes")["code"] == .string("ResourceNotEmpty"))
    _ = try await json(.post, "bucket/notes/empty")
    #expect(try await json(.delete, "bucket/notes")["message"] == .string("Successfully deleted"))
    #expect(try await json(.get, "bucket/notes")["statusCode"] == .string("404"))
  }

  /// The query of `getAllBuckets.ts`.
  @Test(arguments: [
    ("", ["alpha", "beta", "Beta2"]), ("?search=BETA&sortColumn=id&sortOrder=desc", ["Beta2", "beta"]),
    ("?limit=1&offset=1", ["beta"]),
    ("?sortColumn=created_at&sortOrder=desc", ["Beta2", "alpha", "beta"]),
  ])
  func bucketsAreSearchedSortedAndPaged(_ query: String, _ names: [String]) async throws {
    for name in ["beta", "alpha", "Beta2"] {
      _ = try await json(.post, "bucket", #"{"name":"\#(name)"}"#)
      clock.advance(by: 1)
    }
    guard case .array(let buckets) = try await json(.get, "bucket" + query) else { throw CancellationError() }
    #expect(buckets.map { $0["name"]?.stringValue } == names)
    let refused = try await json(.get, "bucket?sortColumn=public")
    #expect(
      refused["message"] == .string("querystring/sortColumn must be equal to one of the allowed values"))
  }

  /// Without policies, row-level security refuses everything but the service role.
  @Test func onlyThePoliciesOfBucketsAllowAUserToMakeOne() async throws {
    let refused = try await json(.post, "bucket", #"{"name":"mine"}"#, as: token)
    #expect(refused["statusCode"] == .string("403"))
    #expect(refused["message"] == .string("new row violates row-level security policy"))
    #expect(try await json(.post, "bucket", #"{"name":"a/b"}"#)["code"] == .string("InvalidBucketName"))
  }

  // MARK: Objects

  @Test func anObjectIsUploadedReadReplacedAndDeleted() async throws {
    try await makeBucket()
    try await upload("folder/a b.txt".replacing(" ", with: "%20"))
    let read = try await send(.get, "object/authenticated/notes/folder/a%20b.txt", as: token)
    #expect(read.body == Data("hello".utf8) && read.response.fields["Content-Type"] == "text/plain")
    #expect(read.response.fields["Cache-Control"] == "no-cache")
    let tag = try #require(read.response.fields["ETag"])
    let unchanged = try await send(
      .get, "object/notes/folder/a%20b.txt", as: token, ["If-None-Match": tag])
    #expect(unchanged.response.status == 304 && unchanged.body.isEmpty)
    let part = try await send(.get, "object/notes/folder/a%20b.txt", as: token, ["Range": "bytes=1-2"])
    #expect(part.response.status == 206 && part.body == Data("el".utf8))
    #expect(part.response.fields["Content-Range"] == "bytes 1-2/5")

    let again = try await json(.post, "object/notes/folder/a%20b.txt", "other", as: token)
    #expect(again["error"] == .string("Duplicate"))
    let replaced = try await json(
      .post, "object/notes/folder/a%20b.txt", "other", as: token, ["x-upsert": "true"])
    #expect(replaced["Key"] == .string("notes/folder/a b.txt"))
    #expect(try await send(.get, "object/notes/folder/a%20b.txt", as: token).body == Data("other".utf8))
    let info = try await json(.get, "object/info/notes/folder/a%20b.txt", as: token)
    #expect(info["size"]?.integerValue == 5 && info["bucket_id"] == .string("notes"))

    #expect(
      try await json(.delete, "object/notes/folder/a%20b.txt", as: token)["message"]
        == .string("Successfully deleted"))
    let missing = try await send(.get, "object/notes/folder/a%20b.txt", as: token)
    #expect(missing.response.status == 400)
    #expect(try JSONValue(parsing: missing.body)["statusCode"] == .string("404"))
  }

  /// As supabase-swift, supabase-js and supabase-py send it.
  @Test func aFormHasTheFileItsCacheTimeAndItsMetadata() async throws {
    try await makeBucket(#","allowed_mime_types":["image/*"]"#)
    func form(_ type: String) -> String {
      """
      --x\r\nContent-Disposition: form-data; name="cacheControl"\r\n\r\n3600\r\n--x\r\n\
      Content-Disposition: form-data; name="metadata"\r\n\r\n{"of":"pat"}\r\n--x\r\n\
      Content-Disposition: form-data; name=""; filename="a.png"\r\nContent-Type: \(type)\r\n\r\nbytes\r\n--x--\r\n
      """
    }
    let fields: HTTP.Fields = ["Content-Type": "multipart/form-data; boundary=x"]
    let refused = try await json(.post, "object/notes/a.png", form("text/html"), as: token, fields)
    #expect(refused["statusCode"] == .string("415"))
    #expect(refused["message"] == .string("mime type text/html is not supported"))
    _ = try await json(.post, "object/notes/a.png", form("image/png"), as: token, fields)
    let read = try await send(.get, "object/notes/a.png", as: token)
    #expect(read.body == Data("bytes".utf8) && read.response.fields["Cache-Control"] == "max-age=3600")
    #expect(try await json(.get, "object/info/notes/a.png", as: token)["metadata"]?["of"] == .string("pat"))
    #expect(
      try await json(.post, "object/notes/b.png", "no parts", as: token, fields)["message"]
        == .string("No content provided"))
  }

  @Test func whatABucketRefusesIsNotStored() async throws {
    try await makeBucket(#","file_size_limit":4"#)
    let large = try await json(.post, "object/notes/a.txt", "hello", as: token)
    #expect(large["statusCode"] == .string("413") && large["code"] == .string("EntityTooLarge"))
    #expect(try await json(.post, "object/notes/%C3%A9.txt", "a", as: token)["code"] == .string("InvalidKey"))
    #expect(try await json(.post, "object/none/a.txt", "a", as: token)["code"] == .string("NoSuchBucket"))
    #expect(
      try await json(.post, "object/notes/.emptyFolderPlaceholder", "a", as: token)["code"]
        == .string("EntityTooLarge"))
    #expect(try await json(.post, "object/list/notes", #"{"prefix":""}"#) == .array([]))
    _ = try await json(.post, "object/notes/folder/.emptyFolderPlaceholder", "", as: token)
    #expect(
      try await json(.get, "object/info/notes/folder/.emptyFolderPlaceholder", as: token)["size"]
        == .number("0"))
    #expect(
      try await json(.post, "bucket", #"{"name":"lake","type":"ANALYTICS"}"#)["code"]
        == .string("NotSupported"))
  }

  /// `PolicyTests` covers conditions; this one that each route asks them as the caller.
  @Test func policiesHideTheObjectsOfOthers() async throws {
    try await makeBucket()
    try await upload("secret.txt")
    try auth.addUser(email: "kim@example.com", password: "secret2")
    let kim = try auth.signIn(email: "kim@example.com", password: "secret2").accessToken
    for (method, path, body) in [
      (HTTP.Method.get, "object/notes/secret.txt", nil), (.get, "object/info/notes/secret.txt", nil),
      (.post, "object/sign/notes/secret.txt", #"{"expiresIn":60}"#),
      (.post, "object/move", #"{"bucketId":"notes","sourceKey":"secret.txt","destinationKey":"b"}"#),
      (.post, "object/copy", #"{"bucketId":"notes","sourceKey":"secret.txt","destinationKey":"b"}"#),
    ] as [(HTTP.Method, String, String?)] {
      #expect(try await json(method, path, body, as: kim)["code"] == .string("NoSuchKey"), "\(path)")
    }
    #expect(try await json(.delete, "object/notes/secret.txt", as: kim)["code"] == .string("AccessDenied"))
    #expect(
      try await json(.delete, "object/notes", #"{"prefixes":["secret.txt"]}"#, as: kim) == .array([]))
    #expect(try await json(.post, "object/list/notes", #"{"prefix":""}"#, as: kim) == .array([]))
    let replaced = try await json(
      .post, "object/notes/secret.txt", "mine", as: kim, ["x-upsert": "true"])
    #expect(replaced["code"] == .string("AccessDenied"))
    #expect(try await send(.get, "object/notes/secret.txt", as: token).body == Data("hello".utf8))
    #expect(try await json(.get, "object/notes/secret.txt", as: nil)["code"] == .string("NoSuchBucket"))
    #expect(
      try await json(.get, "object/authenticated/notes/secret.txt", as: nil)["code"]
        == .string("InvalidRequest"))
  }

  /// The policy of Supabase's documentation.
  @Test func aPolicyAsksForTheFolderOfAName() async throws {
    _ = try await json(.post, "bucket", #"{"name":"files"}"#)
    let own = "object/files/\(pat.uuidString.lowercased())"
    #expect(try await json(.post, own + "/a/b.txt", "a", as: token)["Id"] != nil)
    for path in [own + "/a/b.png", own + "/no.txt", "object/files/\(UUID())/b.txt", "object/files/b.txt"] {
      #expect(try await json(.post, path, "a", as: token)["code"] == .string("AccessDenied"), "\(path)")
    }
  }

  // MARK: Lists

  /// `storage.search`: folders among the objects by name, before them by any other column.
  @Test(arguments: [
    (#"{"prefix":""}"#, ["B.txt", "c", "z.txt"]), (#"{"prefix":"c"}"#, ["d", "x.txt"]),
    (#"{"prefix":"c/d/"}"#, ["y.txt"]),
    (#"{"prefix":"","sortBy":{"column":"name","order":"desc"}}"#, ["z.txt", "c", "B.txt"]),
    (#"{"prefix":"","limit":1,"offset":1}"#, ["c"]), (#"{"prefix":"","search":"b"}"#, ["B.txt"]),
    (#"{"prefix":"","sortBy":{"column":"created_at","order":"desc"}}"#, ["c", "B.txt", "z.txt"]),
  ])
  func aFolderListsItsObjectsAndFolders(_ body: String, _ names: [String]) async throws {
    try await makeBucket()
    for name in ["z.txt", "c/x.txt", "c/d/y.txt", "B.txt"] {
      try await upload(name)
      clock.advance(by: 1)
    }
    guard case .array(let entries) = try await json(.post, "object/list/notes", body, as: token) else {
      throw CancellationError()
    }
    #expect(entries.map { $0["name"]?.stringValue } == names)
    #expect(
      entries.allSatisfy { ($0["id"] == .null) == ($0["name"]?.stringValue?.hasSuffix(".txt") == false) })
  }

  @Test func anObjectIsMovedAndCopied() async throws {
    try await makeBucket()
    try await upload("a.txt")
    let copied = try await json(
      .post, "object/copy", #"{"bucketId":"notes","sourceKey":"a.txt","destinationKey":"b.txt"}"#, as: token)
    #expect(copied["Key"] == .string("notes/b.txt"))
    let moved = try await json(
      .post, "object/move", #"{"bucketId":"notes","sourceKey":"a.txt","destinationKey":"c/d.txt"}"#, as: token
    )
    #expect(moved["message"] == .string("Successfully moved"))
    for path in ["b.txt", "c/d.txt"] {
      #expect(try await send(.get, "object/notes/\(path)", as: token).body == Data("hello".utf8))
    }
    #expect(try await send(.get, "object/notes/a.txt", as: token).response.status == 400)
  }

  // MARK: URLs

  @Test func aSignedURLNeedsNoTokenUntilItExpires() async throws {
    try await makeBucket()
    try await upload("a.txt")
    let signed = try await json(.post, "object/sign/notes/a.txt", #"{"expiresIn":60}"#, as: token)
    let path = String(try #require(signed["signedURL"]?.stringValue).dropFirst())
    #expect(path.hasPrefix("object/sign/notes/a.txt?token="))
    let read = try await send(.get, path + "&download=x.txt", as: nil)
    #expect(read.body == Data("hello".utf8))
    #expect(
      read.response.fields["Content-Disposition"] == "attachment; filename=x.txt; filename*=UTF-8''x.txt")
    let other = path.replacing("a.txt", with: "b.txt")
    #expect(try await json(.get, other, as: nil)["code"] == .string("InvalidSignature"))
    #expect(try await json(.get, path + "x", as: nil)["code"] == .string("InvalidJWT"))
    // A token of a user is signed with the same secret, and is none of an object.
    #expect(
      try await json(.get, "object/sign/notes/a.txt?token=\(token)", as: nil)["code"]
        == .string("InvalidSignature"))
    clock.advance(by: 60)
    #expect(
      try await json(.get, path, as: nil)["message"] == .string(#""exp" claim timestamp check failed"#))
    let many = try await json(
      .post, "object/sign/notes", #"{"expiresIn":"60","paths":["a.txt","none.txt"]}"#, as: token)
    guard case .array(let entries) = many else { throw CancellationError() }
    #expect(entries.map { $0["signedURL"] == .null } == [false, true])
  }

  @Test func aSignedUploadIsOwnedByWhoeverSignedIt() async throws {
    try await makeBucket()
    let signed = try await json(.post, "object/upload/sign/notes/a.txt", as: token)
    let path = String(try #require(signed["url"]?.stringValue).dropFirst())
    #expect(
      try await json(.put, path, "hello", as: nil) == .object([.init("Key", .string("notes/a.txt"))]))
    #expect(try await send(.get, "object/notes/a.txt", as: token).body == Data("hello".utf8))
    #expect(try await json(.put, path, "other", as: nil)["error"] == .string("Duplicate"))
    let download = path.replacing("object/upload/sign", with: "object/sign")
    #expect(try await json(.get, download, as: nil)["code"] == .string("InvalidSignature"))
    let refused = try await json(.post, "object/upload/sign/other/a.txt", as: token)
    #expect(refused["code"] == .string("AccessDenied"))
  }

  /// `getSignedObject.ts`: a cache may keep what a signed URL sends until the URL expires.
  @Test func aSignedURLTellsCachesWhenItExpires() async throws {
    try await makeBucket()
    try await upload("a.txt")
    let signed = try await json(.post, "object/sign/notes/a.txt", #"{"expiresIn":60}"#, as: token)
    let path = String(try #require(signed["signedURL"]?.stringValue).dropFirst())
    let (response, _) = try await send(.get, path, as: nil)
    #expect(response.fields["Cache-Control"] == nil)
    let date = try #require(response.fields["Expires"])
    #expect(date == HTTPDate.text(of: clock.time.now.addingTimeInterval(60)))
  }

  /// RFC 9110 §13.1.3; `getObject` in `backend/file.ts`.
  @Test func anObjectIsNotSentAgainUnlessItChanged() async throws {
    try await makeBucket()
    try await upload("a.txt")
    let modified = try #require(
      try await send(.get, "object/notes/a.txt", as: token).response.fields["Last-Modified"])
    let again = try await send(.get, "object/notes/a.txt", as: token, ["If-Modified-Since": modified])
    #expect(again.response.status == 304 && again.body.isEmpty)
    let head = try await send(.head, "object/notes/a.txt", as: token, ["If-Modified-Since": modified])
    #expect(head.response.status == 200 && head.response.fields["Content-Length"] == "5")
    clock.advance(by: 2)
    _ = try await send(.put, "object/notes/a.txt", "other", as: token)
    let changed = try await send(.get, "object/notes/a.txt", as: token, ["If-Modified-Since": modified])
    #expect(changed.response.status == 200 && changed.body == Data("other".utf8))
    let invalid = try await send(.get, "object/notes/a.txt", as: token, ["If-Modified-Since": "yesterday"])
    #expect(invalid.response.status == 200)
  }

  @Test func onlyAPublicBucketHasPublicURLs() async throws {
    try await makeBucket()
    try await upload("a.txt")
    #expect(try await json(.get, "object/public/notes/a.txt", as: nil)["code"] == .string("NoSuchBucket"))
    _ = try await json(.put, "bucket/notes", #"{"public":true}"#)
    #expect(try await send(.get, "object/public/notes/a.txt", as: nil).body == Data("hello".utf8))
    let head = try await send(.head, "object/public/notes/a.txt", as: nil)
    #expect(head.response.fields["Content-Length"] == "5" && head.body.isEmpty)
  }

  @Test(arguments: ["upload/resumable", "s3/notes", "vector/ListVectorBuckets", "iceberg/bucket"])
  func whatIsNotSupportedSaysSo(_ path: String) async throws {
    let (response, body) = try await send(.get, path)
    #expect(response.status == 501)
    #expect(try JSONValue(parsing: body)["code"] == .string("NotSupported"))
  }
}
