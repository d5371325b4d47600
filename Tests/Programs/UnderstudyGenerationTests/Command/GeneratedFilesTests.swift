import TestSupport
import Testing
import UnderstudyTesting

// Catches a change of the generator, or of a protocol, after which the files are out of date.
@Suite(.stallLimit()) struct GeneratedFilesTests {
  @Test(
    arguments: Effort.some(
      of: [
        "Sources/SharedServices/SharedServicesDoubles/Interception/Generated",
        "Tests/Programs/UnderstudyGenerationTests/Generated",
      ], every: 2))
  func theGeneratedFilesAreUpToDate(_ folder: String) throws {
    let files = try Modules.files(in: folder)
    let run = CommandRun(["--check", "--modules", Modules.folder] + files)
    #expect(run.errors == [])
    #expect(run.output == ["\(files.count) files are up to date."])
    #expect(run.status == 0)
  }
}
