import Foundation
import TestSupport
import Testing
import UnderstudyRecording
import UnderstudyHTTP
import UnderstudyTesting

@Suite(.stallLimit()) struct BodyMatchingTests {
  private static let form = "application/x-www-form-urlencoded; charset=utf-8"

  private func answers(
    _ asked: (body: String, type: String?), _ recorded: (body: String, type: String?),
    _ matching: BodyMatching = .automatic
  ) async throws -> Bool {
    func request(_ body: String, _ type: String?) throws -> HTTP.Request {
      var request = try HTTP.Request.post("/", body)
      request.fields["Content-Type"] = type
      return request
    }
    let replay = ReplayingTransport(
      HTTPArchive(answering: [try request(recorded.body, recorded.type)]),
      matching: RequestMatching(body: matching))
    return await replay.failure(of: try request(asked.body, asked.type)) == nil
  }

  @Test(
    arguments: [
      (#"{"a": 1, "b": [true]}"#, #"{"b":[true],"a":1.0}"#, true), (#"{"a": 1}"#, #"{"a": "1"}"#, false),
      (#"[1, 2]"#, #"[2, 1]"#, false), (#"{"a": 1, "a": 2}"#, #"{"a": 2}"#, true),
      (#"{"a": 2, "a": 1}"#, #"{"a": 2}"#, false), (#"{"a": null}"#, "{}", false),
      (#""\u00e9""#, #""é""#, true), ("1e400", "-1", false), ("1e400", "1e400", true),
      ("12345678901234567", "12345678901234568", false), ("-0", "0", true),
      ("{not json}", "{not json}", true), ("{not json}", "{not  json}", false),
    ])
  func jsonIsComparedByItsValue(_ recorded: String, _ asked: String, _ isSame: Bool) async throws {
    for type in ["application/json", "application/vnd.api+json; charset=utf-8", nil] {
      #expect(try await answers((asked, type), (recorded, type)) == isSame, "\(type ?? "no type")")
    }
    #expect(try await answers((asked, nil), (recorded, nil), .bytes) == (asked == recorded))
    #expect(try await answers((asked, nil), (recorded, nil), .ignored))
  }

  @Test(
    arguments: [
      (["$.id"], #"{"id": 1, "a": {"id": 2}}"#, #"{"a": {"id": 2}}"#, true),
      (["$.id"], #"{"id": 1, "a": {"id": 2}}"#, #"{"id": 1, "a": {"id": 3}}"#, false),
      (["$.a.id"], #"{"a": {"id": 1, "b": 1}}"#, #"{"a": {"id": [], "b": 1}}"#, true),
      (["$.a.id"], #"{"a": {"id": 1}}"#, #"{}"#, false),
      (["$.items[*].at"], #"{"items": [{"at": 1, "n": 1}, {"at": 2}]}"#, #"{"items": [{"n": 1}, {}]}"#, true),
      (["$.items[*].at"], #"{"items": [{"at": 1}]}"#, #"{"items": [{"at": 1}, {"at": 2}]}"#, false),
      (["$.items[1]"], "{\"items\": [1, 2]}", "{\"items\": [1, 3]}", true),
      (["$.items[1]"], "{\"items\": [1, 2]}", "{\"items\": [2, 2]}", false),
      (["$[0]['a.b \\' c']"], #"[{"a.b ' c": 1}]"#, #"[{"a.b ' c": 2}]"#, true),
      (["$.*.at"], #"{"x": {"at": 1}, "y": {"at": 1}}"#, #"{"x": {"at": 2}, "y": {"at": 3}}"#, true),
      (["$.a", "$.b"], #"{"a": 1, "b": 2, "c": 3}"#, #"{"a": 4, "b": 5, "c": 3}"#, true),
      (["$"], #"{"a": 1}"#, "[]", true), (["$.0"], "[1]", "[2]", false),
    ])
  func ignoredValuesMayBeMissing(
    _ paths: [String], _ recorded: String, _ asked: String, _ isSame: Bool
  ) async throws {
    #expect(try await answers((asked, nil), (recorded, nil), .json(ignoring: paths)) == isSame)
    #expect(try await !answers((asked, nil), (recorded, nil)))
  }

  @Test(
    arguments: [
      ("a=1&b=2", "b=2&a=1", true), ("a=1&a=2", "a=2&a=1", false), ("a=b+c", "a=b%20c", true),
      ("a=%c3%a9", "a=%C3%A9", true), ("a=1", "a=1&b=", false), ("a", "a=", true), ("a=%", "a=%", true),
      ("a=%&b=1", "b=1&a=%", false), ("a=%ff", "a=%FE", false), ("a=1%262", "a=1&2", false),
      // JSON, as `curl -d` sends it, and a form that only begins like it.
      (#"{"a": 1, "b": "x&y"}"#, #"{"b":"x&y","a":1}"#, true), (#"{"a": 1}"#, #"{"a": 2}"#, false),
      ("{a=1&b=2", "b=2&{a=1", true),
    ])
  func formsAreComparedByTheirFields(_ recorded: String, _ asked: String, _ isSame: Bool) async throws {
    #expect(try await answers((asked, Self.form), (recorded, Self.form)) == isSame)
    #expect(
      try await answers((asked, "text/plain"), (recorded, "text/plain"))
        == (asked == recorded || asked.hasPrefix("{\"") && isSame))
  }

  @Test func ignoredFieldsOfAFormAreNotCompared() async throws {
    let matching = BodyMatching.form(ignoring: ["n once"])
    #expect(try await answers(("n+once=2&a=1", Self.form), ("a=1&n%20once=1", Self.form), matching))
    #expect(try await !answers(("n+once=1&a=2", Self.form), ("a=1&n+once=1", Self.form), matching))
  }

  private static func multipart(
    _ parts: [String], boundary: String, ending: String = "--\r\n"
  ) -> (body: String, type: String?) {
    let body = parts.map { "--\(boundary)\r\n\($0)\r\n" }.joined() + "--\(boundary)" + ending
    return (body, "multipart/form-data; boundary=\"\(boundary)\"")
  }

  private static let name = "Content-Disposition: form-data; name=\"name\"\r\n\r\nPat"
  private static func file(
    name: String = "file", file: String = "a.txt", type: String = "text/plain", _ content: String = "x\r\n--y"
  ) -> String {
    "content-disposition: form-data; name=\"\(name)\"; filename=\"\(file)\"\r\nContent-Type: \(type)\r\n\r\n\(content)"
  }

  @Test func multipartBodiesAreComparedByTheirParts() async throws {
    let recorded = Self.multipart([Self.name, Self.file()], boundary: "one")
    #expect(try await answers(Self.multipart([Self.name, Self.file()], boundary: "another"), recorded))
    #expect(try await answers(Self.multipart([Self.file(), Self.name], boundary: "another"), recorded))
    #expect(
      try await !answers(Self.multipart([Self.name, Self.file()], boundary: "one"), recorded, .bytes) == false
    )
    for other in [
      [Self.name], [Self.name, Self.file(name: "other")], [Self.name, Self.file(file: "b.txt")],
      [Self.name, Self.file(type: "text/html")], [Self.name, Self.file("x\r\n--z")],
      [Self.name, Self.name, Self.file()],
    ] {
      #expect(try await !answers(Self.multipart(other, boundary: "another"), recorded), "\(other)")
    }
    let matching = BodyMatching.form(ignoring: ["file"])
    #expect(try await answers(Self.multipart([Self.name], boundary: "two"), recorded, matching))
  }

  /// An invalid multipart body is compared by its bytes.
  @Test(
    arguments: [
      multipart([name], boundary: "one", ending: ""), multipart([name], boundary: ""),
      multipart(["no empty line"], boundary: "one"), ("", "multipart/form-data; boundary=one"),
      ("--one\r\n\r\nx\r\n--one--", "multipart/form-data"), ("--one", "multipart/form-data; boundary=one"),
      (multipart([name], boundary: String(repeating: "b", count: 71)).body, "multipart/mixed; boundary=b"),
    ] as [(String, String?)])
  func anInvalidMultipartBodyIsComparedByItsBytes(_ body: String, _ type: String?) async throws {
    #expect(try await answers((body, type), (body, type)))
    #expect(try await !answers((body + " ", type), (body + "  ", type)))
  }

  /// A truncated multipart body does not match a shorter one.
  @Test func everyPartOfAMultipartBodyIsRequired() async throws {
    let recorded = Self.multipart([Self.name, Self.file()], boundary: "one", ending: "--")
    // The last ones by default, too: they cut the end of the last part, and the mark that no other follows.
    let length = recorded.body.utf8.count
    for end in Effort.some(of: 0..<length, where: { $0.isMultiple(of: 3) || $0 > length - 12 }) {
      let cut = String(decoding: recorded.body.utf8.prefix(end), as: UTF8.self)
      #expect(try await !answers((cut, recorded.type), recorded), "cut at \(end)")
    }
  }

  @Test func binaryBodiesAreComparedByTheirBytes() async throws {
    let request = { (bytes: [UInt8]) -> HTTP.Request in
      var request = try HTTP.Request.post("/", "", fields: ["Content-Type": "image/png"])
      request.body = Data(bytes)
      return request
    }
    let replay = ReplayingTransport(try HTTPArchive(HTTPArchive(answering: [request([0xFF, 0, 0xFE])]).data))
    #expect(await replay.failure(of: try request([0xFF, 0])) != nil)
    #expect(try await replay.text(for: request([0xFF, 0, 0xFE])) == "0")
  }
}
