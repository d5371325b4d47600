public import Foundation

/// The folder of the shared services' recordings, with one file for each clause of each contract.
public enum RecordingsFolder {
  /// The first candidate folder that exists, or else the folder of this file.
  ///
  /// The candidates are the resources beside the program or in its bundle when it was built by Swift Package Manager,
  /// the bundle of an app's framework, and the checkout.
  public static var url: URL {
    let own = Bundle(for: Marker.self)
    let roots = [
      Bundle.main.resourceURL, Bundle.main.bundleURL, own.resourceURL, own.bundleURL,
      own.bundleURL.deletingLastPathComponent(),
    ]
    return resources(in: roots.compactMap { $0 }) ?? source
  }

  /// The first bundle of this module's resources in one of the folders.
  static func resources(in roots: [URL]) -> URL? {
    let name = "understudy_SharedServicesRecordings"
    let endings = [".resources", ".bundle", ".bundle/Contents/Resources"]
    return roots.flatMap { root in endings.map { root.appending(path: name + $0) } }.first {
      // An app's name may contain a space, which must not be percent-encoded here.
      FileManager.default.fileExists(atPath: $0.appending(path: "children").path(percentEncoded: false))
    }
  }

  /// The folder in the checkout that the module was built from, in which recordings are written.
  public static var source: URL {
    URL(filePath: #filePath).deletingLastPathComponent()
  }

  private final class Marker {}
}
