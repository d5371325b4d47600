import Foundation
import Testing
import Understudy
import UnderstudyRecording
import UnderstudyHTTP
import UnderstudyTesting

@testable import UnderstudyCommand

@Suite(.stallLimit()) struct ExportCommandTests {
  /// A folder with a recording of each of two services, `a` and `b`.
  private final class Recordings: Sendable {
    let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

    var path: String { url.path(percentEncoded: false) }

    init() throws {
      for service in ["a", "b"] {
        let archive = HTTPArchive(
          log: .init(entries: [
            .exchange(.get, "https://api.example.com/\(service)", answering: "[]"),
            .failed(.timedOut, "https://api.example.com/\(service)"),
          ]))
        try archive.write(to: url.appending(path: "\(service)/\(service).get.har"))
      }
    }

    deinit { try? FileManager.default.removeItem(at: url) }
  }

  private func json(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test func theDocumentIsAloneOnStandardOutput() async throws {
    let recordings = try Recordings()
    let result = await CommandResult("export pact \(recordings.path)/b --consumer=app")
    #expect(result.status == 0)
    #expect((try json(result.output)["consumer"] as? [String: String]) == ["name": "app"])
    #expect((try json(result.output)["provider"] as? [String: String]) == ["name": "b"])
    #expect(!result.output.hasSuffix("\n\n"))
    #expect(result.error == "tool: 1 exchange left out: it has no response (b/b.get)\n")
  }

  @Test func allServicesAreOneOpenAPIDocument() async throws {
    let recordings = try Recordings()
    let all = await CommandResult("export openapi \(recordings.path)")
    #expect(((try json(all.output)["paths"] as? [String: Any])?.keys.sorted()) == ["/a", "/b"])
    #expect(all.error == "tool: 2 exchanges left out: it has no response (a/a.get, b/b.get)\n")
    let one = await CommandResult("export openapi \(recordings.path)/a/a.get.har")
    #expect(((try json(one.output)["paths"] as? [String: Any])?.keys.sorted()) == ["/a"])
  }

  @Test func theRecordingsOfTheToolAreTheDefault() async throws {
    let recordings = try Recordings()
    let contract = Contract<Int>("a") {}
    let nothing = Implementation<Int>("none") { _ in 0 }
    let tool = CommandLineTool(
      "tool",
      contracts: RegisteredContract(
        contract, nothing, recordings: recordings.url, replaying: { _ in nothing },
        recording: { _ in nothing }
      ))
    let result = await CommandResult("export openapi", of: tool)
    #expect(((try json(result.output)["paths"] as? [String: Any])?.keys.sorted()) == ["/a", "/b"])
  }

  @Test func filesAreNamedAndWritten() async throws {
    let recordings = try Recordings()
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.path(percentEncoded: false)

    let several = await CommandResult("export pact \(recordings.path) --output \(path)")
    #expect(several.status == 0)
    #expect(several.output == "\(path)/tool-a.json\n\(path)/tool-b.json\n")
    let written = try String(contentsOf: folder.appending(path: "tool-a.json"), encoding: .utf8)
    #expect((try json(written)["provider"] as? [String: String]) == ["name": "a"])

    // An existing folder, a new folder, and a file.
    let openAPI = "export openapi \(recordings.path) --output \(path)"
    #expect(await CommandResult(openAPI).output == "\(path)/openapi.json\n")
    #expect(await CommandResult(openAPI + "/new/").output == "\(path)/new/openapi.json\n")
    #expect(await CommandResult(openAPI + "/api").output == "\(path)/api\n")
    let file = try String(contentsOf: folder.appending(path: "api"), encoding: .utf8)
    #expect(try json(file)["openapi"] as? String == "3.2.0")

    let refused = await CommandResult("export pact \(recordings.path) --output \(path)/api")
    #expect(refused.status == 2)
    #expect(
      refused.error == "tool: 2 Pact files require a folder for --output, but \(path)/api is a file.\n")
  }

  @Test func stubsAreAFolderOrOneDocument() async throws {
    let recordings = try Recordings()
    let result = await CommandResult("export wiremock \(recordings.path)")
    #expect(result.status == 0)
    #expect((try json(result.output)["mappings"] as? [Any])?.count == 2)
    #expect(result.error == "tool: 2 exchanges left out: it has no response (a/a.get, b/b.get)\n")
    let file = try TemporaryFile("{}")
    let refused = await CommandResult("export wiremock \(recordings.path) --output %", files: file)
    #expect(refused.status == 2)
    #expect(refused.error == "tool: wiremock requires a folder for --output, but \(file.path) is a file.\n")
    let long = try TemporaryFile(.exchange(answering: String(repeating: "x", count: 2000), as: "text/plain"))
    let files = await CommandResult("export wiremock %", files: long)
    #expect(files.status == 2)
    #expect(files.error == "tool: Stubs with files of bodies require a folder. Pass --output.\n")
  }

  @Test(arguments: [
    ("export", "export requires a format: pact, openapi or wiremock. See tool export --help."),
    ("export har", "Unknown format \"har\". Valid values: pact, openapi, wiremock."),
    ("export --service", "Unknown option \"--service\". See tool export --help."),
    ("export pact --output", "--output requires a value. See tool export --help."),
    ("export pact", "export requires the files or folders of recordings. See tool export --help."),
    (
      "exprot",
      "Unknown command \"exprot\". Did you mean export? Valid values: adopt, completion, diff, export, generate, import, inspect, record, recordings, redact, replay, report, serve, validate. See tool --help."
    ),
  ])
  func badArgumentsAreOneLineAndExitStatusTwo(_ line: String, _ message: String) async {
    let result = await CommandResult(line)
    #expect(result.status == 2)
    #expect(result.error == "tool: \(message)\n")
    #expect(result.output.isEmpty)
  }

  @Test func unreadableAndUnwritableFilesAreExitStatusTwo() async throws {
    let recordings = try Recordings()
    let unwritable = await CommandResult("export openapi \(recordings.path) --output /dev/null/x")
    #expect(unwritable.status == 2)
    #expect(unwritable.error.hasPrefix("tool: /dev/null/x cannot be written: "))
    let several = await CommandResult("export pact \(recordings.path)")
    #expect(several.status == 2)
    #expect(several.error.hasPrefix("tool: Found recordings of 2 services"))
    let empty = await CommandResult("export pact /dev/fd")
    #expect(empty.error == "tool: No .har file found in /dev/fd/.\n")
    let missing = await CommandResult("export openapi /no/where")
    #expect(missing.error.hasPrefix("tool: File not found: /no/where (in "))
    let broken = try TemporaryFile(#"{"log": 1}"#)
    let unreadable = await CommandResult("export openapi %", files: broken)
    #expect(unreadable.status == 2)
    #expect(unreadable.error.contains(broken.path))
    #expect(unreadable.output.isEmpty)
  }

  @Test func helpFitsItsLines() async {
    let help = await CommandResult("export --help")
    #expect(help.status == 0)
    #expect(help.output.split(separator: "\n").allSatisfy { $0.count <= 120 })
    #expect(await CommandResult("--help").output.contains("\n  export      Write "))
  }
}
