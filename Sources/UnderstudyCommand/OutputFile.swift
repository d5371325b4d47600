import Foundation

/// A file that a command was told to write.
struct OutputFile: Sendable {
  let url: URL

  /// A file at a path as it was written; it and its folder need not be there.
  init(_ path: String) {
    url = URL(filePath: path, directoryHint: .notDirectory)
  }

  init(_ url: URL) {
    self.url = url
  }

  var path: String { url.path(percentEncoded: false) }

  /// Writes all of it at once, with the folders that it needs.
  func write(_ text: String) throws(CommandError) {
    do {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url, options: .atomic)
    } catch {
      throw CommandError("\(path) cannot be written: \(error.localizedDescription)")
    }
  }
}
