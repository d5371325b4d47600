/// A protocol in a type, whose error is beside it.
public enum Chat {
  /// Sends and reads messages.
  public protocol Transport: Sendable {
    func send(_ message: Message) async throws(Chat.Failure) -> Message.ID
    func history(before id: Message.ID?, limit: Int) async throws(Chat.Failure) -> [Message]
    nonisolated(nonsending) func typing(in room: String) async throws(Chat.Failure)
  }

  /// A message.
  public struct Message: Hashable, Sendable, Identifiable {
    /// The type of its identifier.
    public typealias ID = String

    /// The identifier.
    public let id: ID
    /// The text.
    public let text: String

    /// A message.
    public init(id: ID, text: String) {
      self.id = id
      self.text = text
    }
  }

  /// Why it failed.
  public enum Failure: Error, Hashable {
    case loggedOut, banned, roomNotFound, noInternet, connectionLost, slowDown, somethingElse
  }
}
