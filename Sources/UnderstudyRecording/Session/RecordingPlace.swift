public import Foundation

/// Where the recording of a test is read, and where it is made.
///
/// It is made beside the source of the test, in `Recordings/<name>.har`, and there it is read too, as long as that folder
/// is there. On a device or on another machine it comes from the resources of a bundle, where it lies as the package
/// manager or Xcode put it: in `Recordings/`, or by its last name alone.
public struct RecordingPlace: Sendable, Hashable {
  /// The name without its ending, such as `children/create`.
  public let name: String
  /// What makes it, for whoever misses it.
  public let command: String
  /// Where it is made.
  public let source: URL
  /// Where it may be instead, the likeliest place first.
  public let resources: [URL]

  /// A place.
  ///
  /// - Parameters:
  ///   - bundle: The bundle that has the recordings as resources, such as `.module`; `nil` is none.
  ///   - filePath: The source file of the test.
  ///   - command: What makes the recording.
  public init(_ name: String, in bundle: Bundle? = nil, besides filePath: String, madeBy command: String) {
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

  /// A file, which is read and made in the same place.
  public init(file: URL, madeBy command: String) {
    name = file.deletingPathExtension().lastPathComponent
    self.command = command
    source = file
    resources = []
  }

  private static func file(_ name: String, in folder: URL) -> URL {
    folder.appending(path: name + ".har", directoryHint: .notDirectory)
  }
}
