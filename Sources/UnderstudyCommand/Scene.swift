/// A part of a demonstration: something that is done, and shown to somebody who has never seen the package.
public struct Scene: Sendable {
  let title: String
  let play: @Sendable (Console) async throws -> Void

  /// A scene.
  ///
  /// - Parameters:
  ///   - title: What it shows, in a few words.
  ///   - play: Does it and writes what there is to see. What it throws fails the demonstration.
  public init(_ title: String, play: @escaping @Sendable (Console) async throws -> Void) {
    self.title = title
    self.play = play
  }
}
