import Foundation
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyTesting

@testable import UnderstudyCommand

/// A folder for the files of one test.
final class ImportFolder: Sendable {
  let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: url) }

  var path: String { url.path(percentEncoded: false) }
  var output: URL { url.appending(path: "session.har") }

  /// Writes a file, and returns its path.
  func write(_ text: String, to name: String) throws -> String {
    let file = url.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
    return file.path(percentEncoded: false)
  }

  /// Imports files; the recording must be valid HAR 1.2 without a warning, and without secrets.
  func imported(_ arguments: String) async throws -> (entries: [HTTPArchive.Entry], result: CommandResult) {
    let result = await CommandResult("import \(arguments) --output \(output.path())")
    #expect(result.status == 0, "\(result.error)")
    let validation = await CommandResult("validate \(output.path())")
    #expect(!validation.output.contains("warning"), "\(validation.output)")
    #expect(await CommandResult("redact --check \(output.path())").status == 0)
    return (try HTTPArchive(contentsOf: output).entries, result)
  }
}

/// Returns a file of another tool, written by that tool.
func importedFile(_ name: String) throws -> URL {
  try #require(Bundle.module.resourceURL).appending(path: "Imported/\(name)")
}

extension HTTPArchive.Entry {
  fileprivate var line: String { "\(request.method) \(request.url) \(response.status)" }
}

