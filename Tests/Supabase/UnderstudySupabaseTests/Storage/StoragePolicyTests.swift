import Foundation
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudySupabase
import UnderstudyTesting

/// Policies of `storage.objects` and `storage.buckets` as projects write them, for each kind of request.
///
/// What a request needs is in the `RLS policy permissions required` of the client's reference and in `object.ts`: an
/// upload INSERT, an upsert SELECT and UPDATE too, a move SELECT and UPDATE, a copy SELECT and INSERT, a removal SELECT
/// and DELETE, everything else SELECT.
@Suite(.stallLimit()) struct StoragePolicyTests {
  private struct Project {
    let emulator: SupabaseEmulator
    let pat: String
    let kim: String
    /// The folder of Pat.
    let folder: String
    /// The folder of Kim.
    let other: String

    init(_ policies: String) async throws {
      let time = HandDrivenTime().time
      let schema = try DatabaseSchema.running(
        """
        INSERT INTO storage.buckets (id, name, public) VALUES ('files', 'files', false), ('shared', 'shared', false);
        \(policies)
        """)
      let database = InMemoryDatabase(schema, seed: 1, time: time)
      let auth = AuthServer(database: database, seed: 1, time: time)
      emulator = SupabaseEmulator(database: database, auth: auth)
      folder = try auth.addUser(email: "pat@example.com", password: "secret1").uuidString.lowercased()
      other = try auth.addUser(email: "kim@example.com", password: "secret2").uuidString.lowercased()
      pat = try auth.signIn(email: "pat@example.com", password: "secret1").accessToken
      kim = try auth.signIn(email: "kim@example.com", password: "secret2").accessToken
    }

    @discardableResult
    func send(
      _ method: HTTP.Method, _ path: String, _ body: String? = nil, as token: String? = "service-key",
      _ fields: HTTP.Fields = [:]
    ) async throws -> JSONValue {
      let url = try #require(URL(string: "http://localhost/storage/v1/\(path)"))
      var request = HTTP.Request(method, url, fields: fields, body: body.map { Data($0.utf8) })
      if let token { request.fields["Authorization"] = "Bearer \(token)" }
      let (data, _) = try await InProcessTransport(to: emulator).data(for: request)
      return try JSONValue(parsing: data)
    }

    func upload(
      _ path: String, as token: String = "service-key", type: String = "text/plain", replaces: Bool = false
    ) async throws -> JSONValue {
      try await send(
        .post, "object/\(path)", #""hello""#, as: token,
        ["Content-Type": type, "x-upsert": replaces ? "true" : "false"])
    }

    func transfer(
      _ kind: String, _ source: String, _ destination: String, to bucket: String = "files", as token: String
    ) async throws -> JSONValue {
      try await send(
        .post, "object/\(kind)",
        """
        {"bucketId":"files","sourceKey":"\(source)","destinationKey":"\(destination)",
        "destinationBucket":"\(bucket)"}
        """, as: token)
    }

    func names(_ prefix: String, as token: String) async throws -> [String?] {
      guard
        case .array(let entries) = try await send(
          .post, "object/list/files", #"{"prefix":"\#(prefix)"}"#, as: token)
      else { throw CancellationError() }
      return entries.map { $0["name"]?.stringValue }
    }
  }

  /// The policies of Supabase's documentation (Storage, Helper Functions), one for each kind of statement.
  private static let ownFolder = ["SELECT", "INSERT", "UPDATE", "DELETE"].map { kind in
    let condition = "(bucket_id = 'files' AND (storage.foldername(name))[1] = (SELECT auth.uid()::text))"
    let clauses =
      switch kind {
      case "INSERT": "WITH CHECK \(condition)"
      case "UPDATE": "USING \(condition) WITH CHECK \(condition)"
      default: "USING \(condition)"
      }
    return
      #"CREATE POLICY "own folder \#(kind)" ON storage.objects FOR \#(kind) TO authenticated \#(clauses);"#
  }.joined(separator: "\n")

  @Test func aFolderBelongsToTheUserItIsNamedAfter() async throws {
    let project = try await Project(Self.ownFolder)
    let mine = "\(project.folder)/a.txt"
    let theirs = "\(project.other)/a.txt"
    #expect(try await project.upload("files/\(mine)", as: project.pat)["Id"] != nil)
    #expect(try await project.upload("files/\(theirs)", as: project.kim)["Id"] != nil)

    #expect(try await project.upload("files/\(theirs)x", as: project.pat)["code"] == .string("AccessDenied"))
    #expect(try await project.upload("files/a.txt", as: project.pat)["code"] == .string("AccessDenied"))
    #expect(try await project.upload("shared/\(mine)", as: project.pat)["code"] == .string("AccessDenied"))
    #expect(
      try await project.upload("files/\(theirs)", as: project.pat, replaces: true)["code"]
        == .string("AccessDenied"))
    #expect(try await project.upload("files/\(mine)", as: project.pat, replaces: true)["Id"] != nil)

    #expect(try await project.send(.get, "object/files/\(mine)", as: project.pat) == .string("hello"))
    for path in ["object/files/\(theirs)", "object/info/files/\(theirs)"] {
      #expect(try await project.send(.get, path, as: project.pat)["code"] == .string("NoSuchKey"), "\(path)")
    }
    #expect(try await project.names("", as: project.pat) == [project.folder])
    #expect(try await project.names(project.other, as: project.pat) == [])
  }

  @Test func aMoveMustLeaveTheObjectInAFolderOfTheUser() async throws {
    let project = try await Project(Self.ownFolder)
    let (mine, theirs) = (project.folder, project.other)
    _ = try await project.upload("files/\(mine)/a.txt", as: project.pat)
    _ = try await project.upload("files/\(theirs)/a.txt", as: project.kim)
    for kind in ["move", "copy"] {
      let away = try await project.transfer(kind, "\(mine)/a.txt", "\(theirs)/b.txt", as: project.pat)
      #expect(away["code"] == .string("AccessDenied"), "\(kind)")
      let out = try await project.transfer(
        kind, "\(mine)/a.txt", "\(mine)/a.txt", to: "shared", as: project.pat)
      #expect(out["code"] == .string("AccessDenied"), "\(kind)")
      let stolen = try await project.transfer(kind, "\(theirs)/a.txt", "\(mine)/b.txt", as: project.pat)
      #expect(stolen["code"] == .string("NoSuchKey"), "\(kind)")
    }
    #expect(
      try await project.transfer("copy", "\(mine)/a.txt", "\(mine)/b.txt", as: project.pat)["Key"]
        == .string("files/\(mine)/b.txt"))
    #expect(
      try await project.transfer("move", "\(mine)/b.txt", "\(mine)/c/d.txt", as: project.pat)["message"]
        == .string("Successfully moved"))
    #expect(try await project.names(mine, as: project.pat) == ["a.txt", "c"])
  }

  @Test func aRemovalTakesOnlyWhatTheUserMayDelete() async throws {
    let project = try await Project(Self.ownFolder)
    let (mine, theirs) = ("\(project.folder)/a.txt", "\(project.other)/a.txt")
    _ = try await project.upload("files/\(mine)", as: project.pat)
    _ = try await project.upload("files/\(theirs)", as: project.kim)
    guard
      case .array(let removed) = try await project.send(
        .delete, "object/files", #"{"prefixes":["\#(mine)","\#(theirs)"]}"#, as: project.pat)
    else { throw CancellationError() }
    #expect(removed.map { $0["name"] } == [.string(mine)])
    #expect(try await project.names(project.other, as: project.kim) == ["a.txt"])
  }

  @Test func aURLIsSignedOnlyForWhatTheUserMaySeeOrUpload() async throws {
    let project = try await Project(Self.ownFolder)
    let (mine, theirs) = ("\(project.folder)/a.txt", "\(project.other)/a.txt")
    _ = try await project.upload("files/\(mine)", as: project.pat)
    _ = try await project.upload("files/\(theirs)", as: project.kim)
    let life = #"{"expiresIn":60}"#
    let url = try await project.send(.post, "object/sign/files/\(mine)", life, as: project.pat)["signedURL"]
    let path = String(try #require(url?.stringValue).dropFirst())
    #expect(try await project.send(.get, path, as: nil) == .string("hello"))
    #expect(
      try await project.send(.post, "object/sign/files/\(theirs)", life, as: project.pat)["code"]
        == .string("NoSuchKey"))
    let both = try await project.send(
      .post, "object/sign/files", #"{"expiresIn":60,"paths":["\#(mine)","\#(theirs)"]}"#, as: project.pat)
    guard case .array(let entries) = both else { throw CancellationError() }
    #expect(entries.map { $0["error"] == .null } == [true, false])
    #expect(
      try await project.send(.post, "object/upload/sign/files/\(theirs)x", as: project.pat)["code"]
        == .string("AccessDenied"))
    #expect(
      try await project.send(.post, "object/upload/sign/files/\(mine)x", as: project.pat)["token"] != nil)
  }

  /// `uploader.ts` sets `owner` and `owner_id`; projects compare either.
  @Test(arguments: ["owner = auth.uid()", "owner_id = auth.uid()::text", "(select auth.uid()) = owner::uuid"])
  func anObjectBelongsToWhoeverUploadedIt(_ condition: String) async throws {
    let project = try await Project(
      """
      CREATE POLICY "anyone uploads" ON storage.objects FOR INSERT TO authenticated WITH CHECK (true);
      CREATE POLICY "owners read" ON storage.objects FOR SELECT TO authenticated USING (\(condition));
      CREATE POLICY "owners delete" ON storage.objects FOR DELETE TO authenticated USING (\(condition));
      """)
    _ = try await project.upload("files/a.txt", as: project.pat)
    #expect(try await project.names("", as: project.kim) == [])
    #expect(
      try await project.send(.delete, "object/files", #"{"prefixes":["a.txt"]}"#, as: project.kim)
        == .array([]))
    // Without a policy for UPDATE, not even the owner replaces or moves it.
    #expect(
      try await project.upload("files/a.txt", as: project.pat, replaces: true)["code"]
        == .string("AccessDenied"))
    #expect(
      try await project.transfer("move", "a.txt", "b.txt", as: project.pat)["code"] == .string("NoSuchKey"))
    #expect(try await project.names("", as: project.pat) == ["a.txt"])
  }

  /// Migration 0060 of `storage`: the extension is what follows the last dot, and the whole name without a dot.
  @Test func aPolicyAsksForTheNameAndTheExtension() async throws {
    let project = try await Project(
      """
      CREATE POLICY "images" ON storage.objects FOR INSERT TO authenticated WITH CHECK (
        storage.extension(name) IN ('jpg', 'png', 'LICENSE') AND storage.filename(name) NOT LIKE '.%');
      """)
    for (name, isAllowed) in [
      ("a.png", true), ("a.tar.jpg", true), ("b.jpg/a.txt", false), (".png", false), ("c/LICENSE", true),
      ("c/README", false),
    ] {
      let answer = try await project.upload("files/\(name)", as: project.pat)
      #expect((answer["Id"] != nil) == isAllowed, "\(name)")
    }
  }

  /// `uploader.ts` shows the policies the type and the size of the file, and the metadata of the client.
  @Test func aPolicyAsksForTheMetadataOfAnUpload() async throws {
    let project = try await Project(
      """
      CREATE POLICY "small images" ON storage.objects FOR INSERT TO authenticated WITH CHECK (
        metadata->>'mimetype' LIKE 'image/%' AND (metadata->>'contentLength')::int < 100
          OR user_metadata->>'kind' = 'note');
      """)
    #expect(try await project.upload("files/a", as: project.pat, type: "image/png")["Id"] != nil)
    #expect(try await project.upload("files/b", as: project.pat)["code"] == .string("AccessDenied"))
    let metadata = Data(#"{"kind":"note"}"#.utf8).base64EncodedString()
    let noted = try await project.send(
      .post, "object/files/c", "hello", as: project.pat,
      ["Content-Type": "text/plain", "x-metadata": metadata])
    #expect(noted["Id"] != nil)
  }

  @Test func thePoliciesOfBucketsDecideWhoSeesAndChangesThem() async throws {
    let project = try await Project(
      """
      CREATE POLICY "all see" ON storage.buckets FOR SELECT USING (id = 'shared' OR owner = auth.uid());
      CREATE POLICY "users create" ON storage.buckets FOR INSERT TO authenticated WITH CHECK (NOT public);
      CREATE POLICY "owners change" ON storage.buckets FOR UPDATE USING (owner = auth.uid());
      CREATE POLICY "owners delete" ON storage.buckets FOR DELETE USING (owner = auth.uid());
      """)
    #expect(
      try await project.send(.post, "bucket", #"{"name":"mine","public":true}"#, as: project.pat)["code"]
        == .string("AccessDenied"))
    #expect(
      try await project.send(.post, "bucket", #"{"name":"mine"}"#, as: project.pat)["name"] == .string("mine")
    )
    for (token, names) in [(project.pat, ["mine", "shared"]), (project.kim, ["shared"])] {
      guard case .array(let buckets) = try await project.send(.get, "bucket", as: token) else {
        throw CancellationError()
      }
      #expect(buckets.map { $0["id"]?.stringValue } == names)
    }
    let change = #"{"file_size_limit":1}"#
    #expect(
      try await project.send(.put, "bucket/mine", change, as: project.kim)["statusCode"] == .string("404"))
    #expect(
      try await project.send(.put, "bucket/mine", change, as: project.pat)["message"]
        == .string("Successfully updated"))
    #expect(try await project.send(.delete, "bucket/mine", as: project.kim)["statusCode"] == .string("404"))
    #expect(
      try await project.send(.delete, "bucket/mine", as: project.pat)["message"]
        == .string("Successfully deleted"))
  }

  /// `emptyBucket` in `storage.ts`: whoever sees an object of the bucket empties it, whatever the policies for DELETE.
  @Test func whoeverSeesABucketAndAnObjectEmptiesIt() async throws {
    let project = try await Project(
      """
      CREATE POLICY "all see buckets" ON storage.buckets FOR SELECT USING (true);
      CREATE POLICY "owners see objects" ON storage.objects FOR SELECT USING (owner = auth.uid());
      CREATE POLICY "users upload" ON storage.objects FOR INSERT TO authenticated WITH CHECK (true);
      """)
    _ = try await project.upload("files/a.txt", as: project.pat)
    _ = try await project.upload("files/b.txt")
    let queued = JSONValue.string("Empty bucket has been queued. Completion may take up to an hour.")
    #expect(try await project.send(.post, "bucket/files/empty", as: project.kim)["message"] == queued)
    #expect(try await project.names("", as: "service-key") == ["a.txt", "b.txt"])
    #expect(try await project.send(.post, "bucket/files/empty", as: project.pat)["message"] == queued)
    #expect(try await project.names("", as: "service-key") == [])
  }

  /// A public bucket is readable by its URL; lists and writes still need policies (`getPublicObject.ts`).
  @Test func aPublicBucketOpensOnlyItsURLs() async throws {
    let project = try await Project("UPDATE storage.buckets SET public = true WHERE id = 'files';")
    _ = try await project.upload("files/a.txt")
    #expect(try await project.send(.get, "object/public/files/a.txt", as: nil) == .string("hello"))
    for token in [project.pat, nil, "invalid"] {
      #expect(try await project.send(.get, "object/files/a.txt", as: token) == .string("hello"))
    }
    #expect(
      try await project.send(.get, "object/shared/a.txt", as: nil)["code"] == .string("NoSuchBucket"))
    #expect(try await project.names("", as: project.pat) == [])
    #expect(try await project.upload("files/b.txt", as: project.pat)["code"] == .string("AccessDenied"))
  }
}
