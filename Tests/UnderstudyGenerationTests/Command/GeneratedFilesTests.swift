import Testing

// Catches a change of the generator, or of a protocol, after which the files say something else.
struct GeneratedFilesTests {
  @Test(arguments: [
    "Tests/UnderstudyGenerationTests/Generated", "Sources/SharedServicesDoubles/Interception/Generated",
  ])
  func theFilesOfThePackageAreWhatTheProtocolsSay(_ folder: String) throws {
    let files = try Modules.files(in: folder)
    let run = CommandRun(["--check", "--modules", Modules.folder] + files)
    #expect(run.errors == [])
    #expect(run.output == ["\(files.count) files are as the protocols say."])
    #expect(run.status == 0)
  }
}
