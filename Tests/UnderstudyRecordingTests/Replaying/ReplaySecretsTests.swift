import Foundation
import Testing
import UnderstudyRecording
import UnderstudyHTTP

struct ReplaySecretsTests {
  private func get(_ target: String, _ key: String) throws -> HTTP.Request {
    try .get(target, fields: ["Authorization": "Bearer \(key)"])
  }

  /// A recording of two sessions has two placeholders for one key.
  @Test func oneSecretMayMatchSeveralPlaceholders() async throws {
    let archive = HTTPArchive(
      answering: try [get("/a", "redacted-1"), get("/b", "redacted-2"), get("/b", "redacted-3")],
      placeholders: [
        "redacted-1": "request header Authorization", "redacted-2": "request header Authorization",
        "redacted-3": "request header Authorization",
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
      answering: try [get("/a", "redacted-1"), get("/a", "redacted-2")],
      placeholders: ["redacted-1": "request header", "redacted-2": "request header"])
    let replay = ReplayingTransport(archive, repetition: .repeatsLast)
    #expect(try await replay.text(for: get("/a", "first-key")) == "0")
    #expect(try await replay.text(for: get("/a", "first-key")) == "0")
    #expect(try await replay.text(for: get("/a", "second-key")) == "1")
    #expect(try await replay.text(for: get("/a", "first-key")) == "0")
  }

  /// A placeholder of a response is not the client's own: it must be sent unchanged.
  @Test func aPlaceholderOfAResponseMustBeSentUnchanged() async throws {
    let archive = HTTPArchive(
      answering: try [get("/a", "redacted-1")], placeholders: ["redacted-1": "response body"])
    let replay = ReplayingTransport(archive)
    #expect(await replay.failure(of: try get("/a", "my-own-key")) != nil)
    #expect(try await replay.text(for: get("/a", "redacted-1")) == "0")
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