@Suite(.stallLimit()) struct ImportCommandTests {
  private let latin = Data([0x43, 0x72, 0xE8, 0x6D, 0x65, 0x20, 0x62, 0x72, 0xFB, 0x6C, 0xE9, 0x65])
  private let image = Data((0...255).map { UInt8($0) } + (0...255).map { UInt8($0) })
  private let gzipped = #"{"layers": 3, "note": ""# + String(repeating: "sweet ", count: 40) + #""}"#
  private let text =
    "First line: with a colon\n\n  - indented 'quoted' \"double\"\n\ttab\n# no comment\n"
    + String(repeating: "long ", count: 40) + "\nlast without end  "

  /// What the server answered while VCR and vcrpy recorded it; these files are the YAML of the tools, converted by the
  /// commands of the article Recording and replaying.
  @Test(arguments: ["vcr.yml.json", "vcr-exact.yml.json", "vcrpy.yaml.json"])
  func cassettesHaveTheBytesOfTheServer(_ name: String) async throws {
    let folder = try ImportFolder()
    let (entries, _) = try await folder.imported(try importedFile(name).path(percentEncoded: false))
    func body(_ path: String) throws -> Data? {
      try #require(entries.first { $0.request.url.hasSuffix(path) }).response.content.body
    }
    let cakes = try #require(entries.first)
    #expect(cakes.response.content.body == Data(#"[{"id": 1, "name": "Kirschkuchen – süß"}]"#.utf8))
    #expect(cakes.response.headers.filter { $0.name == "Set-Cookie" }.count == 2)
    #expect(cakes.response["statusText"]?.stringValue == "OK")
    #expect(try body("/gzip") == Data(gzipped.utf8))
    #expect(try body("/image") == image)
    #expect(try body("/latin") == latin)
    #expect(try body("/text") == Data(text.utf8))
    #expect(entries.last?.response.status == 404)
    let sent = try #require(entries.first { $0.request.method == .post }?.request.postData?.body)
    #expect(sent == Data([0, 255, 254, 10, 65]))
    // The date is the recorder's, or that of the response.
    #expect(cakes.startedDateTime == Date(timeIntervalSince1970: 1_795_490_820))
  }

  @Test(arguments: ["vcr.json", "vcrpy.json"])
  func cassettesInJSONAreEqual(_ name: String) async throws {
    let folder = try ImportFolder()
    let (entries, _) = try await folder.imported(try importedFile(name).path(percentEncoded: false))
    #expect(entries.first?.response.content.text == #"[{"id": 1, "name": "Kirschkuchen – süß"}]"#)
    #expect(entries.contains { $0.response.content.body == Data(text.utf8) })
    let form = entries.compactMap(\.request.postData?.text)
    #expect(
      form.first == #"{"name":"Torte","price":1.50}"# || form.first == #"{"name": "Torte", "price": 1.5}"#)
    #expect(form.last == "a=1+2&b=%C3%BC")
  }

  @Test func aRecordingAnswersLikeTheCassette() async throws {
    let folder = try ImportFolder()
    _ = try await folder.imported(try importedFile("vcrpy.yaml.json").path(percentEncoded: false))
    let replay = ReplayHandler(try HTTPArchive(contentsOf: folder.output))
    let url = try #require(URL(string: "http://127.0.0.1:8123/gzip"))
    let response = try await replay.respond(to: HTTP.Request(.get, url))
    #expect(try await response.body.collect() == Data(gzipped.utf8))
  }

  @Test func secretsAreReplaced() async throws {
    let folder = try ImportFolder()
    let file = try importedFile("vcrpy.yaml.json").path(percentEncoded: false)
    let (_, result) = try await folder.imported(file)
    #expect(result.output == "Imported to \(folder.output.path()): 10 exchanges, 1 placeholder.\n")
    #expect(!String(decoding: try Data(contentsOf: folder.output), as: UTF8.self).contains("not-a-real-one"))
    let kept = await CommandResult("import \(file) --keep-secrets --replace --output \(folder.output.path())")
    #expect(kept.status == 0)
    #expect(String(decoding: try Data(contentsOf: folder.output), as: UTF8.self).contains("not-a-real-one"))
  }

  @Test func anExistingFileIsOnlyReplacedOnRequest() async throws {
    let folder = try ImportFolder()
    let output = try folder.write("mine", to: "session.har")
    let file = try importedFile("vcr.json").path(percentEncoded: false)
    let result = await CommandResult("import \(file) --output \(output)")
    #expect(result.status == 2)
    #expect(result.error == "tool: \(output) exists. Choose another file, or --replace.\n")
    #expect(try String(contentsOfFile: output, encoding: .utf8) == "mine")
    #expect(await CommandResult("import \(file) --output \(output) --replace").status == 0)
  }

  @Test func severalFilesAreOneRecordingInTheirOrder() async throws {
    let folder = try ImportFolder()
    let (vcr, vcrpy) = (try importedFile("vcr.json").path(), try importedFile("vcrpy.json").path())
    let (entries, _) = try await folder.imported("\(vcrpy) \(vcr)")
    #expect(entries.count == 11)
    #expect(entries[0].request.headers.contains { $0.value.hasPrefix("python-requests") })
    #expect(entries[6].request.headers.contains { $0.value == "Ruby" })
  }

  @Test(arguments: [
    ("{\"a\": 1,\n \"b\": }", "line 2: Invalid JSON."),
    (
      #"{"http_interactions":[{"request":{"method":"get","uri":"http://h/"}}]}"#,
      "http_interactions[0]: response is missing."
    ),
    (#"{"http_interactions":5}"#, "http_interactions: Expected a list."),
    (
      #"{"interactions": [{"request": {"method": "GET", "uri": "http://h/"}, "response": {"status": {"code": "x"}}}]}"#,
      "interactions[0].response.status.code: Expected a whole number."
    ),
    (
      #"{"interactions": [{"request": {"method": "GET", "uri": "http://h/"}, "response": {"body": {"base64_string": "?"}, "status": {"code": 200}}}]}"#,
      "interactions[0].response.body: Expected a text, \"string\" or valid base64 in \"base64_string\"."
    ),
    (
      #""just a text""#,
      "Unknown format. Specify it with --from: vcr, vcrpy, postman, wiremock, saz."
    ),
    (#"{"log": {"entries": []}}"#, "It is a HAR file already, which every command reads."),
    ("PK\u{3}\u{4}", "The directory of the ZIP archive is missing; the file may be incomplete."),
  ])
  func invalidInputIsOneLineAndExitStatusTwo(_ contents: String, _ message: String) async throws {
    let folder = try ImportFolder()
    let file = try folder.write(contents, to: "input")
    let result = await CommandResult("import \(file) --output \(folder.output.path())")
    #expect(result.status == 2)
    #expect(result.error == "tool: \(file): \(message)\n")
    #expect(!FileManager.default.fileExists(atPath: folder.output.path()))
  }

  @Test(arguments: [
    ("list.yml", "---\nhttp_interactions: []\n"), ("list", "interactions: []\nversion: 1\n"),
    // By hand, in the brackets of JSON.
    ("list.YAML", "{interactions: []}\n"), ("empty.yml", ""),
  ])
  func theErrorForYAMLNamesTheConversion(_ name: String, _ contents: String) async throws {
    let folder = try ImportFolder()
    let file = try folder.write(contents, to: name)
    let result = await CommandResult("import \(file) --output \(folder.output.path())")
    #expect(result.status == 2)
    #expect(
      result.error
        == "tool: \(file): It is not JSON. To convert a cassette in YAML, see the article Recording and replaying.\n"
    )
    #expect(!FileManager.default.fileExists(atPath: folder.output.path()))
  }

  @Test(arguments: [
    ("import", "import requires a file and --output. See tool import --help."),
    ("import --output a.har", "import requires a file and --output. See tool import --help."),
    ("import /no/where --output a.har", "File not found: /no/where (in "),
    ("import --from xml", "Unknown format \"xml\". Valid values: vcr, vcrpy, postman, wiremock, saz."),
    ("import --variable x", "--variable requires <name>=<value>, found \"x\"."),
    ("import --origin http://h/a", "--origin requires a URL without a path, found http://h/a."),
    ("import --secret x --keep-secrets", "--keep-secrets cannot be combined with --secret."),
  ])
  func badArgumentsAreOneLineAndExitStatusTwo(_ line: String, _ message: String) async {
    let result = await CommandResult(line)
    #expect(result.status == 2)
    #expect(result.error.hasPrefix("tool: " + message), "\(result.error)")
    #expect(result.error.split(separator: "\n").count == 1)
  }
}

@Suite(.stallLimit()) struct FiddlerArchiveTests {
  @Test func sessionsHaveTheirBodiesAndTimes() async throws {
    let folder = try ImportFolder()
    let (entries, result) = try await folder.imported(try importedFile("session.saz").path())
    #expect(
      entries.map(\.line) == [
        "GET https://shop.example/cakes?kind=all 200", "POST http://plain.example:8080/orders 204",
      ])
    #expect(entries[0].response.content.text == #"{"cakes": ["Torte", "Strudel"]}"#)
    #expect(entries[0].response.headers.last?.value == "Café")
    #expect(entries[0].startedDateTime == Date(timeIntervalSince1970: 1_767_323_045.25))
    #expect(entries[0].timings.wait == 40 && entries[0].timings.receive == 45)
    #expect(entries[1].request.postData?.text == #"{"a":1}"#)
    #expect(entries[1].startedDateTime == Date(timeIntervalSince1970: 1_767_323_046))
    #expect(
      result.error == """
        tool: 1 exchange left out: it is a tunnel of a proxy (CONNECT) (session 01)
        tool: 1 exchange left out: it has no response (session 11)
        tool: 1 exchange left out: it is a WebSocket (session 12)

        """)
  }

  /// Each damaged byte is noticed, or is in a part that is not read.
  @Test func aDamagedArchiveNeverTraps() throws {
    let whole = [UInt8](try Data(contentsOf: try importedFile("session.saz")))
    var refused = 0
    for place in stride(from: 0, to: whole.count, by: 3) {
      for damaged in [Array(whole[..<place]), whole[..<place] + [~whole[place]] + whole[(place + 1)...]] {
        do {
          let archive = try ZipArchive(Data(damaged))
          for name in archive.names { _ = try archive.contents(of: name) }
        } catch {
          refused += 1
        }
      }
    }
    // Every beginning is incomplete, and most bytes are protected by a checksum.
    #expect(refused > whole.count / 3 + whole.count / 12)
  }

  @Test func decompressionHasALimit() throws {
    let zeros = try #require(
      Data(base64Encoded: "H4sIAAAAAAACA+3BMQEAAADCoPVPbQwfoAAAAIC3Ab6TizqgDwAA"))
    #expect(Inflation.bytes(of: zeros, .detected, atMost: 4000) == Data(count: 4000))
    #expect(Inflation.bytes(of: zeros, .detected, atMost: 3999) == nil)
    #expect(Inflation.bytes(of: zeros.dropLast(), .detected) == nil)
  }
}
