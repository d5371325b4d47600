import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyConsole
import UnderstudyTesting

@testable import UnderstudyCommand

/// `sweep` as a process, whose screens end the process that runs them.
@Suite(.stallLimit()) struct SweepProcessTests {
  /// The program in Tests/Programs/trapping-screens, beside the tests.
  static let program: String? = {
    let folders = [Bundle.main.bundleURL, Bundle.main.executableURL?.deletingLastPathComponent()]
    return folders.compactMap { $0?.appending(path: "trapping-screens").plainPath }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }()

  /// Runs the program, and returns its exit status and what it wrote.
  private func run(_ line: String) async throws -> (status: Int32, output: String, error: String) {
    let folder = try TemporaryFolder()
    let files = ["output", "error"].map { folder.file($0).plainPath }
    let words = line.split(separator: " ").map { String($0.replacing("_", with: " ")) }
    let process = try ChildProcess([try #require(Self.program), "sweep"] + words).launch(
      [.file("/dev/null", O_RDONLY)] + files.map { .file($0, O_WRONLY | O_CREAT | O_TRUNC) })
    let status = await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        var status: Int32 = 0
        while waitpid(process, &status, 0) == -1, errno == EINTR {}
        continuation.resume(returning: status)
      }
    }
    #expect(status & 0x7F == 0, "A signal ended it.")
    return (status >> 8 & 0xFF, try folder.read("output"), try folder.read("error"))
  }

  @Test(.enabled(if: program != nil, "The program is not built."))
  func aTrapIsAViolationBesideTheOthers() async throws {
    let result = try await run("--scenario first --scenario right --pairs 20 --combinations 5")
    #expect(result.status == 1)
    #expect(result.output.contains("\n  ✗ scenario.traps: The process ended with signal "), "\(result)")
    #expect(result.output.contains("\n      under store.load call=1 unauthorized\n"), "\(result)")
    #expect(result.output.contains("\n  ✗ errors.shown: "), "\(result)")
    #expect(result.output.contains("\n  ✓ items.shown\n"), "\(result)")
    #expect(result.output.contains("; left out after a trap, not tried: "), "\(result)")
    #expect(
      result.error.contains(
        """
        understudy: the process ends in a run of a scenario:
          first under store.load call=1 unauthorized
          To reproduce in a test: try await Scenario.first.run(under: [.at("store.load", call: 1, .unauthorized)])

        """), "\(result)")
  }

  /// Catches a report that depends on the process that made the runs.
  @Test(.enabled(if: program != nil, "The program is not built."))
  func aSweepWithoutATrapIsTheSameInBothProcesses() async throws {
    let words = "--scenario right --pairs 20 --combinations 5 --seed 3"
    let (other, own) = (try await run(words), try await run("\(words) --in-process"))
    #expect(other == own && own.status == 0 && own.output.contains("✓ items.shown"))
  }

  @Test(.enabled(if: program != nil, "The program is not built."))
  func oneScheduleIsRun() async throws {
    let trap = try await run("--scenario first --under store.load_call=1_unauthorized")
    #expect(trap.status == 1)
    #expect(
      trap.output.hasPrefix(
        "first under store.load call=1 unauthorized\n  ✗ scenario.traps: The process ended with signal "))
    let failure = try await run("--scenario first --under store.save_call=1_unauthorized")
    #expect(failure.status == 1 && failure.output.contains("✗ errors.shown") && failure.error.isEmpty)
    let success = try await run("--scenario right --under store.load_call=1_unauthorized")
    #expect(success.status == 0 && success.output.hasSuffix("  ✓ every invariant holds\n"))
  }

  /// Catches a process that goes on, and a signal to it that counts as a trap.
  @Test(.enabled(if: program != nil, "The program is not built."))
  func aCancelledSweepEndsItsProcess() async throws {
    var tool = CommandLineTool("tool", scenarios: [SweepCommandTests.right])
    tool.environment.program = Self.program
    let sweep = Task { [tool] in await CommandResult("sweep --combinations 1000000", of: tool) }
    sweep.cancel()
    let result = await sweep.value
    #expect(result.status == 2 && result.error == "tool: The sweep was cancelled.\n", "\(result)")
  }

  /// Catches a scenario that ends the sweep as if all were well.
  @Test(.enabled(if: program != nil, "The program is not built."))
  func aScenarioThatLeavesTheProgramFails() async throws {
    let result = try await run("--scenario leaving")
    #expect(result.status == 1)
    #expect(result.output.contains("  ✗ scenario.traps: The process exited with status 0."), "\(result)")
  }
}
