public import Foundation
public import SharedServices
import SharedServicesRecordings
public import UnderstudyContracts
public import UnderstudyRecording

extension RecordingFolder {
  /// The recordings of the shared services.
  ///
  /// - Parameter folder: Where they are; `nil` is where this package has them.
  public static func sharedServices(at folder: URL? = nil) -> RecordingFolder {
    RecordingFolder(
      folder ?? RecordingsFolder.url,
      madeBy: "swift run shared-services verify --record"
        + (folder.map { " --recordings \($0.path(percentEncoded: false))" } ?? ""))
  }
}

extension Implementation where Subject == any AuthService {
  /// The live service over a replay, with a recording for each clause.
  public static func recorded(in folder: RecordingFolder) -> Self {
    SupabaseTrials.authentication.recorded(in: folder)
  }

  /// The live service over a replay of the recordings that come with this package.
  public static var recorded: Self { recorded(in: .sharedServices()) }

  /// The live service over the emulator, which writes a recording of each clause that it keeps.
  public static func recording(into folder: RecordingFolder) -> Self {
    SupabaseTrials.authentication.recording(into: folder)
  }
}

extension Implementation where Subject == any ChildrenService {
  /// The live service over a replay, with a recording for each clause.
  public static func recorded(in folder: RecordingFolder) -> Self {
    SupabaseTrials.children.recorded(in: folder)
  }

  /// The live service over a replay of the recordings that come with this package.
  public static var recorded: Self { recorded(in: .sharedServices()) }

  /// The live service over the emulator, which writes a recording of each clause that it keeps.
  public static func recording(into folder: RecordingFolder) -> Self {
    SupabaseTrials.children.recording(into: folder)
  }
}

extension Implementation where Subject == any ConversationService {
  /// The live service over a replay, with a recording for each clause.
  public static func recorded(in folder: RecordingFolder) -> Self {
    SupabaseTrials.conversations.recorded(in: folder)
  }

  /// The live service over a replay of the recordings that come with this package.
  public static var recorded: Self { recorded(in: .sharedServices()) }

  /// The live service over the emulator, which writes a recording of each clause that it keeps.
  public static func recording(into folder: RecordingFolder) -> Self {
    SupabaseTrials.conversations.recording(into: folder)
  }
}
