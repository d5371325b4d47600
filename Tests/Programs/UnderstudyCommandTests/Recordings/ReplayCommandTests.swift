import Foundation
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyTesting

@testable import UnderstudyCommand

@Suite(.stallLimit()) struct ReplayCommandTests {
  @Test func answersFromARecording() async throws {
    let file = try TemporaryFile(
      .exchange(
        .get, "https://far.example/a?x=1", status: 203, answering: "plain", as: "text/plain",
        with: ["Content-Encoding": "gzip", "Content-Length": "3"]),
      .exchange(.get, "https://far.example/b"))
    let command = RunningCommand(["replay", file.path])
    #expect(try await command.send(.get, "/a?x=1") == (203, "plain"))
    // One request more than recorded.
    #expect(try await command.send(.get, "/a?x=1") == (203, "plain"))
    let (status, text) = try await command.send(.get, "/a?x=2")
    #expect(status == 501)
    #expect(text.contains("No recorded response matches GET /a?x=2."))
    #expect(try await command.line(with: "query: recorded x=1").hasPrefix("    "))
    let output = await command.stop().output
    #expect(
      output.contains("\nServing the recording \(file.path). Stop with Ctrl-C.\n  2 recorded exchange(s)\n"))
    #expect(output.hasSuffix("\nNever requested:\n  entry 1: GET https://far.example/b"))
  }

  @Test func waitsAsRecordedOnlyWithTheOption() async throws {
    let file = try TemporaryFile(.exchange(took: 5000, answering: "{}"))
    // The clock does not advance, so this request would never end.
    let hasty = RunningCommand(["replay", file.path])
    #expect(try await hasty.send(.get, "/cakes").1 == "{}")
    #expect(await hasty.stop().status == 0)

    let time = TestClock(.immediate)
    let patient = RunningCommand(["replay", "--pauses", file.path], time: time)
    #expect(try await patient.send(.get, "/cakes").1 == "{}")
    #expect(try await patient.line(with: "#1").hasSuffix("GET /cakes  200  2 B  5.0 s"))
    #expect(await patient.stop().status == 0)
  }

  @Test func injectsFaultsBeforeTheRecording() async throws {
    let file = try TemporaryFile(.exchange(answering: "{}"))
    let command = RunningCommand(["replay", file.path, "--fault", "/cakes call=1 conflict", "--seed=3"])
    #expect(try await command.send(.get, "/cakes").0 == 409)
    #expect(try await command.send(.get, "/cakes").0 == 200)
    #expect(await command.stop().output.contains("\n  seed: 3\n"))
  }

  @Test(arguments: [
    ([], "replay requires a recording. See tool replay --help."),
    (["--prot", "1"], "Unknown option \"--prot\". Did you mean --port? See tool replay --help."),
    (["a.har", "b.har"], "Unexpected argument \"b.har\". See tool replay --help."),
    (["/no/where"], "File not found: /no/where (in "),
    (
      ["--fault", "GET /a cancelled", "a.har"],
      "--fault \"GET /a cancelled\": only a client can cancel its call; "
    ),
    (["--port", "70000"], "--port requires a whole number from 0 to 65535, found \"70000\"."),
  ])
  func badArgumentsAreOneLineAndExitStatusTwo(_ words: [String], _ message: String) async {
    let result = await RunningCommand(["replay"] + words).end()
    #expect(result.status == 2)
    #expect(result.error.hasPrefix("tool: \(message)"))
    #expect(!result.error.contains("\n"))
    #expect(result.output.isEmpty)
  }

  @Test func anInvalidFileIsReportedWithThePosition() async throws {
    let file = try TemporaryFile("{\"log\": \n {\"entries\": [}}")
    let result = await RunningCommand(["replay", file.path]).end()
    #expect(result.status == 2)
    #expect(result.error.contains("line 2"))
  }

  @Test func anOddEntryIsAWarningAndAnErrorIfStrict() async throws {
    let file = try TemporaryFile(
      "{\"log\": {\"entries\": [\n{\"request\": {\"method\": \"GET\", \"url\": \"http://h/a\", \"cookies\": {}}, \"response\": {\"status\": 204}}]}}"
    )
    let command = RunningCommand(["replay", file.path])
    #expect(try await command.send(.get, "/a").0 == 204)
    let (status, _, error) = await command.stop()
    #expect(status == 0)
    #expect(
      error.hasPrefix("tool: warning: \(file.path): line 2, byte ") && !error.contains("\n"), "\(error)")
    let strict = await RunningCommand(["replay", "--strict", file.path]).end()
    #expect(strict.status == 2 && strict.output.isEmpty)
    #expect(strict.error.contains("log.entries[0].request.cookies: Expected an array, found an object: "))
  }

  @Test func helpListsTheFaults() async {
    let help = await CommandResult("replay --help")
    #expect(help.status == 0)
    #expect(help.output.contains("--pauses"))
    #expect(help.output.contains("drop-stream[:<events>]"))
  }
}
