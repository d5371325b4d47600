public import Notes
public import Understudy

extension Condition where Fixture == Void {
  /// The server accepts the token no longer (401).
  public static var sessionExpired: Self { Condition("the session has expired") }
  /// The connection of the feed breaks after the first change.
  public static var feedBreaks: Self { Condition("the feed breaks after one change") }
}

extension Contract where Subject == any NotesService {
  /// What every `NotesService` must do.
  public static var notesService: Self {
    Contract("notes") {
      Clause("notes.add.listed", "A note that was added is listed last.") { trial in
        let milk = try await trial.subject.add("Milk")
        let bread = try await trial.subject.add("Bread")
        trial.expect([milk.text, bread.text], equals: ["Milk", "Bread"], "the texts")
        trial.expect(try await trial.subject.notes(), equals: [milk, bread], "the notes")
      }
      Clause("notes.add.text", "A text is stored as it was typed, scalar for scalar.") { trial in
        let text = " Cafe\u{301} "
        let note = try await trial.subject.add(text)
        for found in [note] + (try await trial.subject.notes()) {
          trial.expect(Array(found.text.unicodeScalars), equals: Array(text.unicodeScalars), "the text")
        }
      }
      Clause("notes.add.duplicate", "A second note with the same text is refused.") { trial in
        let milk = try await trial.subject.add("Milk")
        await trial.expect(throws: NotesError.duplicate) { try await trial.subject.add("Milk") }
        trial.expect(try await trial.subject.notes(), equals: [milk], "the notes")
      }
      Clause("notes.remove.gone", "A removed note is not listed and cannot be removed again.") { trial in
        let milk = try await trial.subject.add("Milk")
        let bread = try await trial.subject.add("Bread")
        try await trial.subject.remove(id: milk.id)
        trial.expect(try await trial.subject.notes(), equals: [bread], "the notes")
        try await trial.subject.remove(id: bread.id)
        trial.expect(try await trial.subject.notes(), equals: [], "the notes after the second removal")
        await trial.expect(throws: NotesError.notFound) { try await trial.subject.remove(id: milk.id) }
      }
      Clause("notes.changes.order", "The changes arrive in order, and end when none is missing.") { trial in
        let milk = try await trial.subject.add("Milk")
        try await trial.subject.remove(id: milk.id)
        trial.expect(
          await Feed(of: trial.subject),
          equals: Feed(changes: [.added(note: milk), .removed(id: milk.id), .upToDate]), "the feed")
      }
      Clause("notes.changes.broken", "What arrives before a break is delivered, and then the failure.") {
        trial in
        let milk = try await trial.subject.add("Milk")
        try await trial.given(.feedBreaks)
        trial.expect(
          await Feed(of: trial.subject),
          equals: Feed(changes: [.added(note: milk)], error: .connectionLost), "the feed")
      }
      Clause("notes.session.expired", "Without a session every call says so, and nothing is stored.") {
        trial in
        try await trial.given(.sessionExpired)
        await trial.expect(throws: NotesError.sessionExpired) { try await trial.subject.add("Milk") }
        await trial.expect(throws: NotesError.sessionExpired) { try await trial.subject.notes() }
        trial.expect(await Feed(of: trial.subject), equals: Feed(error: .sessionExpired), "the feed")
      }
      Clause("notes.failure.offline", "Without a network every call says that the user is offline.") {
        trial in
        try await trial.given(.offline)
        await trial.expect(throws: NotesError.offline) { try await trial.subject.notes() }
        trial.expect(await Feed(of: trial.subject), equals: Feed(error: .offline), "the feed")
      }
      Clause("notes.failure.server", "A failure of the server is reported as one.") { trial in
        try await trial.given(.serverFails)
        await trial.expect(throws: NotesError.unavailable) { try await trial.subject.notes() }
        trial.expect(await Feed(of: trial.subject), equals: Feed(error: .unavailable), "the feed")
      }
    }
  }
}

/// What a reader of the changes receives.
public struct Feed: Equatable, Sendable, CustomStringConvertible {
  private var changes: [Change]
  private var error: NotesError?

  init(changes: [Change] = [], error: NotesError? = nil) {
    self.changes = changes
    self.error = error
  }

  /// Reads the changes of a service.
  public init(of service: any NotesService) async {
    self.init()
    do {
      for try await change in service.changes() { changes.append(change) }
    } catch {
      self.error = error as? NotesError ?? (error is CancellationError ? .cancelled : .unavailable)
    }
  }

  /// The changes and the error.
  public var description: String { "\(changes), \(error.map { "\($0)" } ?? "end")" }
}
