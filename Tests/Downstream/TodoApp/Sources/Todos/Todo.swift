/// Something to do.
public struct Todo: Sendable, Hashable, Codable, Identifiable {
  /// What the server calls it.
  public let id: Int
  /// What is to be done; unique.
  public var title: String
  /// Whether it is done.
  public var isDone: Bool

  /// Something to do.
  public init(id: Int, title: String, isDone: Bool = false) {
    self.id = id
    self.title = title
    self.isDone = isDone
  }
}
