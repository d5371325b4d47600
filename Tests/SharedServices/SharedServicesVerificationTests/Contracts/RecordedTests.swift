import Foundation
import SharedServices
import SharedServicesContracts
import SharedServicesVerification
import TestSupport
import Understudy
import UnderstudyHTTP
import Testing
import UnderstudyRecording
import UnderstudyTesting

@testable import SharedServicesRecordings

@Suite(.stallLimit()) struct RecordedTests {
  /// A client that asks less than was recorded gets the answers that follow all the same.
  @Test func aRequestThatIsNotSentAnyMoreIsFound() async throws {
    let name = "children/children.delete.gone"
    let folder = try TemporaryFolder()
    var archive = try RecordingFolder.sharedServices().recording(named: name)
    let delete = try #require(archive.entries.first { $0.request.method == .delete })
    // The same request to another row: this client does not send it.
    var other = delete
    other.request["url"] = .string(delete.request.url + "0")
    archive.entries.append(other)
    let recordings = RecordingFolder.sharedServices(at: folder.url)
    try archive.write(to: recordings.file(named: name))
    let check = try #require(
      Contract.childrenService.checks(of: .recorded(in: recordings))
        .first { $0.clause.id == "children.delete.gone" })
    let messages = await check.outcome().violations.map(\.message)
    #expect(
      messages.contains {
        $0.contains("1 recorded exchange of the clause was not requested:")
          && $0.contains("entry \(archive.entries.count - 1): DELETE")
      })
  }

  /// The name of an app may have a space or a per cent sign.
  @Test func resourcesAreFoundInAnyFolder() throws {
    let folder = try TemporaryFolder(named: "My App 100% é")
    let bundle = folder.url.appending(path: "understudy_SharedServicesRecordings.bundle")
    try FileManager.default.createDirectory(
      at: bundle.appending(path: "children"), withIntermediateDirectories: true)
    #expect(RecordingsFolder.resources(in: [folder.url])?.lastPathComponent == bundle.lastPathComponent)
    #expect(RecordingsFolder.resources(in: []) == nil)
  }
}
