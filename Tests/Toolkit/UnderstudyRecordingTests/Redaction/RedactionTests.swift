import Foundation
import TestSupport
import Testing
import UnderstudyRecording
import UnderstudyHTTP
import UnderstudyTesting

@Suite(.stallLimit()) struct RedactionTests {
  private static let webToken =
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P"

  /// The text of a recording of one exchange.
  private func recorded(
    _ request: HTTP.Request, _ response: HTTP.Response = .json("{}"), redaction: Redaction = .standard
  ) async throws -> String {
    let recorder = RecordingTransport(around: ScriptedTransport { _ in response }, redaction: redaction)
    _ = try await recorder.data(for: request)
    return String(decoding: recorder.recording.data, as: UTF8.self)
  }

  private static let secret = "s3cr+t/\"é x"
  private static let inURL = "s3cr+t/%22%C3%A9%20x"
  private static let inForm = "s3cr%2Bt%2F%22%C3%A9+x"
  private static let inJSON = #"s3cr+t\/\"\u00e9 x"#

  /// Every encoding of a secret is replaced by the same placeholder.
  @Test func everyEncodingIsTheSameSecret() async throws {
    var request = try HTTP.Request.post(
      "/sign-in?x=1&access_token=\(Self.inURL)#refresh_token=\(Self.inURL)",
      #"{"password": "\#(Self.inJSON)"}"#)
    request.fields["X-API-Key"] = Self.secret
    request.fields["X-Debug"] = "the key is \(Self.secret)."
    let response = HTTP.Response(
      status: 302, fields: ["Location": "https://b.example/cb#access_token=\(Self.inURL)&expires_in=60"],
      body: Data("a=b&password=\(Self.inForm)&c=d".utf8), contentType: "application/x-www-form-urlencoded")
    let text = try await recorded(request, response)
    for part in ["s3cr", "%22%C3%A9", "u00e9"] { #expect(!text.contains(part), "\(part) in \(text)") }
    #expect(!text.contains("redacted-2"))
    #expect(text.contains("a=b&password=redacted-1&c=d"))
    #expect(text.contains("the key is redacted-1."))
    #expect(text.contains("access_token=redacted-1&expires_in=60"))
  }

  @Test(
    arguments: [
      ("Authorization", "Bearer abc", "Bearer redacted-1"), ("authorization", "abc", "redacted-1"),
      ("Cookie", "a=x1y2z3; lang=en-GB; sid=7", "a=redacted-1; lang=en-GB; sid=redacted-2"),
      ("X-Free", "Bearer \(webToken)!", "Bearer redacted-1!"),
      ("X-Free", "sk-abcdefghijkl7mnopqrstuvwx", "redacted-1"),
      ("X-Free", "desk-abcdefghijkl7mnopqrstuvwx", nil),
      ("X-Free", "https://u:p%20w@h.example/", "https://u:redacted-1@h.example/"),
      ("X-Free", "https://h.example:80/a@b", nil), ("X-Free", "sk-short", nil),
      ("X-Free", "eyJhbGciOiJIUzI1NiJ9.no", nil),
      ("Token", "abc123", "redacted-1"), ("access-token", "abc123", "redacted-1"),
      ("Refresh-Token", "abc123", "redacted-1"), ("Client_Secret", "abc123", "redacted-1"),
      ("X-CSRFToken", "abc123", "redacted-1"), ("x-xsrf-token", "abc123", "redacted-1"),
      ("X-Tokens-Left", "abc123", nil),
      ("Referer", "https://a.example/?a=1&token=t%31x9k2", "https://a.example/?a=1&token=redacted-1"),
    ] as [(String, String, String?)])
  func headers(_ name: String, _ value: String, _ expected: String?) async throws {
    let text = try await recorded(.get("/", fields: [name: value]))
    let archive = try HTTPArchive(Data(text.utf8))
    #expect(archive.entries.first?.request.headers.map(\.value) == [expected ?? value])
  }

  @Test func setCookiesKeepTheirAttributes() async throws {
    let response = HTTP.Response(status: 200, fields: ["Set-Cookie": "sid=abcdef; Path=/; HttpOnly"])
    let archive = try HTTPArchive(Data(try await recorded(.get("/"), response).utf8))
    let recorded = try #require(archive.entries.first).response
    #expect(recorded.headers.map(\.value) == ["sid=redacted-1; Path=/; HttpOnly"])
    #expect(recorded.cookies.map(\.value) == ["redacted-1"])
  }

  @Test(arguments: [
    (#"{"accessToken": "abc", "tokens": "USDC"}"#, #"{"accessToken": "redacted-1", "tokens": "USDC"}"#),
    (#"{"password" : 1234, "b": 1234}"#, #"{"password" : 2000000001, "b": 1234}"#),
    (#"{"token": null, "secret": true, "otp": ""}"#, #"{"token": null, "secret": true, "otp": ""}"#),
    (#"{"token": {"access_token": "x7y8z9"}}"#, #"{"token": {"access_token": "redacted-1"}}"#),
    (#"data: {"access_token":"abc"#, #"data: {"access_token":"redacted-1"#),
    (#"{"line": "{\"access_token\":\"abc\"}"}"#, #"{"line": "{\"access_token\":\"redacted-1\"}"}"#),
    (#"{"link": "https://x/?token=abc12x\u0026a=1"}"#, #"{"link": "https://x/?token=redacted-1\u0026a=1"}"#),
    ("x \"\(webToken)\" y", "x \"redacted-1\" y"), ("{\"expires_in\":3600}", "{\"expires_in\":3600}"),
  ])
  func bodies(_ body: String, _ expected: String) async throws {
    let archive = try HTTPArchive(Data(try await recorded(.get("/"), .json(body)).utf8))
    #expect(archive.entries.first?.response.content.text == expected)
  }

  /// A secret that is only detected in the second response already occurred in the first request.
  @Test func secretsThatAreFoundLateAreReplacedEverywhere() async throws {
    let recorder = RecordingTransport(
      around: ScriptedTransport { request in
        request.url.path() == "/b" ? .json(#"{"access_token": "hunter22"}"#) : .json(#"["hunter22", "hunt"]"#)
      })
    recorder.fixtures = .object([.init("id", .string("hunter22")), .init("password", .string("fixture-pw"))])
    _ = try await recorder.text(for: .get("/a/hunter22"))
    _ = try await recorder.text(for: .get("/b"))
    let text = String(decoding: recorder.recording.data, as: UTF8.self)
    #expect(!text.contains("hunter22") && !text.contains("fixture-pw"))
    #expect(recorder.recording.entries[0].request.url.hasSuffix("/a/redacted-1"))
    #expect(recorder.recording.entries[0].response.content.text == #"["redacted-1", "hunt"]"#)
    #expect(recorder.recording.log.fixtures?["id"] == .string("redacted-1"))
    #expect(recorder.recording.log.placeholders["redacted-1"] == "response body")
  }

  /// A secret may begin in one chunk and end in another one; later chunks keep their bytes.
  @Test(arguments: 0..<40) func chunksKeepTheirPositions(_ cut: Int) async throws {
    let before = #"{"access_token":""#
    let body = before + "0123456789abcdef" + #"","a":1}"#
    let bytes = Data(body.utf8)
    let chunks = [Data(bytes.prefix(cut)), Data(bytes.dropFirst(cut))]
    let recorder = RecordingTransport(
      around: ScriptedTransport { _ in HTTP.Response(status: 200, body: HTTP.Body(chunks: chunks)) })
    _ = try await recorder.data(for: .get("/"))
    let replay = ReplayingTransport(recorder.recording)
    let read = await ReadBody(try await replay.send(.get("/")).body)
    #expect(read.texts.count == 2)
    #expect(read.texts.joined() == before + #"redacted-1","a":1}"#)
    if cut <= before.utf8.count { #expect(read.texts[0] == String(body.prefix(cut))) }
    if cut >= before.utf8.count + 16 { #expect(read.texts[1] == String(body.dropFirst(cut))) }
  }

  @Test func rulesCanBeAddedAndDisabled() async throws {
    var redaction = Redaction.standard
    redaction.headerNames.insert("X-Session")
    redaction.fieldNames.insert("shelf")
    redaction.literals.append("Mia")
    let fields: HTTP.Fields = ["x-session": "abc"]
    let request = try HTTP.Request.post("/", #"{"Shelf": "99", "name": "Mia"}"#, fields: fields)
    let text = try await recorded(request, redaction: redaction)
    #expect(!text.contains("abc") && !text.contains("99\\\"") && !text.contains("Mia"))
    let open = try await recorded(
      .get("/?token=abc", fields: ["Authorization": "Bearer \(Self.webToken)"]), redaction: .off)
    #expect(open.contains("token=abc") && open.contains(Self.webToken) && !open.contains("redacted"))
  }

  /// A password that is a common word is not replaced where the word has another meaning.
  @Test func aSecretThatIsAWordIsReplacedOnlyWhereARuleFindsIt() async throws {
    let request = try HTTP.Request.post(
      "/auth/v1/token?grant_type=password", #"{"email": "pat@example.com", "password": "password"}"#)
    let text = try await recorded(request, .json(#"{"hint": "a password of eight letters"}"#))
    #expect(text.contains("grant_type=password"))
    #expect(text.contains(#"\"password\": \"redacted-1\""#) || text.contains(#"\"password\":\"redacted-1\""#))
    #expect(text.contains("a password of eight letters"))
  }

  /// A one-time code is not replaced in numbers, dates and identifiers.
  @Test func aNumericSecretIsReplacedOnlyWhereARuleFindsIt() async throws {
    let body = #"{"id": 9123456, "at": 123456, "name": "a-123456-b"}"#
    let archive = try HTTPArchive(
      Data(try await recorded(.post("/", #"{"otp": "123456", "n": 123456}"#), .json(body)).utf8))
    let entry = try #require(archive.entries.first)
    #expect(entry.request.postData?.text == #"{"otp": "redacted-1", "n": 123456}"#)
    #expect(entry.response.content.text == body)
  }

  /// A long number is unlikely to be another value.
  ///
  /// Its placeholder is a number, so a client can decode it.
  @Test func aCopyThatIsANumberStaysANumber() async throws {
    let key = "12345678901234567890"
    let body =
      #"{"a": \#(key), "b": [\#(key),1], "c": "\#(key)", "d": "x,\#(key),", "j": "{\"a\":\#(key)}"}"#
    let archive = try HTTPArchive(
      Data(try await recorded(.get("/", fields: ["apikey": key]), .json(body)).utf8))
    #expect(
      archive.entries.first?.response.content.text
        == #"{"a": 2000000001, "b": [2000000001,1], "c": "redacted-1", "d": "x,redacted-1,", "j": "{\"a\":2000000001}"}"#
    )
  }

  /// A recording of a replay already has placeholders; new secrets receive other ones.
  @Test func placeholdersAreUnchanged() async throws {
    let request = try HTTP.Request.post("/", #"{"password": "hunter22", "token": "redacted-1"}"#)
    let text = try await recorded(request)
    #expect(text.contains(#"\"password\": \"redacted-2\", \"token\": \"redacted-1\""#), "\(text)")
  }
}

extension RedactionTests {
  /// Texts in which a secret could begin at many positions, each up to the end.
  ///
  /// With full effort, scanning up to the end from each position would take many minutes.
  @Test(
    arguments: [
      ("?token=", "?token=redacted-2"), ("token=is required token", nil),
      ("\"password\": is required, ", nil), ("eyJ", nil), ("eyJhbGci", nil), ("0", ""),
    ] as [(String, String?)])
  func manyPossibleSecretsTakeLinearTime(_ beginning: String, _ expected: String?) async throws {
    let body = String(repeating: beginning, count: Effort.number(15_000, of: 300_000) / beginning.utf8.count)
    let response = HTTP.Response(status: 200, body: Data(body.utf8), contentType: "text/plain")
    // A secret of which a copy begins at each position of a sequence of digits.
    let request = try HTTP.Request.get("/", fields: ["apikey": String(repeating: "0", count: 20)])
    let archive = try HTTPArchive(Data(try await recorded(request, response).utf8))
    let text = archive.entries.first?.response.content.text
    #expect(text == (expected == "" ? "redacted-1" : expected ?? body))
  }

  /// A word that resembles a token does not hide the token after it.
  @Test func aWordThatIsNotATokenHidesNone() async throws {
    let archive = try HTTPArchive(
      Data(try await recorded(.get("/"), .json("eyJhbGci eyJh.eyJb \(Self.webToken)")).utf8))
    #expect(archive.entries.first?.response.content.text == "eyJhbGci eyJh.eyJb redacted-1")
  }
}
