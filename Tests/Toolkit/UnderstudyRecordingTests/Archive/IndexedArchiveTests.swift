import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyTesting

@Suite(.stallLimit()) struct IndexedArchiveTests {
  /// Two entries in the second of two lists; problems of the first list are ignored.
  private static let document = """
    \u{FEFF}{"log": {"version": "1.2", "entries": [7, {"request": 1}], "_fixtures": {"a": [1]}, "entries": [
      {"_first": 1.0, "request": {"method": "GET", "url": "https:\\/\\/a.example\\u002fb\\/é?q"}, "time": 1,
        "response": {"status": 200, "content": {"text": "YQ=\\u003d", "encoding": "base64"}}},
      {"response": {"status": 0}, "request": {"url": "u", "method": "POST", "headers": [{"name": "A"}]}}
    ]}, "_top": null}
    """

  @Test func decodesRequestedEntries() throws {
    let data = Data(Self.document.utf8)
    let (archive, whole) = (try IndexedArchive(data), try HTTPArchive(data))
    #expect(archive.entryCount == 2)
    for index in 0..<2 {
      #expect(archive.entry(at: index) == whole.entries[index])
      #expect(archive.request(at: index) == whole.entries[index].request)
    }
    #expect(archive.entry(at: 0).response.content.body == Data("a".utf8))
    #expect(archive.log.fixtures == whole.log.fixtures)
    #expect(archive.log.entries.isEmpty)
    let inMemory = IndexedArchive(whole)
    #expect(inMemory.log == archive.log)
    #expect((0..<2).map(inMemory.entry) == (0..<2).map(archive.entry))
    #expect((0..<2).map(inMemory.requestHash) == (0..<2).map(archive.requestHash))
  }

  /// A slice of a larger value, whose indices do not start at zero.
  @Test func readsASliceOfData() throws {
    let slice = Data("xx\(Self.document)".utf8).dropFirst(2)
    #expect(try IndexedArchive(slice).request(at: 1).url == "u")
  }

  @Test func mapsAFileThatIsReplacedAfterwards() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).har")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(Self.document.utf8).write(to: file)
    let archive = try IndexedArchive(contentsOf: file)
    try HTTPArchive(log: .init()).write(to: file)
    #expect(archive.entry(at: 1).request.method == .post)
    #expect(try IndexedArchive(contentsOf: file).entryCount == 0)
  }

  @Test func aRefusedFileIsNamed() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).har")
    let missing = #expect(throws: RecordingError.self) { try IndexedArchive(contentsOf: file) }
    #expect(missing?.file == file && missing?.code == .inaccessible && missing?.cause != nil)
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(#"{"log": {"entries": 1}}"#.utf8).write(to: file)
    let error = #expect(throws: RecordingError.self) { try IndexedArchive(contentsOf: file) }
    #expect(
      error?.file == file && error?.violation?.field == "log.entries" && error?.violation?.byteOffset == 20)
    #expect(error?.code == .invalidRecording)
    try Data().write(to: file)
    let empty = #expect(throws: RecordingError.self) { try IndexedArchive(contentsOf: file) }
    #expect(empty?.code == .invalidRecording)
  }

  // MARK: Hashes of requests

  @Test func equivalentURLsHaveTheSameHash() throws {
    let archive = try IndexedArchive(Data(Self.document.utf8))
    let asked = IndexedArchive.requestHash(method: "GET", url: "https://other.example:8080/b/é?another#f")
    #expect(archive.requestHash(at: 0) == asked)
    #expect(archive.requestHash(at: 1) == IndexedArchive.requestHash(method: "POST", url: "u"))
  }

  @Test(arguments: [
    ("https://a/b", "http://c:1/b", true), ("https://a/b/", "https://a/b", true), ("/b", "https://a/b", true),
    ("https://a", "https://a/?q=/x", true), ("https://a/b?c", "https://a/b#d", true),
    ("https://a/redacted-1/x", "https://a/aVeryLongSecretOf20Bytes/x", true),
    ("https://a/x-redacted-12-y", "https://a/12345678901234567890", true),
    ("https://a/1234567890123456789", "https://a/12345678901234567890", false),
    ("https://a/b", "https://a/c", false), ("https://a/b/c", "https://a/bc", false),
    ("https://a/b", "https://a/B", false), ("https://a/b%20c", "https://a/b c", true),
  ])
  func pathsOfOneNumber(_ one: String, _ other: String, _ areSame: Bool) {
    let numbers = [one, other].map { IndexedArchive.requestHash(method: "GET", url: $0) }
    #expect((numbers[0] == numbers[1]) == areSame)
    #expect(numbers[0] != IndexedArchive.requestHash(method: "PUT", url: one), "the method counts")
  }

  // MARK: Types

  /// The members of HAR 1.2, each with an invalid type.
  ///
  /// The expected position is marked with §.
  @Test(
    arguments: [
      (#""request": §[], "response": {"status": 1}"#, "request"),
      (
        #""request": {"method": "G", "url": "u", "headers": §{}}, "response": {"status": 1}"#,
        "request.headers"
      ),
      (request(#""cookies": [{"name": §1}]"#), "request.cookies[0].name"),
      (
        request(#""queryString": [{"name": "a"}, {"name": "b", "value": §[]}]"#),
        "request.queryString[1].value"
      ),
      (request(#""bodySize": §1e999"#), "request.bodySize"),
      (request(#""headersSize": §"\#(String(repeating: "9", count: 400))""#), "request.headersSize"),
      (request(#""postData": {"text": §"a", "_encoding": "base64"}"#), "request.postData.text"),
      (request(#""postData": {"_encoding": "\u0062ase64", "text": §"YQ"}"#), "request.postData.text"),
      (request(#""postData": §[]"#), "request.postData"),
      (response(#""content": {"_stream": {"end": {"code": §1}}}"#), "response.content._stream.end.code"),
      (
        response(#""content": {"_stream": {"chunks": [{"size": 1}, §{"time": 1}]}}"#),
        "response.content._stream.chunks[1]"
      ),
      (response(#""redirectURL": §true"#), "response.redirectURL"),
      (rest(#""time": §"1""#), "time"), (rest(#""cache": §1"#), "cache"),
      (rest(#""timings": {"ssl": §"-1"}"#), "timings.ssl"),
      (rest(#""_webSocketMessages": §{}"#), "_webSocketMessages"),
      (rest(#""_webSocketMessages": [§null]"#), "_webSocketMessages[0]"),
      (rest(#""_webSocketMessages": [{"data": §1}]"#), "_webSocketMessages[0].data"),
      (
        rest(#""_webSocketMessages": [{"opcode": 1, "data": "="}, {"data": §"=", "opcode": 2.0}]"#),
        "_webSocketMessages[1].data"
      ),
      (rest(#""_webSocketEnd": {"reason": §1}"#), "_webSocketEnd.reason"),
      // The first of two problems is reported; a missing member has the position of its object.
      (rest(#""time": §[], "cache": []"#), "time"),
      (#""cache": 1, "request": {}"#, ""),
      // Of two members with the same name, the problem of the last one is reported.
      (rest(#""time": [], "pageref": §1, "time": 1"#), "pageref"),
      (rest(#""time": 1, "time": §[], "cache": 1"#), "time"),
      (
        response(#""content": {"encoding": "", "text": §"=", "encoding": "base64"}"#), "response.content.text"
      ),
    ] as [(String, String)])
  func errorsHaveTheirPosition(_ members: String, _ field: String) throws {
    let marked = #"{"log": {"entries": [{\#(Self.rest(""))}, §{\#(members)}]}}"#
    let pieces = marked.components(separatedBy: "§")
    let place = pieces.dropLast().reduce(0) { $0 + $1.utf8.count }
    let data = Data(pieces.joined().utf8)
    let error = #expect(throws: RecordingError.self) { try IndexedArchive(data, strict: true) }
    #expect(error?.violation?.field == "log.entries[1]" + (field.isEmpty ? "" : ".\(field)"))
    #expect(error?.violation?.byteOffset == place)
    #expect(error?.violation?.entryIndex == 1)
    let other = #expect(throws: RecordingError.self) { try HTTPArchive(data, strict: true) }
    #expect(try #require(other).description == #require(error).description)
    // A tolerant reader has the same place in its warning.
    let warning = try #require(try IndexedArchive(data).warnings.first)
    #expect(warning.strict.description == error?.description)
  }

  private static func request(_ members: String) -> String {
    #""request": {"method": "G", "url": "u", \#(members)}, "response": {"status": 1}"#
  }

  private static func response(_ members: String) -> String {
    #""request": {"method": "G", "url": "u"}, "response": {"status": 1, \#(members)}"#
  }

  private static func rest(_ members: String) -> String {
    #""request": {"method": "G", "url": "u"}, "response": {"status": 1}\#(members.isEmpty ? "" : ", ")\#(members)"#
  }

  @Test(arguments: [
    #""time": null, "cache": null, "timings": null, "_webSocketMessages": null, "_webSocketEnd": null"#,
    #""time": -0, "time": 1e308"#, #""_unknown": [1e999, {"request": 1}], "status": "x""#,
    #""time": "wrong", "time": 1"#, #""_webSocketMessages": [{"opcode": 9, "data": "?"}, {"type": "other"}]"#,
    #""_webSocketEnd": {"status": 1e3, "by": "proxy"}"#, #""request": {"method": "G", "\u0075rl": "u"}"#,
  ])
  func acceptsTheOutputOfTools(_ members: String) throws {
    let text = #"{"log": {"creator": null, "entries": [{\#(Self.rest(members))}]}}"#
    #expect(try IndexedArchive(Data(text.utf8)).entry(at: 0) == HTTPArchive(Data(text.utf8)).entries[0])
  }

  @Test func invalidJSONIsReportedBeforeViolationsOfHAR() {
    let error = #expect(throws: RecordingError.self) {
      try IndexedArchive(Data(#"{"log": 1, "a" 2}"#.utf8))
    }
    #expect(error?.violation?.byteOffset == 15 && error?.violation?.field == nil)
  }

  // MARK: Agreement

  /// For every change of one byte, and every truncation, both readers return the same values or an error.
  @Test func agreesWithTheWholeDocument() {
    let document = Array(
      #"{"log":{"entries":[{"request":{"method":"é","url":"\/"},"response":{"status":1,"content":{"text":"YQ==","encoding":"base64"}}}]}}"#
        .utf8)
    for place in Effort.some(of: document.indices, every: 7) {
      agrees(Array(document.prefix(place)), "cut after \(place)")
      for byte in Array("{}[]\":,\\ \n09-.eaux=\0".utf8) + [0x1F, 0x80, 0xC3, 0xA9, 0xED, 0xF4, 0xFF] {
        var bytes = document
        bytes[place] = byte
        agrees(bytes, "\(byte) at \(place)")
      }
    }
  }

  @Test(arguments: Effort.some(of: 0..<8, every: 4)) func agreesOnDamagedFiles(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let tokens = [
      "{", "}", "[", "]", ",", ":", "\"", "\\", "null", "1e999", "é", "\"url\":", "\"entries\":[],",
    ]
    for _ in 0..<150 {
      var bytes = Array(Self.document.utf8)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        let end = min(bytes.count, place + Int.random(in: 0...4, using: &random))
        bytes.replaceSubrange(place..<end, with: (tokens.randomElement(using: &random) ?? "").utf8)
      }
      agrees(bytes, "seed \(seed)")
    }
  }

  private func agrees(_ bytes: [UInt8], _ comment: Comment) {
    let data = Data(bytes)
    // Tolerant readers return the same entries, which are valid, and the same warnings.
    if let archive = try? HTTPArchive(data), let indexed = try? IndexedArchive(data) {
      #expect((0..<indexed.entryCount).map(indexed.entry) == archive.entries, comment)
      #expect(indexed.warnings.map(\.description) == archive.warnings.map(\.description), comment)
      #expect((try? HTTPArchive(archive.data, strict: true)) == archive, comment)
    } else {
      #expect((try? HTTPArchive(data)) == nil && (try? IndexedArchive(data)) == nil, comment)
    }
    do {
      let archive = try IndexedArchive(data, strict: true)
      let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data
      let document = try JSONValue(parsing: text)
      guard case .array(let entries) = document["log"]?["entries"] else {
        Issue.record("There are no entries.")
        return
      }
      #expect((0..<archive.entryCount).map { archive.entry(at: $0).json } == entries, comment)
      for (index, entry) in entries.enumerated() {
        #expect(archive.request(at: index).json == entry["request"], comment)
        let (method, url) = (entry["request"]?["method"]?.stringValue, entry["request"]?["url"]?.stringValue)
        let expected = IndexedArchive.requestHash(method: method ?? "", url: url ?? "")
        #expect(archive.requestHash(at: index) == expected, comment)
      }
    } catch let error as RecordingError {
      guard error.violation?.field == nil else { return }
      let mark = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      let parsing = #expect(throws: JSONValue.ParsingError.self, comment) {
        try JSONValue(parsing: data.dropFirst(mark))
      }
      #expect(parsing.map { $0.offset + mark } == error.violation?.byteOffset, comment)
    } catch {
      Issue.record(error)
    }
  }
}
