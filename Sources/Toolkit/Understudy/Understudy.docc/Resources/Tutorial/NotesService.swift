/// The notes of the user who is signed in.
public protocol NotesService: Sendable {
  /// All notes, the oldest first.
  func notes() async throws -> [Note]

  /// Stores a note.
  ///
  /// - Throws: `NotesError.duplicate` if there is one with this text.
  func add(_ text: String) async throws -> Note

  /// Removes a note.
  ///
  /// - Throws: `NotesError.notFound` if it does not exist.
  func remove(id: Note.ID) async throws

  /// Every change from the first one on, and then `.upToDate`, with which the stream ends.
  func changes() -> AsyncThrowingStream<Change, any Error>
}

/// A note.
public struct Note: Codable, Hashable, Identifiable, Sendable {
  /// The identifier, from the server.
  public let id: Int
  /// The text, unique among the notes of a user.
  public let text: String

  /// A note.
  public init(id: Int, text: String) {
    self.id = id
    self.text = text
  }
}

/// A change of the notes; on the wire a line such as `{"removed":{"id":1}}`.
public enum Change: Codable, Hashable, Sendable {
  case added(note: Note)
  case removed(id: Note.ID)
  /// No change is missing.
  case upToDate
}

/// Why a call failed.
public enum NotesError: Error, Hashable, Sendable {
  case sessionExpired, duplicate, notFound
  case offline, timedOut, connectionLost, unreadable, unavailable, cancelled

  /// The message for the user.
  public var message: String {
    switch self {
    case .sessionExpired: "Please sign in again."
    case .duplicate: "You have this note already."
    case .notFound: "This note does not exist any more."
    case .offline: "You are offline."
    case .timedOut, .connectionLost: "The connection is bad. Please try again."
    case .unreadable, .unavailable: "The server has a problem. Please try again later."
    case .cancelled: "Cancelled."
    }
  }
}
