import Foundation
import TestSupport
import Testing
import UnderstudyRecording
import Understudy
import UnderstudyHTTP
import UnderstudyTesting

/// Redaction of archives of any tool.
@Suite(.stallLimit()) struct ArchiveRedactionTests {
  private static let token = "tok/en+1234\"x"

  /// Every part of an archive with the same secret, in the encoding of the part.
  private static let document = #"""
    {"log": {"version": "1.2", "creator": {"name": "x", "version": "1"},
      "_fixtures": {"id": "tok/en+1234\"x", "password": 12345678},
      "pages": [{"id": "p", "title": "at https://a.example/?x=tok%2fen%2b1234%22x", "pageTimings": {}}],
      "entries": [
        {"startedDateTime": "2026-01-03T12:00:00.000Z", "time": 1, "cache": {}, "timings": {},
          "_initiator": {"stack": [{"url": "https://a.example/?token=tok/en%2B1234%22x"}]},
          "request": {"method": "POST", "url": "https://u:tok%2Fen%2B1234%22x@a.example/?q=1",
            "httpVersion": "h2", "headersSize": -1, "bodySize": 41,
            "cookies": [{"name": "sid", "value": "k7Qz9-x12345", "path": "/"}],
            "headers": [{"name": "authorization", "value": "Basic cGF0OnRvay9lbisxMjM0Ing="},
              {"name": "cookie", "value": "sid=k7Qz9-x12345"}],
            "queryString": [{"name": "apikey", "value": "key-12345"}, {"name": "x", "value": "key-12345"}],
            "postData": {"mimeType": "application/x-www-form-urlencoded", "text": "password=tok%2Fen%2B1234%22x&a=k7Qz9-x12345",
              "params": [{"name": "password", "value": "tok/en+1234\"x"}]}},
          "response": {"status": 200, "statusText": "", "httpVersion": "h2", "cookies": [], "headersSize": -1,
            "bodySize": 58, "redirectURL": "https://b.example/#access_token=tok%2Fen%2B1234%22x",
            "headers": [{"name": "X-Api-Key", "value": "key-12345"}],
            "content": {"size": 34, "mimeType": "application/octet-stream", "encoding": "base64",
              "text": "/3siYWNjZXNzX3Rva2VuIjoidG9rL2VuKzEyMzRcIngifQ==",
              "_stream": {"chunks": [{"time": 0, "size": 10}, {"time": 1, "size": 23}, {"time": 2, "size": 9223372036854775807}],
                "end": {"code": "connection lost", "message": "after tok/en+1234\"x"}}}}},
        {"startedDateTime": "2026-01-03T12:00:00.000Z", "time": 1, "cache": {}, "timings": {},
          "request": {"method": "GET", "url": "wss://a.example/", "httpVersion": "", "cookies": [], "headers": [],
            "queryString": [], "headersSize": -1, "bodySize": 0},
          "response": {"status": 0, "_error": "key-12345 is wrong", "content": {"size": 0, "mimeType": ""}},
          "_webSocketMessages": [
            {"type": "send", "time": 1, "opcode": 1, "data": "[\"join\", {\"access_token\": \"tok/en+1234\\\"x\"}]"},
            {"type": "receive", "time": 2, "opcode": 2, "data": "a2V5LTEyMzQ1IQ=="}],
          "_webSocketEnd": {"time": 3, "code": "closed", "reason": "k7Qz9-x12345"}}]}}
    """#

  @Test func secretsAreReplacedInEveryPart() throws {
    let archive = try HTTPArchive(Data(Self.document.utf8))
    let redacted = archive.redacted(by: .standard)
    let text = String(decoding: redacted.data, as: UTF8.self)
    for part in [#"tok/en+1234\"x"#, "en%2B1234", "en%2b1234", "k7Qz9-x12345", "key-12345", "12345678"] {
      #expect(!text.contains(part), "\(part)")
    }
    let entry = try #require(redacted.entries.first)
    let placeholder = try #require(entry.request.postData?.params.first?.value)
    #expect(placeholder.hasPrefix("redacted-"))
    #expect(entry.request.url == "https://u:\(placeholder)@a.example/?q=1")
    #expect(entry.response.redirectURL == "https://b.example/#access_token=\(placeholder)")
    #expect(redacted.log.fixtures?["id"] == .string(placeholder))
    let cookie = try #require(entry.request.cookies.first?.value)
    #expect(entry.request.headers.last?.value == "sid=\(cookie)")
    #expect(entry.request.postData?.text == "password=\(placeholder)&a=\(cookie)")
    #expect(Set(entry.request.queryString.map(\.value)).count == 1)
    #expect(entry.response.content.body == Data([0xFF] + #"{"access_token":"\#(placeholder)"}"#.utf8))
    #expect(entry.response.content.size == entry.response.content.body?.count)
    let sizes = entry.response.content.stream?.chunks.map(\.size) ?? []
    #expect(sizes.reduce(0, +) == entry.response.content.body?.count)
    #expect(sizes.first == 10, "the text before the secret keeps its chunk")
    let socket = redacted.entries[1]
    #expect(socket.webSocketMessages[0].data == #"["join", {"access_token": "\#(placeholder)"}]"#)
    #expect(
      socket.webSocketMessages[1].message == .binary(Data("\(entry.request.queryString[0].value)!".utf8)))
    #expect(socket.webSocketEnd?["reason"] == .string(cookie))
    #expect(try HTTPArchive(redacted.data) == redacted, "it is still a valid archive")
  }

  /// Keywords of the format, each of which is also a secret.
  @Test func keywordsOfTheFormatAreUnchanged() throws {
    var document = Self.document
    for (old, new) in [("tok/en+1234\\\"x", "connection lost"), ("k7Qz9-x12345", "2026-01-03T12")] {
      document = document.replacing(old, with: new)
    }
    var redaction = Redaction.standard
    redaction.literals = ["POST", "h2", "base64", "receive", "closed", "2026-01-03T12"]
    let redacted = try HTTPArchive(Data(document.utf8)).redacted(by: redaction)
    let first = try #require(redacted.entries.first)
    #expect(first["startedDateTime"] == .string("2026-01-03T12:00:00.000Z"))
    #expect(first.request["method"] == .string("POST"))
    #expect(first.request["httpVersion"] == .string("h2"))
    #expect(first.response.content["encoding"]?.stringValue == "base64")
    let end = first.response.content["_stream"]?["end"]
    #expect(end?["code"]?.stringValue == "connection lost")
    #expect(end?["message"]?.stringValue?.hasPrefix("after redacted-") == true)
    #expect(redacted.entries[1].webSocketMessages.map(\.direction) == [.send, .receive])
    #expect(redacted.entries[1].webSocketEnd?["code"]?.stringValue == "closed")
    #expect(redacted.entries[1].webSocketEnd?["reason"]?.stringValue?.hasPrefix("redacted-") == true)
    #expect(redacted.secrets(by: redaction) == [])
  }

  @Test func aCheckReportsPositionsButNoSecrets() throws {
    let archive = try HTTPArchive(Data(Self.document.utf8))
    let matches = archive.secrets(by: .standard)
    let header = matches.first { $0.field == "log.entries[0].request.headers[0].value" }
    #expect(header?.rule == "header field" && header?.length == 24 && header?.entryIndex == 0)
    let copy = matches.first { $0.field == "log.entries[1].response._error" }
    #expect(copy?.rule == "copy of a secret" && copy?.length == 9 && copy?.entryIndex == 1)
    let fixture = matches.first { $0.field == "log._fixtures.password" }
    #expect(fixture?.rule == "named field" && fixture?.entryIndex == nil)
    for match in matches { #expect(!"\(match)".contains("12345")) }
    #expect(archive.redacted(by: .standard).secrets(by: .standard) == [])
    #expect(archive.secrets(by: .off) == [] && archive.redacted(by: .off) == archive)
  }

  @Test func redactingAgainChangesNothing() throws {
    let once = try HTTPArchive(Data(Self.document.utf8)).redacted(by: .standard)
    #expect(once.redacted(by: .standard) == once)
  }

  /// Existing placeholders keep their meaning, and new ones are numbered after them.
  @Test func placeholdersAreKept() async throws {
    let recorder = RecordingTransport(around: ScriptedTransport { _ in .json(#"{"note": "ticket-777777"}"#) })
    _ = try await recorder.data(for: .get("/", fields: ["apikey": "key-of-the-project"]))
    let archive = recorder.recording
    var redaction = Redaction.standard
    redaction.literals = ["ticket-777777"]
    let again = archive.redacted(by: redaction)
    #expect(again.log.placeholders["redacted-1"] == archive.log.placeholders["redacted-1"])
    #expect(again.log.placeholders["redacted-2"] == "response body")
    #expect(again.entries[0].request.headers[0].value == "redacted-1")
    #expect(again.entries[0].response.content.text == #"{"note": "redacted-2"}"#)
  }

  // MARK: Rules

  @Test(
    arguments: [
      (
        "https://b.example/o?X-Amz-Date=1&X-Amz-Signature=abcdef&x=1",
        "https://b.example/o?X-Amz-Date=1&X-Amz-Signature=redacted-1&x=1"
      ),
      ("https://b.example/o?se=1&sig=ab%2Bcd9x", "https://b.example/o?se=1&sig=redacted-1"),
      ("https://b.example/o?signature=abc12x#x", "https://b.example/o?signature=redacted-1#x"),
      ("https://b.example/o?X-Goog-Signature=abc12x", "https://b.example/o?X-Goog-Signature=redacted-1"),
      (
        "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nmine\r\n--b--",
        "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nredacted-1\r\n--b--"
      ),
      (
        "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nmine\r\nand\nyours\r\n--b--",
        "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nredacted-1\r\n--b--"
      ),
      ("--b\r\nContent-Disposition: form-data; name=\"word\"\r\n\r\nmine\r\n--b--", nil),
      ("x\n-----BEGIN EC PRIVATE KEY-----\nMIGk\nAbc=\n-----END EC PRIVATE KEY-----\ny", "x\nredacted-1\ny"),
      (
        #"{"k":"-----BEGIN PRIVATE KEY-----\nMIGk\n-----END PRIVATE KEY-----\n","a":1}"#,
        #"{"k":"redacted-1\n","a":1}"#
      ),
      (#"{"k":"-----BEGIN PRIVATE KEY-----\nMIGk"}"#, #"{"k":"redacted-1"}"#),
      ("-----BEGIN CERTIFICATE-----\nMIGk\n-----END CERTIFICATE-----", nil),
      (#"{"j":"{\"password\":1234,\"a\":2}"}"#, #"{"j":"{\"password\":2000000001,\"a\":2}"}"#),
      (#"{"j":"{\"password\":\"a\\\"b\",\"a\":2}"}"#, #"{"j":"{\"password\":\"redacted-1\",\"a\":2}"}"#),
      (
        #"{"j":"{\"k\":\"{\\\"token\\\":\\\"abc12x\\\"}\"}"}"#,
        #"{"j":"{\"k\":\"{\\\"token\\\":\\\"redacted-1\\\"}\"}"}"#
      ),
      (#"{"password":"a\\","b":"c"}"#, #"{"password":"redacted-1","b":"c"}"#),
      (
        "{\"token\":\"a1b2\"}\n{\"token\":\"b1c2\"}\n",
        "{\"token\":\"redacted-1\"}\n{\"token\":\"redacted-2\"}\n"
      ),
      ("data: {\"token\":\"a1b2\"}\n\ndata: {\"toke", "data: {\"token\":\"redacted-1\"}\n\ndata: {\"toke"),
      (
        #"{"u":"https://b.s3/o?X-Amz-Date=1\u0026X-Amz-Security-Token=abc12x\u0026X-Amz-Signature=def34y\u0026x=1"}"#,
        #"{"u":"https://b.s3/o?X-Amz-Date=1\u0026X-Amz-Security-Token=redacted-1\u0026X-Amz-Signature=redacted-2\u0026x=1"}"#
      ),
      (
        #"{"u":"a\u003Ftoken=abc12x","v":"a\u003ftoken=abd12x\u0023token=abe12x"}"#,
        #"{"u":"a\u003Ftoken=redacted-1","v":"a\u003ftoken=redacted-2\u0023token=redacted-3"}"#
      ),
      (
        #"{"password":["hunter22", null, 1234, ["x\"y"], ""],"b":["z"]}"#,
        #"{"password":["redacted-1", null, 2000000002, ["redacted-3"], ""],"b":["z"]}"#
      ),
      (
        #"{"j":"{\"otp\":[\"123456\",4711],\"a\":[2]}"}"#,
        #"{"j":"{\"otp\":[\"redacted-1\",2000000002],\"a\":[2]}"}"#
      ),
      (
        #"{"j":"{\"otp\":[\n\"123456\",\n\"234567\"]}"}"#,
        #"{"j":"{\"otp\":[\n\"redacted-1\",\n\"redacted-2\"]}"}"#
      ),
      (
        #"{"password":[{"a":"b1c2","token":"c1d2"}],"d":"e"}"#,
        #"{"password":[{"a":"redacted-1","token":"redacted-2"}],"d":"e"}"#
      ),
      (#"{"password":["a","b"#, #"{"password":["redacted-1","redacted-2"#),
      (#"{"u":"a\u0024token=abc\u00"}"#, nil),
      (
        "<a href='?a=1&amp;token=abc12x&amp;sig=def34y'>",
        "<a href='?a=1&amp;token=redacted-1&amp;sig=redacted-2'>"
      ),
      (#"{"env":"A=1\nsk_live_51Habcdefghijkl"}"#, #"{"env":"A=1\nredacted-1"}"#),
      (#"{"env":"\tghp_abcdefghijklm7nop\n"}"#, #"{"env":"\tredacted-1\n"}"#),
      (#"{"env":"\u003dghp_abcdefghijklm7nop"}"#, #"{"env":"\u003dredacted-1"}"#),
      ("?q=key%3Dsk-abcdefghijklm7nopqrst", "?q=key%3Dredacted-1"),
      ("?q=key3Dsk-abcdefghijklm7nopqrst nsk-abcdefghijklm7nopqrst", nil),
    ] as [(String, String?)]) func rules(_ body: String, _ expected: String?) async throws
  {
    let recorder = RecordingTransport(
      around: ScriptedTransport { _ in HTTP.Response(status: 200, body: HTTP.Body(Data(body.utf8))) })
    _ = try await recorder.data(for: .get("/"))
    #expect(recorder.recording.entries.first?.response.content.text == expected ?? body)
    #expect(recorder.recording.secrets(by: .standard) == [])
  }

  /// The members of the archive itself, which are not searched as text.
  @Test func elementsUnderASecretNameAreSecrets() {
    var log = HTTPArchive.Log()
    log.fixtures = .object([
      .init("password", .array([.string("one"), .number("2222"), .array([.string("three")])])),
      .init("words", .array([.string("four")])),
      .init(
        "secret", .object([.init("a", .string("f1ve5")), .init("b", .object([.init("c", .number("6"))]))])),
    ])
    let redacted = HTTPArchive(log: log).redacted(by: .standard)
    #expect(
      redacted.log.fixtures
        == .object([
          .init(
            "password",
            .array([.string("redacted-1"), .number("2000000002"), .array([.string("redacted-3")])])),
          .init("words", .array([.string("four")])),
          .init(
            "secret",
            .object([
              .init("a", .string("redacted-4")), .init("b", .object([.init("c", .number("6"))])),
            ])),
        ]))
  }

  @Test func customRulesFindSecrets() async throws {
    var redaction = Redaction.standard
    redaction.rules = [Redaction.Rule("ticket") { $0.ranges(of: /TK-[0-9]{4}-é/) }]
    let recorder = RecordingTransport(
      around: ScriptedTransport { _ in .json(#"["é", "TK-1234-é", "TK-12", "TK-9999-é TK-1234-é"]"#) },
      redaction: redaction)
    _ = try await recorder.data(for: .get("/a/TK-1234-%C3%A9"))
    let recording = recorder.recording
    #expect(
      recording.entries.first?.response.content.text
        == #"["é", "redacted-1", "TK-12", "redacted-2 redacted-1"]"#)
    #expect(
      recording.entries.first?.request.url.hasSuffix("/a/redacted-1") == true, "a copy, percent-encoded")
    let archive = RecordingTransport(
      around: ScriptedTransport { _ in .json(#""TK-1234-é""#) }, redaction: .off)
    _ = try await archive.data(for: .get("/"))
    #expect(archive.recording.secrets(by: redaction).map(\.rule) == ["ticket"])
  }

  /// Bytes that are not text precede, separate and follow the texts.
  ///
  /// A secret that they split is not a secret.
  @Test func customRulesReceiveTheTextAmongOtherBytes() async throws {
    var redaction = Redaction.standard
    redaction.rules = [Redaction.Rule("ticket") { $0.ranges(of: /TK-[0-9]{4}-é/) }]
    let broken = Data([0xFF, 0xE2, 0x82])
    let texts = ["", "a TK-1234-é", "TK-12", "34-é é TK-9999-é", ""].map { Data($0.utf8) }
    let expected = ["", "a redacted-1", "TK-12", "34-é é redacted-2", ""].map { Data($0.utf8) }
    let body = Data(texts.joined(separator: broken))
    let recorder = RecordingTransport(
      around: ScriptedTransport { _ in HTTP.Response(status: 200, body: HTTP.Body(body)) },
      redaction: redaction)
    _ = try await recorder.data(for: .get("/"))
    let recorded = recorder.recording.entries.first?.response.content.body
    #expect(recorded == Data(expected.joined(separator: broken)))
  }

  /// A literal that begins before another secret and ends inside of it: no part of either remains.
  @Test func secretsThatOverlapAreReplacedAsAWhole() async throws {
    var redaction = Redaction.standard
    redaction.literals = ["key=sk-aaaa", "zzzz&end"]
    let word = "sk-aaaabbbb7ccc7ddd7eeezzzz"
    let recorder = RecordingTransport(
      around: ScriptedTransport { _ in .json("\"my key=\(word)&end of it, and \(word)\"") },
      redaction: redaction)
    _ = try await recorder.data(for: .get("/"))
    let text = recorder.recording.entries.first?.response.content.text ?? ""
    for part in ["aaaa", "bbbb", "zzzz", "&end"] { #expect(!text.contains(part), "\(part) in \(text)") }
    #expect(recorder.recording.secrets(by: redaction) == [])
  }

  @Test func thePasswordInBasicCredentialsIsASecretEverywhere() async throws {
    let recorder = RecordingTransport(around: ScriptedTransport { _ in .json(#"{"echo": "pa55-word!"}"#) })
    let credentials = Data("pat:pa55-word!".utf8).base64EncodedString()
    _ = try await recorder.data(for: .get("/", fields: ["Authorization": "Basic \(credentials)"]))
    let entry = try #require(recorder.recording.entries.first)
    #expect(entry.request.headers[0].value == "Basic redacted-1")
    #expect(entry.response.content.text == #"{"echo": "redacted-2"}"#)
  }

  @Test func base64OfASecretIsACopy() async throws {
    let secret = "s3cret?of>the~project"
    let encoded = Data(secret.utf8).base64EncodedString()
    let forURL = encoded.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    let recorder = RecordingTransport(
      around: ScriptedTransport { _ in .json("[\"\(encoded)\", \"\(forURL)\"]") })
    _ = try await recorder.data(for: .get("/", fields: ["apikey": secret]))
    let text = try #require(recorder.recording.entries.first?.response.content.text)
    #expect(!text.contains(encoded.prefix(8)) && !text.contains(forURL.prefix(8)), "\(text)")
  }

  // MARK: Cost

  /// Tokens with the same prefix.
  ///
  /// To compare ten thousand of them at each position would take minutes.
  @Test func manySecretsTakeLinearTime() throws {
    let count = Effort.number(500, of: 10_000)
    let tokens = (0..<count).map { "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI\($0)In0.c2lnbmF0dXJl\($0 * 7919)" }
    let entry = HTTPArchive.Entry(
      startedDateTime: Date(timeIntervalSince1970: 0),
      request: .init(try .post("/", tokens.joined(separator: "\n"))),
      response: .init(
        status: 200, fields: [:], content: .init(Data(tokens.reversed().joined().utf8), mimeType: "")),
      timings: .init(wait: 0, receive: 0))
    var archive = HTTPArchive(log: .init(entries: [entry]))
    archive.log.fixtures = .string(tokens.joined(separator: ", "))
    let redacted = archive.redacted(by: .standard)
    #expect(redacted.log.placeholders.count >= count)
    #expect(redacted.data.firstRange(of: Data("eyJ".utf8)) == nil)
  }
}
