import Foundation

/// A file that a command was told to read.
struct InputFile: Sendable {
  /// As it was written.
  let path: String

  var url: URL { URL(filePath: path, directoryHint: .notDirectory) }

  /// A file that is there and can be read.
  init(_ path: String) throws(CommandError) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw CommandError("There is no file \(path) in \(FileManager.default.currentDirectoryPath).")
    }
    guard !isFolder.boolValue else { throw CommandError("\(path) is a folder, and a file is needed.") }
    guard FileManager.default.isReadableFile(atPath: path) else {
      throw CommandError("\(path) may not be read by this user.")
    }
    self.path = path
  }

  /// A file of which something is known to be there.
  init(unchecked path: String) {
    self.path = path
  }

  /// All that is in it.
  func contents() throws(CommandError) -> Data {
    do {
      return try Data(contentsOf: url)
    } catch {
      throw CommandError("\(path) cannot be read: \(error.localizedDescription)")
    }
  }
}
