import Foundation
import Testing
import Understudy
import UnderstudyConsole
import UnderstudyTesting

@testable import UnderstudyCommand

@Suite(.stallLimit()) struct CommandLineToolTests {
  private func run(_ line: String) async -> CommandResult {
    await CommandResult(
      line,
      of: CommandLineTool(
        "tool",
        contracts: RegisteredContract(.numbers("good"), .number(1), .number(1, named: "second")),
        RegisteredContract(.numbers("bad"), .number(2))))
  }

  private func demo(_ demonstrations: CommandLineTool.Demonstration...) async -> CommandResult {
    var tool = CommandLineTool("tool", contracts: RegisteredContract(.numbers("good"), .number(1)))
    tool.demonstrations = demonstrations
    return await CommandResult("demo", of: tool)
  }

  @Test func aFailedClauseIsExitStatusOne() async {
    let all = await run("verify")
    #expect(all.status == 1)
    #expect(all.output.hasSuffix("2 passed, 1 failed, 0 skipped (seed 0).\n"))
    #expect(all.error.isEmpty)
  }

  /// Catches a clause that every implementation skips, with which the command would pass.
  @Test func aClauseThatNoImplementationCouldBeTestedUnderIsExitStatusOne() async {
    let contract = Contract<Int>("sky") {
      Clause("sky.moon", "It shines.") { try await $0.given(Condition<Void>("the moon is full")) }
      Clause("sky.sun", "It shines too.") { $0.expect($0.subject, equals: 1, "the light") }
    }
    let blind = Implementation<Int>("blind") { _ in 1 }
    let clear = Implementation<Int>("clear") { trial in
      trial.on(Condition<Void>("the moon is full")) {}
      return 1
    }
    let tool = CommandLineTool(
      "tool", contracts: RegisteredContract(contract, blind, blind.wrapping(as: "second") { $0 }))
    let result = await CommandResult("verify", of: tool)
    #expect(result.status == 1)
    #expect(
      result.error
        == "tool: No implementation could be tested under sky.moon, so the clause checks nothing. Set up its condition "
        + "in one of them, or delete the clause.\n")
    #expect(await CommandResult("verify --implementation second", of: tool).status == 0)
    let both = CommandLineTool("tool", contracts: RegisteredContract(contract, blind, clear))
    #expect(await CommandResult("verify", of: both).status == 1, "The clause of the moon expects nothing.")
    #expect(await CommandResult("verify", of: both).error == "")
  }

  @Test func onlyTheChosenServicesAndImplementationsAreTried() async {
    let good = await run("verify --service good --implementation=second --seed 7")
    #expect(good.status == 0)
    #expect(good.output.hasSuffix("1 passed, 0 failed, 0 skipped (seed 7).\n"))
    #expect(!good.output.contains("bad"))
  }

  @Test func jsonIsAloneOnStandardOutput() async throws {
    let json = await run("verify --format json")
    #expect(json.status == 1)
    let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    let summary = try #require(object?["summary"] as? [String: Int])
    #expect(summary["passed"] == 2 && summary["failed"] == 1 && summary["skipped"] == 0)
    #expect(summary["failures"] == 1)
  }

  @Test func onlyClausesWithThePrefixAreTried() async {
    let good = await run("verify --clause good.")
    #expect(good.status == 0)
    #expect(good.output.hasSuffix("2 passed, 0 failed, 0 skipped (seed 0).\n"))
    #expect(!good.output.contains("bad"), "The other contract has no such clause.")
  }

  @Test func aReportIsWrittenToAFileAndSummarizedInALine() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "new/report.html").path(percentEncoded: false)
    let result = await run("verify --format html --output \(path)")
    #expect(result.status == 1 && result.error.isEmpty)
    #expect(result.output == "2 passed, 1 failed, 0 skipped (seed 0). \(path)\n")
    let page = try String(contentsOfFile: path, encoding: .utf8)
    #expect(page.hasPrefix("<!DOCTYPE html>") && page.hasSuffix("</html>\n"))
    #expect(page.contains("swift run tool verify --service bad --clause bad.one --seed 0"))
    let unwritable = await run("verify --format junit --output /dev/null/x")
    #expect(unwritable.status == 2 && unwritable.output.isEmpty)
    #expect(unwritable.error.hasPrefix("tool: /dev/null/x cannot be written: "))
  }

  @Test func junitIsAloneOnStandardOutput() async {
    let xml = await run("verify --format junit")
    #expect(xml.status == 1 && xml.error.isEmpty)
    #expect(
      xml.output.hasPrefix(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"tool\" tests=\"3\""))
    #expect(xml.output.hasSuffix("</testsuites>\n"))
  }

  @Test(arguments: [
    (
      "verfy",
      "tool: Unknown command \"verfy\". Did you mean verify? Valid values: adopt, completion, diff, export, generate, import, inspect, record, recordings, redact, replay, report, serve, validate, verify. See tool --help."
    ),
    (
      "verify --claus x",
      "tool: Unknown option \"--claus\". Did you mean --clause? See tool verify --help."
    ),
    ("verify --colour", "tool: Unknown option \"--colour\". See tool verify --help."),
    ("verify good", "tool: Unexpected argument \"good\". See tool verify --help."),
    ("verify --service", "tool: --service requires a value. See tool verify --help."),
    ("verify --service=", "tool: --service requires a value. See tool verify --help."),
    ("verify --service x", "tool: Unknown service \"x\". Valid values: good, bad."),
    ("verify --implementation x", "tool: Unknown implementation \"x\". Valid values: one, second."),
    ("verify --format xml", "tool: Unknown format \"xml\". Valid values: table, json, html, junit."),
    (
      "verify --recordings /no/such/folder",
      "tool: --recordings: folder not found: /no/such/folder."
    ),
    ("verify --recordings /dev/null", "tool: --recordings requires a folder, but /dev/null is a file."),
    (
      "generate --colour",
      "tool: Unknown option \"--colour\". See tool generate --help."
    ),
    ("verify --clause other", "tool: No clause starts with \"other\". List the clauses with: tool verify"),
    ("verify --record=yes", "tool: --record does not take a value, found \"yes\". See tool verify --help."),
    ("verify --help=no", "tool: --help does not take a value, found \"no\". See tool verify --help."),
    (
      "demo now",
      "tool: Unknown command \"demo\". Valid values: adopt, completion, diff, export, generate, import, inspect, record, recordings, redact, replay, report, serve, validate, verify. See tool --help."
    ),
    ("verify --key x", "tool: --key requires a name and a value, such as --key api-key=…"),
    ("verify --key a=b", "tool: --key requires --against."),
    (
      "verify --against http://h",
      "tool: --against requires a contract with a remote implementation, but none is registered."
    ),
    ("verify --output", "tool: --output requires a value. See tool verify --help."),
    ("verify --seed -1", "tool: --seed requires a whole number from 0, found \"-1\"."),
    (
      "verify --service bad --implementation second",
      "tool: No chosen service has the chosen implementations. Valid values: good: one, second; bad: one."
    ),
  ])
  func badArgumentsAreOneLineAndExitStatusTwo(_ line: String, _ message: String) async {
    let result = await run(line)
    #expect(result.status == 2)
    #expect(result.output.isEmpty)
    #expect(result.error == message + "\n")
  }

  @Test(arguments: ["", "--help", "help", "verify --help", "verify --service good -h"])
  func helpIsOnStandardOutput(_ line: String) async {
    let result = await run(line)
    #expect(result.status == 0)
    #expect(result.output.hasPrefix("usage: tool "))
    #expect(result.error.isEmpty)
  }

  @Test(arguments: ["diff", "inspect", "replay", "validate"])
  func theHelpOfACommandOnRecordingsFitsAnyTerminal(_ command: String) async {
    let help = await run("\(command) --help")
    #expect(help.status == 0 && help.error.isEmpty)
    #expect(help.output.hasPrefix("usage: tool \(command) <file>"))
    #expect(help.output.split(separator: "\n").allSatisfy { $0.count <= 118 })
    #expect(await run("--help").output.contains("\n  \(command) "))
  }

  @Test func recordingsAreWrittenToTheChosenFolder() async {
    let folders = Locked<[String]>([])
    let recorded = RegisteredContract(
      .numbers("good"), .number(2), recordings: URL(filePath: "/own"),
      replaying: { folder in
        folders.withLock { $0.append("read \(folder?.path() ?? "as packaged")") }
        return .number(1, named: "recorded")
      },
      recording: { folder in
        folders.withLock { $0.append("write \(folder.path())") }
        return .number(1, named: "recorded")
      })
    let tool = CommandLineTool(
      "tool", contracts: recorded,
      RegisteredContract(.numbers("never recorded"), .number(2)))
    folders.withLock { $0 = [] }
    #expect(await CommandResult("verify --implementation recorded", of: tool).status == 0)
    #expect(
      await CommandResult("verify --record", of: tool).status == 0, "Nothing but the recorded one is tried.")
    #expect(await CommandResult("verify --record --recordings /new/folder", of: tool).status == 0)
    #expect(await CommandResult("verify --recordings /tmp --implementation recorded", of: tool).status == 0)
    #expect(
      folders.withLock { $0 } == ["read as packaged", "write /own", "write /new/folder/", "read /tmp/"])
  }

  @Test func aToolWithoutRecordingsCannotMakeAny() async {
    let result = await run("verify --record")
    #expect(result.status == 2)
    #expect(
      result.error
        == "tool: --record requires a contract with a recorded implementation, but none is registered.\n")
  }

  @Test func demoShowsTheContractsAndTheDemonstrations() async {
    let result = await demo(.init("A scene") { try $0.write("played") })
    #expect(result.status == 0)
    #expect(result.output.contains("good, 1 clause, such as:\n  “It is one.”\n    one  1 passed"))
    #expect(result.output.hasSuffix("\n2  A scene\n\nplayed\n"))
    #expect(result.error.isEmpty)
  }

  @Test func aDemonstrationThatFailsIsExitStatusOneAndTheNextIsShown() async {
    let result = await demo(
      .init("A bad scene") { _ in throw CancellationError() }, .init("A scene") { try $0.write("played") })
    #expect(result.status == 1)
    #expect(result.error == "tool: \"A bad scene\" failed: CancellationError()\n")
    #expect(result.output.hasSuffix("\n3  A scene\n\nplayed\n"))
  }

  @Test func withoutDemonstrationsTheCommandDemoIsMissing() async {
    let result = await run("demo")
    #expect(result.status == 2)
    #expect(
      result.error
        == "tool: Unknown command \"demo\". Valid values: adopt, completion, diff, export, generate, import, inspect, record, recordings, redact, replay, report, serve, validate, verify. See tool --help.\n"
    )
  }

  @Test func withoutContractsTheCommandVerifyIsMissing() async {
    let tool = CommandLineTool("tool")
    #expect(await CommandResult("verify", of: tool).error.contains("Unknown command \"verify\"."))
    #expect(await !CommandResult("--help", of: tool).output.contains("verify"))
  }

  // Catches an argument that breaks the line, or controls the terminal.
  @Test func anArgumentWithControlCharactersIsOneLine() async {
    let lines = Locked<[String]>([])
    let console = Console(write: { _ in }, writeError: { line in lines.withLock { $0.append(line) } })
    let status = await CommandLineTool("tool").run(["a\nb\u{1B}[2J"], console: console)
    let written = lines.withLock { $0 }
    #expect(status == 2 && written.count == 1)
    #expect(written.first?.hasPrefix("tool: Unknown command \"a b\\u{1b}[2J\".") == true, "\(written)")
  }

  @Test(arguments: ["--help", "verify", "verify --help"])
  func outputThatCannotBeWrittenIsOneLineAndExitStatusTwo(_ line: String) async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path()
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let readOnly = try #require(FileHandle(forReadingAtPath: path))
    let errors = try #require(FileHandle(forUpdatingAtPath: path))
    let tool = CommandLineTool("tool", contracts: RegisteredContract(.numbers("good"), .number(1)))
    let status = await tool.run(
      line.split(separator: " ").map(String.init), console: Console(output: readOnly, error: errors))
    #expect(status == 2)
    let said = try String(contentsOfFile: path, encoding: .utf8)
    #expect(said.hasPrefix("tool: Standard output cannot be written"))
    #expect(said.hasSuffix("\n") && said.count(where: \.isNewline) == 1)
  }

  @Test func theHelpOfVerifyNamesEveryOptionAndChoice() async {
    let help = await run("verify --help").output
    for word in ["--service", "--implementation", "--format", "--seed", "--help", "good, bad", "one, second"]
    {
      #expect(help.contains(word))
    }
  }
}

extension Contract where Subject == Int {
  static func numbers(_ name: String) -> Self {
    Contract(name) { Clause("\(name).one", "It is one.") { $0.expect($0.subject, equals: 1) } }
  }
}

extension Implementation where Subject == Int {
  static func number(_ value: Int, named name: String = "one") -> Self {
    Implementation(name) { _ in value }
  }
}
