public import Notes
import Synchronization

/// The notes in memory, for previews and tests.
public final class InMemoryNotes: NotesService {
  private struct State {
    var notes: [Note] = []
    var changes: [Change] = []
    var nextID = 1
  }

  private let state = Mutex(State())

  /// No notes.
  public init() {}

  /// The notes.
  public func notes() async throws -> [Note] { state.withLock { $0.notes } }

  /// Stores a note.
  public func add(_ text: String) async throws -> Note {
    try state.withLock { state in
      let isTaken = state.notes.contains { $0.text.utf8.elementsEqual(text.utf8) }
      if isTaken { throw NotesError.duplicate }
      let note = Note(id: state.nextID, text: text)
      state.nextID += 1
      state.notes.append(note)
      state.changes.append(.added(note: note))
      return note
    }
  }

  /// Removes a note.
  public func remove(id: Note.ID) async throws {
    try state.withLock { state in
      guard let place = state.notes.firstIndex(where: { $0.id == id }) else { throw NotesError.notFound }
      state.notes.remove(at: place)
      state.changes.append(.removed(id: id))
    }
  }

  /// The changes until now.
  public func changes() -> AsyncThrowingStream<Change, any Error> {
    let changes = state.withLock { $0.changes }
    return AsyncThrowingStream { continuation in
      for change in changes + [.upToDate] { continuation.yield(change) }
      continuation.finish()
    }
  }
}
