public import Observation

/// The notes on a screen.
@MainActor @Observable public final class NotesViewModel {
  /// What is shown.
  public private(set) var notes: [Note] = []
  /// Whether a call is in progress.
  public private(set) var isLoading = false
  /// What went wrong last; the next action clears it.
  public private(set) var message: String?

  private let service: any NotesService

  /// A screen over a service.
  public init(service: any NotesService) {
    self.service = service
  }

  /// Replays the changes; those that arrive before a failure are shown.
  public func refresh() async {
    await act {
      notes = []
      for try await change in service.changes() { apply(change) }
    }
  }

  /// Adds a note.
  public func add(_ text: String) async {
    await act { apply(.added(note: try await service.add(text))) }
  }

  /// Removes a note; it is shown until the service has removed it.
  public func remove(_ note: Note) async {
    await act {
      try await service.remove(id: note.id)
      apply(.removed(id: note.id))
    }
  }

  private func apply(_ change: Change) {
    switch change {
    case .added(let note): if !notes.contains(note) { notes.append(note) }
    case .removed(let id): notes.removeAll { $0.id == id }
    case .upToDate: break
    }
  }

  private func act(_ body: () async throws -> Void) async {
    isLoading = true
    message = nil
    defer { isLoading = false }
    do {
      try await body()
    } catch NotesError.cancelled {
    } catch is CancellationError {
    } catch {
      message = (error as? NotesError ?? .unavailable).message
    }
  }
}
