import Testing

// Catches a change of the generator, or of a fixture, after which the files that are compiled here say something else.
struct GeneratedFilesTests {
  @Test func theFilesThatAreCompiledHereAreWhatTheProtocolsSay() throws {
    let files = try Modules.files(in: "Tests/UnderstudyGenerationTests/Generated")
    let run = CommandRun(["--check", "--modules", Modules.folder] + files)
    #expect(run.errors == [])
    #expect(run.output == ["\(files.count) files are as the protocols say."])
    #expect(run.status == 0)
  }
}
