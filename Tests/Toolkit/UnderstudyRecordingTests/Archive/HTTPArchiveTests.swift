import Foundation
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyTesting

@Suite(.stallLimit()) struct HTTPArchiveTests {
  /// Output of browsers and proxies that deviates from HAR 1.2, and custom fields at every level.
  private static let wild = """
    {"log": {"version": "1.2", "_log": [1.10], "creator": {"name": "t", "version": "1", "_creator": null},
      "entries": [{"startedDateTime": "2026-01-03T13:00:00.123456+01:00", "time": 49.90000000000001,
        "_entry": {"b": 1, "a": 2E3}, "_entry": false,
        "request": {"method": "GET", "url": "https://a.example/?q=1", "httpVersion": "h3", "_request": "ü",
          "headers": [{"name": "A", "value": "1", "_header": 1}, {"name": "a", "value": null}],
          "headersSize": null},
        "response": {"status": 200.0, "redirectURL": null, "_response": 1e400,
          "cookies": [{"name": "c", "value": "v", "expires": "Thu, 01-Jan-70 00:00:01 GMT", "_cookie": {}}],
          "content": {"size": 3, "mimeType": "text/plain", "text": "h\\u00e9", "_content": 0.10}},
        "timings": {"send": 0.5, "wait": -1, "receive": 1, "_timings": 12345678901234567890}},
        {"request": {"method": "GET", "url": "https://b.example"}, "response": {"status": 0,
          "_error": "net::ERR_CONNECTION_RESET"}}]}, "_top": {}}
    """

  @Test func readsTheOutputOfTools() throws {
    let archive = try HTTPArchive(Data([0xEF, 0xBB, 0xBF]) + Data(Self.wild.utf8))
    let entry = try #require(archive.entries.first)
    #expect(entry.startedDateTime == Date(timeIntervalSince1970: 1_767_441_600.123456))
    #expect(entry.time == 49.90000000000001)
    #expect(entry.request.headers.map(\.value) == ["1", ""])
    #expect(entry.response.status == 200)
    #expect(entry.response.redirectURL == nil)
    #expect(entry.response.cookies.first?.expires == "Thu, 01-Jan-70 00:00:01 GMT")
    #expect(entry.response.content.body == Data("hé".utf8))
    #expect(entry.timings.send == 0.5)
    #expect(archive.entries.last?.response.failure?.code == .connectionLost)
    #expect(archive.entries.last?.startedDateTime == nil)
  }

  @Test func keepsEveryMember() throws {
    let archive = try HTTPArchive(Data(Self.wild.utf8))
    let written = archive.data
    #expect(try HTTPArchive(written) == archive)
    #expect(try HTTPArchive(written).data == written)
    let text = String(decoding: written, as: UTF8.self)
    for exact in [
      "49.90000000000001", "[\n      1.10\n    ]", "1e400", "0.10", "12345678901234567890", #""a": 2E3"#,
      #""_entry": false"#, #""headersSize": null"#, #""_creator": null"#, #""_top": {}"#, #""_header": 1"#,
      #""_cookie": {}"#,
    ] {
      #expect(text.contains(exact), "\(exact) is not in \(text)")
    }
  }

  @Test func changesOneMemberAlone() throws {
    var archive = try HTTPArchive(Data(Self.wild.utf8))
    archive.entries[0]["_mine"] = .string("x")
    archive.entries[0].time = 7
    let text = String(decoding: archive.data, as: UTF8.self)
    #expect(archive.entries[0]["_mine"] == .string("x"))
    #expect(text.contains(#""time": 7,"#) && text.contains("12345678901234567890"))
    archive.entries[0]["_mine"] = nil
    #expect(archive.entries[0]["_mine"] == nil)
  }

  /// The expected position is marked with §, which is removed first.
  @Test(
    arguments: [
      ("§", nil, nil), ("§[]", "the document", nil), (#"{"log": §1}"#, "log", nil),
      ("{\"log\":\n[\n 2\n]\n§\"x\"}", nil, nil), (#"{"log": §{}}"#, "log", nil),
      ("{\"log\": {\"a\": {\"entries\": 1}, \"entries\": [\n§1]}}", "log.entries[0]", 0),
      (entry(#""method": "GET", "url": §42"#, #""status": 200"#), "log.entries[1].request.url", 1),
      (entry(#""url": 1, "method": "GET", "url": §null"#, #""status": 1"#), "log.entries[1].request.url", 1),
      (entry(#""method": "GET", "url": "é""#, #""status": §"200""#), "log.entries[1].response.status", 1),
      (entry(#""method": "GET", "url": "u""#, #""status": §2.5"#), "log.entries[1].response.status", 1),
      (
        entry(
          #""method": "GET", "url": "u""#, #""status": 1, "content": {"encoding": "base64", "text": §"a=b"}"#),
        "log.entries[1].response.content.text", 1
      ),
      (
        entry(
          #""method": "G", "url": "u""#, #""status": 1, "content": {"_stream": {"chunks": [{"size": §-1}]}}"#),
        "log.entries[1].response.content._stream.chunks[0].size", 1
      ),
      (
        entry(#""method": "GET", "url": "u", "headers": [§{"value": "x"}]"#, #""status": 1"#),
        "log.entries[1].request.headers[0]", 1
      ),
    ] as [(String, String?, Int?)])
  func errorsHaveTheirPosition(_ marked: String, _ field: String?, _ index: Int?) throws {
    let before = try #require(marked.split(separator: "§", omittingEmptySubsequences: false).first)
    let text = Data(marked.replacing("§", with: "").utf8)
    let error = #expect(throws: RecordingError.self) { try HTTPArchive(text, strict: true) }
    #expect(error?.violation?.field == field)
    #expect(error?.violation?.entryIndex == index)
    #expect(error?.violation?.byteOffset == before.utf8.count)
    #expect(error?.violation?.line == before.count { $0 == "\n" } + 1)
    let withMark = #expect(throws: RecordingError.self) {
      try HTTPArchive(Data([0xEF, 0xBB, 0xBF]) + text, strict: true)
    }
    #expect(withMark?.violation?.byteOffset == before.utf8.count + 3, "a byte order mark counts")
  }

  /// A log whose second entry has these members.
  private static func entry(_ request: String, _ response: String) -> String {
    #"{"log": {"entries": [{"request": {"method": "GET", "url": "u"}, "response": {"status": 200}},"# + "\n"
      + #" {"request": {\#(request)}, "response": {\#(response)}}]}}"#
  }

  /// Characters that must be escaped, also around the limits of the blocks in which a string is examined and written.
  @Test(arguments: ["\"", "\\", "\n", "\u{0}", "\u{1F}", "é\"ü"]) func escapesStrings(_ special: String)
    throws
  {
    struct Document: Decodable {
      struct Log: Decodable {
        let fixtures: String
        enum CodingKeys: String, CodingKey { case fixtures = "_fixtures" }
      }
      let log: Log
    }
    for before in [0, 1, 14, 15, 16, 127, 128, 129] {
      for between in [0, 1, 15, 16, 126, 127, 128, 129, 300] {
        let text =
          String(repeating: "a", count: before) + special + String(repeating: "b", count: between) + special
        var log = HTTPArchive.Log()
        log.fixtures = .string(text)
        let archive = HTTPArchive(log: log)
        #expect(try HTTPArchive(archive.data) == archive)
        #expect(try JSONDecoder().decode(Document.self, from: archive.data).log.fixtures == text)
      }
    }
  }

  @Test func aMissingFileIsReported() throws {
    let file = URL(filePath: "/nowhere/\(UUID()).har")
    let error = #expect(throws: RecordingError.self) { try HTTPArchive(contentsOf: file) }
    #expect(error?.file == file)
    #expect("\(try #require(error))".contains(file.path))
  }

  @Test func everyTruncationIsRefused() throws {
    let bytes = Data(Self.wild.utf8)
    for length in 0..<bytes.count {
      #expect(throws: RecordingError.self, "cut after \(length)") { try HTTPArchive(bytes.prefix(length)) }
    }
  }

  /// Reading, writing and replaying a damaged file returns a value or throws an error.
  @Test(arguments: 0..<8) func survivesChangedFiles(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let interesting = Array("{}[]\":,\\0-e.nt\u{0}é".utf8) + [0xFF]
    for _ in 0..<60 {
      var bytes = Array(Self.wild.utf8)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = bytes.indices.randomElement(using: &random) ?? 0
        let byte = interesting.randomElement(using: &random) ?? 0
        if Bool.random(using: &random) { bytes[place] = byte } else { bytes.insert(byte, at: place) }
      }
      guard let archive = try? HTTPArchive(Data(bytes)) else { continue }
      #expect(try HTTPArchive(archive.data) == archive, "seed \(seed)")
      let replay = ReplayingTransport(archive)
      for entry in archive.entries {
        guard let request = HTTP.Request(entry.request) else { continue }
        _ = try? await replay.data(for: request)
      }
    }
  }

  @Test func depthIsBounded() throws {
    func nested(_ depth: Int) -> Data {
      let brackets = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      return Data(#"{"log": {"entries": []}, "_deep": \#(brackets)}"#.utf8)
    }
    let deep = try HTTPArchive(nested(500))
    #expect(try HTTPArchive(deep.data) == deep)
    for depth in [513, 100_000] {
      let error = #expect(throws: RecordingError.self) { try HTTPArchive(nested(depth)) }
      #expect(
        error?.description.contains("The document is nested deeper than 512 arrays and objects") == true)
    }
  }

  @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf16])
  func aFileInUTF16IsNamed(_ encoding: String.Encoding) throws {
    let text = #"{"log": {"entries": []}, "name": "é"}"#
    let data = try #require(text.data(using: encoding))
    let error = #expect(throws: RecordingError.self) { try HTTPArchive(data) }
    #expect(
      error?.description
        == "line 1, byte 0: Expected UTF-8, found UTF-16 (to convert it: iconv -f UTF-16 -t UTF-8): \(text)")
  }

  @Test func binaryBodiesAreBase64() throws {
    let bytes = Data([0xFF, 0x00, 0xFE])
    #expect(HTTPArchive.PostData(bytes, mimeType: "").body == bytes)
    #expect(HTTPArchive.PostData(bytes, mimeType: "")["_encoding"] == .string("base64"))
    #expect(HTTPArchive.Content(bytes, mimeType: "").body == bytes)
    #expect(HTTPArchive.Content(Data("é\0".utf8), mimeType: "")["encoding"] == nil)
  }

  @Test func formFieldsAreABody() throws {
    let form = HTTPArchive.PostData(
      members: [
        .init("params", .array([HTTPArchive.NamedValue(name: "a b", value: "ü&=").json]))
      ])
    #expect(form.body == Data("a+b=%C3%BC%26%3D".utf8))
  }

  @Test(arguments: [
    ("net::ERR_NAME_NOT_RESOLVED", TransportError.Code.hostNotFound), ("net::ERR_TIMED_OUT", .timedOut),
    ("net::ERR_CERT_DATE_INVALID", .untrusted), ("net::ERR_SOMETHING", .unknown), ("broken", .unknown),
  ])
  func failuresOfBrowsers(_ message: String, _ code: TransportError.Code) {
    let response = HTTPArchive.Response(
      members: [.init("status", .number("0")), .init("_error", .string(message))])
    #expect(response.failure?.code == code)
    #expect(response.failure?.message == message)
  }
}
