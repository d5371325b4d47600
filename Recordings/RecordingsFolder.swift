public import Foundation

/// Where the recordings of the shared services are: a file for each clause of each contract.
public enum RecordingsFolder {
  /// The first of the places where they can be that is there, or else this file's own folder.
  ///
  /// Beside the program or in its resources when it was built by the Swift package manager, in the bundle of an app's
  /// framework, or in the checkout.
  public static var url: URL {
    let own = Bundle(for: Marker.self)
    let roots = [
      Bundle.main.resourceURL, Bundle.main.bundleURL, own.resourceURL, own.bundleURL,
      own.bundleURL.deletingLastPathComponent(),
    ]
    return resources(in: roots.compactMap { $0 }) ?? source
  }

  /// The first bundle of this module's resources that lies in one of the folders.
  static func resources(in roots: [URL]) -> URL? {
    let name = "understudy_SharedServicesRecordings"
    let endings = [".resources", ".bundle", ".bundle/Contents/Resources"]
    return roots.flatMap { root in endings.map { root.appending(path: name + $0) } }.first {
      // An app's name may have a space, which must stay one here.
      FileManager.default.fileExists(atPath: $0.appending(path: "children").path(percentEncoded: false))
    }
  }

  /// The folder in the checkout that this was built from: where recordings are made.
  public static var source: URL {
    URL(filePath: #filePath).deletingLastPathComponent()
  }

  private final class Marker {}
}
