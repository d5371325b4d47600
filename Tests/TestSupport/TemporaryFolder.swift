package import Foundation

/// A temporary folder for one test, which is removed when this object is released.
package final class TemporaryFolder: Sendable {
  package let url: URL

  package init(named name: String = "folder") throws {
    url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).appending(path: name)
    // For this user alone, whatever the umask is.
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit {
    try? FileManager.default.removeItem(at: url.deletingLastPathComponent())
  }

  package var path: String { url.path(percentEncoded: false) }

  package var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }

  package func file(_ name: String) -> URL { url.appending(path: name, directoryHint: .notDirectory) }

  package func read(_ name: String) throws -> String { try String(contentsOf: file(name), encoding: .utf8) }

  package func write(_ text: String, to name: String) throws { try Data(text.utf8).write(to: file(name)) }
}
