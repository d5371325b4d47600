import Foundation
import Testing
import Understudy

@testable import UnderstudyCommand

struct ExportCommandTests {
  private typealias Result = (status: Int32, output: String, error: String)

  private static func document(_ service: String) -> String {
    #"""
    {"service": "\#(service)", "statement": "S.", "exchanges": [
      {"id": "\#(service).get", "statement": "One.", "given": [], "operation": "get",
        "request": {"method": "GET", "path": "/\#(service)", "fields": {}},
        "response": {"status": 200, "fields": {}, "body": [], "ends": "complete"}, "means": {"result": "one"}},
      {"id": "\#(service).hang", "statement": "None.", "given": [], "operation": "get",
        "request": {"method": "GET", "path": "/\#(service)", "fields": {}},
        "response": {"status": 200, "fields": {}, "ends": "timed out"}, "means": {"error": "timeout"}}]}
    """#
  }

  private func run(_ words: [String], _ documents: String...) async -> Result {
    var tool = CommandLineTool("tool")
    tool.exchanges = (documents.isEmpty ? [Self.document("a"), Self.document("b")] : documents).map {
      Data($0.utf8)
    }
    let output = Locked("")
    let error = Locked("")
    let console = Console { text in
      output.withLock { $0 += text + "\n" }
    } writeError: { text in
      error.withLock { $0 += text + "\n" }
    }
    let status = await tool.run(words, console: console)
    return (status, output.withLock { $0 }, error.withLock { $0 })
  }

  private func json(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test func theDocumentIsAloneOnStandardOutput() async throws {
    let result = await run(["export", "pact", "--service", "b", "--consumer=app"])
    #expect(result.status == 0)
    #expect((try json(result.output)["consumer"] as? [String: String]) == ["name": "app"])
    #expect((try json(result.output)["provider"] as? [String: String]) == ["name": "b"])
    #expect(!result.output.hasSuffix("\n\n"))
    #expect(
      result.error
        == "tool: b.hang is left out: the answer never ends, and only whole answers can be described.\n")
  }

  @Test func allServicesAreOneOpenAPIDocument() async throws {
    let all = await run(["export", "openapi"])
    #expect(((try json(all.output)["paths"] as? [String: Any])?.keys.sorted()) == ["/a", "/b"])
    let one = await run(["export", "--service", "a", "openapi"])
    #expect(((try json(one.output)["paths"] as? [String: Any])?.keys.sorted()) == ["/a"])
  }

  @Test func filesAreNamedAndWritten() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.path(percentEncoded: false)

    let several = await run(["export", "pact", "--output", path])
    #expect(several.status == 0)
    #expect(several.output == "\(path)/tool-a.json\n\(path)/tool-b.json\n")
    let written = try String(contentsOf: folder.appending(path: "tool-a.json"), encoding: .utf8)
    #expect((try json(written)["provider"] as? [String: String]) == ["name": "a"])

    // A folder that is there, one that is only named, and a file.
    #expect(await run(["export", "openapi", "--output", path]).output == "\(path)/openapi.json\n")
    #expect(
      await run(["export", "openapi", "--output", path + "/new/"]).output == "\(path)/new/openapi.json\n")
    #expect(await run(["export", "openapi", "--output", path + "/api"]).output == "\(path)/api\n")
    let file = try String(contentsOf: folder.appending(path: "api"), encoding: .utf8)
    #expect(try json(file)["openapi"] as? String == "3.2.0")

    let refused = await run(["export", "pact", "--output", path + "/api"])
    #expect(refused.status == 2)
    #expect(
      refused.error == "tool: There are 2 Pact files, so --output takes a folder, and \(path)/api is none.\n")
  }

  @Test(arguments: [
    (["export"], "tool: export needs a format: pact or openapi. See tool export --help."),
    (["export", "har"], "tool: Unexpected argument \"har\". See tool export --help."),
    (["export", "pact", "openapi"], "tool: Unexpected argument \"openapi\". See tool export --help."),
    (["export", "pact", "--output"], "tool: --output requires a value. See tool export --help."),
    (["export", "pact", "--service", "x"], "tool: Unknown service \"x\". Valid values: a, b."),
    (
      ["export", "pact"],
      "tool: There is a Pact file for each of 2 services. Choose one with --service, or a folder with --output."
    ),
    (
      ["exprot"],
      "tool: Unknown command \"exprot\". Valid values: diff, export, generate, inspect, record, redact, replay, report, serve, validate. See tool --help."
    ),
  ])
  func badArgumentsAreOneLineAndExitStatusTwo(_ words: [String], _ message: String) async {
    let result = await run(words)
    #expect(result.status == 2)
    #expect(result.error == message + "\n")
    #expect(result.output.isEmpty)
  }

  @Test func whatCannotBeWrittenOrReadIsExitStatusTwo() async {
    let unwritable = await run(["export", "openapi", "--output", "/dev/null/x"])
    #expect(unwritable.status == 2)
    #expect(unwritable.error.hasPrefix("tool: /dev/null/x cannot be written: "))
    let unreadable = await run(["export", "openapi"], Self.document("a"), #"{"service": 1}"#)
    #expect(unreadable.status == 2)
    #expect(unreadable.error.hasPrefix("tool: Exchange document 2 of 2 cannot be read: "))
  }

  @Test func helpListsTheServices() async {
    #expect(
      await run(["export", "--help"]).output.contains("several times.\n                            a, b\n"))
    #expect(await run(["--help"]).output.contains("\n  export    Write "))
    let none = CommandLineTool("tool")
    let console = Console(write: { _ in }, writeError: { _ in })
    #expect(await none.run(["export", "openapi"], console: console) == 2)
  }
}
