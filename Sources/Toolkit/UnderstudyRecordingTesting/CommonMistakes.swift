public import Testing

// Overloads for common mistakes; see the file of this name in Understudy.

extension Trait where Self == RecordingTrait {
  /// A recording without its name.
  @available(
    *, unavailable, message: "Write the name of the recording: .recording(\"todos/add\", in: .module)."
  )
  public static var recording: Self { fatalError() }
}

extension Trait where Self == RecordingsTrait {
  /// A recording of a suite.
  @available(
    *, unavailable,
    message:
      "Each test of a suite has its own recording, in a folder: write .recordings(\"todos\", in: .module)."
  )
  public static func recording(_ name: String) -> Self { fatalError() }
}
