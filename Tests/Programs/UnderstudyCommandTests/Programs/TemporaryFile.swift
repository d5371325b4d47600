import Foundation
import UnderstudyRecording

/// A file that is removed with its last reference.
final class TemporaryFile: Sendable {
  let path: String

  init(_ data: Data, named name: String = "recording.har") throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let url = folder.appending(path: name)
    try data.write(to: url)
    path = url.path(percentEncoded: false)
  }

  convenience init(_ text: String) throws {
    try self.init(Data(text.utf8))
  }

  /// The file of a recording.
  convenience init(_ entries: HTTPArchive.Entry..., change: (inout HTTPArchive) -> Void = { _ in }) throws {
    var archive = HTTPArchive(log: .init(entries: entries))
    change(&archive)
    try self.init(archive.data)
  }

  deinit {
    try? FileManager.default.removeItem(at: URL(filePath: path).deletingLastPathComponent())
  }
}
