package import Foundation
import UnderstudyText

/// A file that a command reads, or a stream: standard input, or a pipe of the shell.
package struct InputFile: Sendable {
  /// The path, as specified by the user.
  package let path: String
  /// The contents of a stream, which can be read only once; `nil` for a file.
  package let streamed: Data?

  package var url: URL { URL(filePath: path, directoryHint: .notDirectory) }

  /// Creates a reference to a file, which must exist and be readable; reads a stream to its end.
  ///
  /// - Parameter path: The path; `-` for standard input.
  package init(_ path: String) throws(CommandError) {
    if Self.isStream(path) {
      self.path = path
      streamed = try Self.contents(ofStream: path)
      return
    }
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw CommandError("File not found: \(path) (in \(FileManager.default.currentDirectoryPath)).")
    }
    guard !isFolder.boolValue else { throw CommandError("\(path) is a folder, not a file.") }
    guard FileManager.default.isReadableFile(atPath: path) else {
      throw CommandError("\(path) cannot be read: permission denied.")
    }
    self.path = path
    streamed = nil
  }

  /// Creates a reference to a file that was checked in another way.
  package init(unchecked path: String) {
    self.path = path
    streamed = nil
  }

  /// Whether a path is standard input, another open file of the process, or a named pipe.
  private static func isStream(_ path: String) -> Bool {
    if ["-", "/dev/stdin"].contains(path) || path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/self/fd/") {
      return true
    }
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }

  private static func contents(ofStream path: String) throws(CommandError) -> Data {
    do {
      let isStandardInput = path == "-" || path == "/dev/stdin"
      let handle =
        isStandardInput
        ? FileHandle.standardInput : try FileHandle(forReadingFrom: URL(filePath: path))
      return try handle.readToEnd() ?? Data()
    } catch {
      throw CommandError("\(path) cannot be read: \(error.localizedDescription)")
    }
  }

  /// Returns the contents.
  package func contents() throws(CommandError) -> Data {
    if let streamed { return streamed }
    do {
      return try Data(contentsOf: url)
    } catch {
      throw CommandError("\(path) cannot be read: \(error.localizedDescription)")
    }
  }
}

/// A file that a command writes.
package struct OutputFile: Sendable {
  package let url: URL

  /// Creates a reference to a file, which may be missing, and so may its folder.
  package init(_ path: String) {
    url = URL(filePath: path, directoryHint: .notDirectory)
  }

  package init(_ url: URL) {
    self.url = url
  }

  package var path: String { url.path(percentEncoded: false) }

  /// Writes the whole file atomically, and creates missing folders.
  package func write(_ text: String) throws(CommandError) { try write(Data(text.utf8)) }

  /// Writes the whole file atomically, and creates missing folders.
  package func write(_ contents: Data) throws(CommandError) {
    do {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      // A device, such as /dev/null, is written to, and not replaced by a file.
      let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
      let isFile = [nil, .typeRegular, .typeSymbolicLink].contains(type)
      try contents.write(to: url, options: isFile ? .atomic : [])
    } catch {
      throw CommandError(writing: path, error)
    }
  }
}

extension CommandError {
  /// The arguments of the plugin, in whose sandbox this program runs; `nil` on Linux, where SwiftPM has none.
  private static var pluginArguments: String? {
    #if os(macOS)
      ProcessInfo.processInfo.environment["UNDERSTUDY_PLUGIN_ARGUMENTS"]
    #else
      nil
    #endif
  }

  /// Creates an error for a file that cannot be written.
  ///
  /// On macOS, SwiftPM runs a plugin and its programs in a sandbox, which forbids writing with EPERM unless the user permits
  /// it. The message then has the command that does.
  ///
  /// - Parameter arguments: Those of `swift package understudy`, one in a line, if its plugin runs this program.
  package init(
    writing path: String, _ error: any Error, cause: (any Error)? = nil,
    pluginArguments arguments: String? = Self.pluginArguments
  ) {
    var text = "\(path) cannot be written: \(error.localizedDescription)"
    if let arguments, ((cause ?? error) as NSError).isNotPermitted {
      let folder = URL(filePath: path).deletingLastPathComponent().standardizedFileURL.plainPath
      // The plugin runs in the folder of the package.
      let package = FileManager.default.currentDirectoryPath
      let isInPackage = "\(folder)/".hasPrefix("\(package)/")
      let permission =
        isInPackage
        ? "--allow-writing-to-package-directory" : "--allow-writing-to-directory \(Words.shell(folder))"
      let words = arguments.split(separator: "\n", omittingEmptySubsequences: false).map {
        Words.shell(String($0))
      }
      text +=
        " SwiftPM lets no plugin write there without: swift package \(permission) understudy \(words.joined(separator: " "))"
    }
    self.init(text)
  }
}

extension NSError {
  /// Whether the system refuses an operation itself, in contrast to the permissions of a file.
  fileprivate var isNotPermitted: Bool {
    if domain == NSPOSIXErrorDomain { return code == Int(EPERM) }
    return (userInfo[NSUnderlyingErrorKey] as? NSError)?.isNotPermitted ?? false
  }
}

extension URL {
  /// The path of a file in the form of system calls.
  package var plainPath: String { path(percentEncoded: false) }
}
