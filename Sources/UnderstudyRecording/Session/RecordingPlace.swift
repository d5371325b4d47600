public import Foundation

/// The locations of a test's recording, to read and to write it.
///
/// It is written beside the test's source, to `Recordings/<name>.har`, and read there while that folder exists. On a
/// device or another machine it is read from the resources of a bundle, as copied by the package manager or Xcode: from
/// `Recordings/`, or by the last component of its name.
package struct RecordingPlace: Sendable, Hashable {
  /// The name without its file extension, such as `children/create`.
  package let name: String
  /// The command that creates a missing recording.
  package let command: String
  /// The file to write.
  package let source: URL
  /// The alternative files to read, in order of preference.
  package let resources: [URL]

  /// Creates a place beside a source file.
  ///
  /// - Parameters:
  ///   - bundle: The bundle with the recordings as resources, such as `.module`; `nil` for none.
  ///   - filePath: The source file of the test.
  ///   - command: The command that creates the recording.
  package init(_ name: String, in bundle: Bundle? = nil, besides filePath: String, madeBy command: String) {
    self.name = name
    self.command = command
    source = Self.file(
      "Recordings/" + name,
      in: URL(filePath: filePath, directoryHint: .notDirectory).deletingLastPathComponent())
    let last = String(name.split(separator: "/").last ?? "")
    resources =
      (bundle?.resourceURL).map { folder in
        ["Recordings/" + name, name, last].map { Self.file($0, in: folder) }
      } ?? []
  }

  /// Creates a place of a file that is both read and written.
  package init(file: URL, madeBy command: String) {
    name = file.deletingPathExtension().lastPathComponent
    self.command = command
    source = file
    resources = []
  }

  private static func file(_ name: String, in folder: URL) -> URL {
    folder.appending(path: name + ".har", directoryHint: .notDirectory)
  }
}
