import Foundation
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyTesting

@testable import UnderstudyCommand

@Suite(.stallLimit()) struct RecordingsCommandTests {
  private func folder() throws -> ImportFolder {
    let folder = try ImportFolder()
    let new = HTTPArchive(log: .init(entries: [.exchange(after: 86_400), .exchange(after: 2 * 86_400)]))
    let old = HTTPArchive(log: .init(entries: [.exchange()]))
    try new.write(to: folder.url.appending(path: "b/new.har"))
    try old.write(to: folder.url.appending(path: "a/old.har"))
    try old.write(to: folder.url.appending(path: ".build/copy.har"))
    return folder
  }

  @Test func listsSizeExchangesAndTheAgeOfTheOldest() async throws {
    let folder = try folder()
    let result = await CommandResult("recordings \(folder.path)")
    #expect(result.status == 0)
    let lines = result.output.replacing(folder.path + "/", with: "").split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines[0].split(separator: " ") == ["size", "exchanges", "oldest", "file"])
    #expect(lines[1].hasSuffix(" 1  3 days  a/old.har"))
    #expect(lines[2].hasSuffix(" 2  2 days  b/new.har"))
    #expect(lines[3] == "2 recordings")
  }

  @Test func anInvalidRecordingIsShownAndFails() async throws {
    let folder = try folder()
    _ = try folder.write("{", to: "c.har")
    let result = await CommandResult("recordings \(folder.path)")
    #expect(result.status == 1)
    #expect(result.output.contains("invalid"))
  }

  @Test func recordingsThatNoTestUsesFail() async throws {
    let folder = try folder()
    let used = try folder.write("\(folder.path)/x/../b/new.har\n/elsewhere/a/old.har\n", to: "used.txt")
    let result = await CommandResult("recordings \(folder.path) --unused-by \(used)")
    #expect(result.status == 1)
    #expect(result.output.contains("a/old.har") && !result.output.contains("new.har"))
    #expect(result.output.hasSuffix("1 of 2 recordings not used by the tests of \(used)\n"))
    let all = try folder.write("\(folder.path)/b/new.har\n\(folder.path)/a/old.har\n", to: "used.txt")
    let good = await CommandResult("recordings \(folder.path) --unused-by \(all)")
    #expect(good.status == 0)
    #expect(good.output == "0 of 2 recordings not used by the tests of \(used)\n")
  }

  @Test func aFolderWithoutRecordingsHasNoUnusedOnes() async throws {
    let folder = try ImportFolder()
    let used = try folder.write("/elsewhere/a/old.har\n", to: "used.txt")
    let result = await CommandResult("recordings \(folder.path) --unused-by \(used)")
    #expect(result.status == 2)
    #expect(result.error == "tool: No recording was found in \(folder.path).\n")
  }

  @Test func theCopyOfARecordingInABundleIsTheRecording() async throws {
    let folder = try folder()
    let used = try folder.write("/build/Notes.resources/a/old.har\n/build/copies/b/new.har\n", to: "used.txt")
    let result = await CommandResult("recordings \(folder.path) --unused-by \(used)")
    #expect(!result.output.contains("old.har") && result.output.contains("b/new.har"))
  }

  @Test(arguments: [
    ("recordings /no/where", "Folder not found: /no/where (in "),
    ("recordings / --unused-by /no/where", "File not found: /no/where (in "),
    ("recordings --unusedby", "Unknown option \"--unusedby\". Did you mean --unused-by?"),
  ])
  func badArgumentsAreOneLineAndExitStatusTwo(_ line: String, _ message: String) async {
    let result = await CommandResult(line.replacing(" / ", with: " /dev/fd "))
    #expect(result.status == 2)
    #expect(result.error.hasPrefix("tool: " + message), "\(result.error)")
  }
}

/// Commands with the journal of a killed recorder.
@Suite(.stallLimit()) struct JournalCommandTests {
  private struct Echo: HTTPTransport {
    func send(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
      HTTP.Response(status: 204)
    }
  }

  /// A folder with a recording of one exchange, and a journal with another one and its secret.
  private func folder() async throws -> ImportFolder {
    let folder = try ImportFolder()
    try HTTPArchive(log: .init(entries: [.exchange()])).write(to: folder.output)
    let recorder = try RecordingTransport(around: Echo(), into: folder.output, redaction: .off)
    let url = try #require(URL(string: "https://api.example.com/late?access_token=sesame-street"))
    _ = try await recorder.send(HTTP.Request(.get, url))
    return folder
  }

  @Test func inspectAndValidateReadAJournalItself() async throws {
    let folder = try await folder()
    let journal = folder.output.path() + ".journal"
    let result = await CommandResult("inspect \(journal)")
    #expect(result.status == 0, "\(result.error)")
    #expect(result.output.contains("/late?access_token=") && !result.output.contains("/cakes"))
    let validation = await CommandResult("validate \(journal)")
    #expect(validation.output == "\(journal): ok, 1 exchange\n")
    let broken = try folder.write("{}\n", to: "x.har.journal")
    let refused = await CommandResult("inspect \(broken)")
    #expect(refused.status == 2)
    #expect(refused.error.contains("It is not a recording journal of a supported version"))
    #expect(await CommandResult("validate \(broken)").status == 1)
  }

  @Test func redactFindsAndReplacesTheSecretsOfAJournal() async throws {
    let folder = try await folder()
    let journal = folder.output.path() + ".journal"
    let check = await CommandResult("redact --check \(journal)")
    #expect(check.status == 1)
    #expect(check.output.contains("2 secrets"))
    let copy = folder.path + "/copy.har"
    #expect(await CommandResult("redact \(journal) --output \(copy)").status == 0)
    #expect(try HTTPArchive(contentsOf: URL(filePath: copy)).entries.count == 1)
    #expect(FileManager.default.fileExists(atPath: journal))
    let result = await CommandResult("redact \(journal)")
    #expect(result.status == 0, "\(result.error)")
    #expect(result.output.hasPrefix("\(folder.output.path()): 2 secrets replaced"))
    #expect(!FileManager.default.fileExists(atPath: journal))
    #expect(try HTTPArchive(contentsOf: folder.output).entries.count == 2)
    #expect(await CommandResult("redact --check \(folder.output.path())").status == 0)
  }
}
