import Foundation
import TestSupport
import Testing
import UnderstudyRecording
import UnderstudyHTTP
import UnderstudyTesting

@Suite(.stallLimit()) struct ReplaySecretsTests {
  private func get(_ target: String, _ key: String) throws -> HTTP.Request {
    try .get(target, fields: ["Authorization": "Bearer \(key)"])
  }

  /// A recording of two sessions has two placeholders for one key.
  @Test func oneSecretMayMatchSeveralPlaceholders() async throws {
    let archive = HTTPArchive(
      answering: try [get("/a", "redacted-1"), get("/b", "redacted-2"), get("/b", "redacted-3")],
      placeholders: [
        "redacted-1": "request header Authorization",
        "redacted-2": "request header Authorization (session 2)",
        "redacted-3": "request header Authorization (session 3)",
      ])
    let replay = ReplayingTransport(archive)
    #expect(try await replay.text(for: get("/a", "my-own-key")) == "0")
    #expect(try await replay.text(for: get("/b", "my-own-key")) == "1")
    #expect(try await replay.text(for: get("/b", "my-own-key")) == "2", "the second session requested it too")
    #expect(await replay.failure(of: try get("/b", "my-own-key")) != nil)
  }

  @Test func aPlaceholderRepresentsOneSecret() async throws {
    let archive = HTTPArchive(
      answering: try [get("/a", "redacted-1"), get("/b", "redacted-1")],
      placeholders: ["redacted-1": "request header Authorization"])
    let replay = ReplayingTransport(archive)
    #expect(try await replay.text(for: get("/a", "my-own-key")) == "0")
    let failure = await replay.failure(of: try get("/b", "another-key"))
    #expect(failure?.message.contains("another secret") == true)
    #expect(try await replay.text(for: get("/b", "my-own-key")) == "1")
  }

  /// The same for one request, whose two passwords were equal.
  @Test func onePlaceholderTwiceIsOneSecretTwice() async throws {
    func change(_ old: String, _ new: String) throws -> HTTP.Request {
      try .post("/change", #"{"current_password": "\#(old)", "new_password": "\#(new)"}"#)
    }
    let archive = HTTPArchive(
      answering: [try change("redacted-1", "redacted-1")], placeholders: ["redacted-1": "request body"])
    let replay = ReplayingTransport(archive)
    #expect(await replay.failure(of: try change("one-secret", "another")) != nil)
    #expect(
      try await replay.text(for: change("another", "another")) == "0", "a failed request binds no secrets")
  }

  /// The recorder replaces every copy of a password, but rules detect it in only one place.
  @Test func aCopyOfASecretIsBoundToIt() async throws {
    func signUp(_ password: String) throws -> HTTP.Request {
      try .post(
        "/users/\(password)?again=\(password)",
        #"{"confirmation": "\#(password)", "note": "my \#(password)!", "password": "\#(password)"}"#)
    }
    let recorder = RecordingTransport(around: ScriptedTransport { _ in .json("{}") })
    _ = try await recorder.data(for: signUp("hunter2-hunter2"))
    _ = try await recorder.data(for: .get("/see/hunter2-hunter2"))
    let archive = recorder.recording
    #expect(archive.data.firstRange(of: Data("hunter2".utf8)) == nil)

    let replay = ReplayingTransport(archive)
    #expect(try await replay.text(for: signUp("another-password")) == "{}")
    #expect(try await replay.text(for: .get("/see/another-password")) == "{}", "it is known by now")
    let mixed = try HTTP.Request.post(
      "/users/another-password?again=another-password",
      #"{"confirmation": "wrong-one", "note": "my another-password!", "password": "another-password"}"#)
    let failure = await ReplayingTransport(archive).failure(of: mixed)
    #expect(failure?.message.contains("$.confirmation") == true, "\(failure as Any)")
  }

  /// A repeated request receives its own response again, and not that of another client.
  @Test func aRepeatedRequestReceivesItsOwnResponseAgain() async throws {
    let archive = HTTPArchive(
      answering: try [get("/a", "redacted-1"), get("/a", "redacted-2"), get("/second", "redacted-2")],
      placeholders: ["redacted-1": "request header", "redacted-2": "request header"])
    let replay = ReplayingTransport(archive, repetition: .repeatsLast)
    #expect(try await replay.text(for: get("/second", "second-key")) == "2")
    #expect(try await replay.text(for: get("/a", "first-key")) == "0")
    #expect(try await replay.text(for: get("/a", "first-key")) == "0")
    #expect(try await replay.text(for: get("/a", "second-key")) == "1")
    #expect(try await replay.text(for: get("/a", "first-key")) == "0")
  }

  // MARK: Requests that differ only in a secret

  private static let two = [
    "redacted-1": "request header Authorization", "redacted-2": "request header Authorization",
  ]

  /// The first of them could be either client's.
  @Test func anUnknownSecretReceivesNoneOfTwoResponses() async throws {
    let archive = HTTPArchive(
      answering: try [get("/me", "redacted-1"), get("/me", "redacted-2")], placeholders: Self.two)
    let replay = ReplayingTransport(archive, remedy: "re-record it with: make it")
    let failure = await replay.failure(of: try get("/me", "key-of-bob"))
    #expect(
      failure?.message == """
        Several recorded requests match GET https://api.example/me, and only a secret tells them apart.
          entry 0, GET https://api.example/me, with the secret redacted-1
          entry 1, GET https://api.example/me, with the secret redacted-2
          The replay does not know the secret of this request yet, so the response may be for another client.
        To decide it, send each secret first in a request that only its owner sends, such as the recorded sign-in.
        To distinguish the requests by another part, configure the fieldNames or the rules of the RequestMatching.
        If the requests always come in this order, replay with order: .ordered.
        If the values are not secrets, remove their name from the fieldNames of the Redaction, and re-record it with: \
        make it.
        """)
    #expect(replay.unansweredRequests.count == 1 && replay.unusedEntries.count == 2)
    let ordered = ReplayingTransport(archive, order: .ordered)
    #expect(try await ordered.text(for: get("/me", "key-of-alice")) == "0")
    #expect(try await ordered.text(for: get("/me", "key-of-bob")) == "1")
  }

  @Test func aSecretIsKnownByAnotherRequestAndTheLastOneByTheOthers() async throws {
    let archive = HTTPArchive(
      answering: try [get("/me", "redacted-1"), get("/me", "redacted-2"), get("/bob", "redacted-2")],
      placeholders: Self.two)
    let replay = ReplayingTransport(archive)
    #expect(try await replay.text(for: get("/bob", "key-of-bob")) == "2")
    #expect(try await replay.text(for: get("/me", "key-of-bob")) == "1")
    #expect(await replay.failure(of: try get("/me", "key-of-bob")) != nil, "the other response is not Bob's")
    #expect(try await replay.text(for: get("/me", "key-of-alice")) == "0", "only Alice is left")
  }

  /// The recorder found two values, so one value is not both.
  @Test func aKnownSecretDoesNotReceiveTheResponseOfAnother() async throws {
    let archive = HTTPArchive(
      answering: try [get("/alice", "redacted-1"), get("/bob", "redacted-2")], placeholders: Self.two)
    let replay = ReplayingTransport(archive)
    #expect(try await replay.text(for: get("/alice", "key-of-alice")) == "0")
    let failure = await replay.failure(of: try get("/bob", "key-of-alice"))
    #expect(
      failure?.message.contains(
        "It is the same request with another secret: recorded redacted-2, requested redacted-1.") == true)
  }

  /// Tokens from recorded sign-ins, in another order than recorded.
  @Test func tokensOfRecordedResponsesReceiveTheirOwnResponses() async throws {
    let tokens = ["alice": "alice-token-5Qx7", "bob": "bob-token-9Zy1"]
    let recorder = RecordingTransport(
      around: ScriptedTransport { request in
        let name = request.fields["Authorization"].flatMap { field in
          tokens.first { field.hasSuffix($0.value) }?.key
        }
        if let name { return .json(#"{"me":"\#(name)"}"#) }
        let body = String(decoding: request.body ?? Data(), as: UTF8.self)
        return .json(#"{"access_token":"\#(tokens[body.contains("alice") ? "alice" : "bob"] ?? "")"}"#)
      })
    func use(_ name: String, over transport: some HTTPTransport) async throws -> String {
      let (data, _) = try await transport.data(
        for: .post("/sign-in", #"{"name":"\#(name)","password":"of-\#(name)-1"}"#))
      let token = try JSONDecoder().decode([String: String].self, from: data)["access_token"] ?? ""
      return try await transport.text(for: .get("/me", fields: ["Authorization": "Bearer \(token)"]))
    }
    for name in ["alice", "bob"] { _ = try await use(name, over: recorder) }
    let replay = ReplayingTransport(recorder.recording)
    for name in ["bob", "alice"] {
      #expect(try await use(name, over: replay) == #"{"me":"\#(name)"}"#)
    }
  }

  @Test func aWordUnderTheNameOfATokenTellsRequestsApart() async throws {
    let recorder = RecordingTransport(
      around: ScriptedTransport { .json(#"{"of":"\#($0.url.query() ?? "")"}"#) })
    for coin in ["USDC", "DAI"] { _ = try await recorder.data(for: .get("/price?token=\(coin)")) }
    #expect(recorder.recording.entries[0].request.queryString.map(\.value) == ["USDC"])
    #expect(recorder.recording.secrets(by: .standard) == [])
    let replay = ReplayingTransport(recorder.recording)
    for coin in ["DAI", "USDC"] {
      #expect(try await replay.text(for: .get("/price?token=\(coin)")) == #"{"of":"token=\#(coin)"}"#)
    }
    #expect(await replay.failure(of: try .get("/price?token=WETH")) != nil)
  }

  /// A client that decodes a number receives one, and may send it as a number or as text.
  @Test func aNumberUnderTheNameOfASecretStaysANumber() async throws {
    struct Answer: Codable, Equatable {
      var otp: Int
      var token: Bool
      var secret: String?
    }
    let recorder = RecordingTransport(
      around: ScriptedTransport { request in
        request.method == .get ? .json(#"{"otp":481516,"token":true,"secret":null}"#) : .json(#"{"ok":1}"#)
      })
    func use(_ transport: some HTTPTransport) async throws -> Answer {
      let answer = try JSONDecoder().decode(Answer.self, from: try await transport.data(for: .get("/code")).0)
      for body in [#"{"otp":\#(answer.otp)}"#, #"{"otp":"\#(answer.otp)","again":1}"#] {
        #expect(try await transport.text(for: .post("/check", body)) == #"{"ok":1}"#)
      }
      return answer
    }
    _ = try await use(recorder)
    let archive = recorder.recording
    #expect(archive.data.firstRange(of: Data("481516".utf8)) == nil)
    #expect(archive.redacted(by: .standard).data == archive.data)
    let replay = ReplayingTransport(archive)
    #expect(try await use(replay) == Answer(otp: 2_000_000_001, token: true, secret: nil))
    #expect(replay.unansweredRequests.isEmpty && replay.unusedEntries.isEmpty)
  }

  /// A client may have the secret of a response from before the recording was redacted; but one that has received its
  /// placeholder must send that.
  @Test func aSecretOfAResponseMayBeSentBeforeItIsReceived() async throws {
    let archive = HTTPArchive(
      answering: try [get("/a", "redacted-1"), get("/b", "redacted-1")],
      placeholders: ["redacted-1": "response body"])
    let replay = ReplayingTransport(archive)
    #expect(try await replay.text(for: get("/a", "the-token-of-before")) == "0")
    #expect(await replay.failure(of: try get("/b", "another-token")) != nil)
    #expect(try await replay.text(for: get("/b", "the-token-of-before")) == "1")
  }

  /// A copy of a secret where no rule finds one, and of which the client has sent nothing before.
  @Test func aCopyIsRequestedWithTheSecretItself() async throws {
    let secret = "q7Xk2LmN9pRs4TvW"
    let recorder = RecordingTransport(
      around: ScriptedTransport { request in
        request.url.path() == "/a"
          ? .json(#"{"access_token":"\#(secret)"}"#) : .json(#"{"of":"\#(request.url.path().utf8.count)"}"#)
      })
    _ = try await recorder.data(for: .get("/a"))
    _ = try await recorder.data(for: .get("/files/\(secret)/1?owner=\(secret)"))
    _ = try await recorder.data(for: .post("/notes", #"{"to":"\#(secret)","n":1}"#))
    let archive = recorder.recording
    #expect(archive.data.firstRange(of: Data(secret.utf8)) == nil)
    for client in [secret, "z1Yx9WvU8tSr7QpO"] {
      let replay = ReplayingTransport(archive)
      #expect(try await replay.text(for: .get("/files/\(client)/1?owner=\(client)")) == #"{"of":"25"}"#)
      #expect(await replay.failure(of: try .post("/notes", #"{"to":"\#(client)","n":2}"#)) != nil)
      #expect(await replay.failure(of: try .post("/notes", #"{"to":"q7Xk2LmN9pRs4TvX","n":1}"#)) != nil)
      #expect(try await replay.text(for: .post("/notes", #"{"to":"\#(client)","n":1}"#)) == #"{"of":"6"}"#)
    }
    let replay = ReplayingTransport(archive)
    #expect(await replay.failure(of: try .get("/files/report/1?owner=report")) != nil, "another file")
    #expect(await replay.failure(of: try .get("/files/\(secret)/1?owner=someone-else-1x2y3z")) != nil)
  }

  @Test func fieldsOfFormsAndPartsAreSecretsByTheirNames() async throws {
    let form = { (password: String) in
      try HTTP.Request.post(
        "/form", "user=pat&password=\(password)",
        fields: ["Content-Type": "application/x-www-form-urlencoded"])
    }
    let parts = { (password: String) in
      try HTTP.Request.post(
        "/parts", "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n\(password)\r\n--b--",
        fields: ["Content-Type": "multipart/form-data; boundary=b"])
    }
    let archive = HTTPArchive(
      answering: try [form("redacted-1"), parts("redacted-1")],
      placeholders: ["redacted-1": "request body"])
    let replay = ReplayingTransport(archive)
    #expect(try await replay.text(for: form("hunter2%21")) == "0")
    let failure = await replay.failure(of: try parts("another"))
    #expect(failure?.message.contains("another secret") == true)
    #expect(try await replay.text(for: parts("hunter2!")) == "1", "the same secret in another encoding")
  }
}
