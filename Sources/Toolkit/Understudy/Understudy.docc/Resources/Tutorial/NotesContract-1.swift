public import Notes
public import Understudy

extension Contract where Subject == any NotesService {
  /// What every `NotesService` must do.
  public static var notesService: Self {
    Contract("notes") {
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
    }
  }
}
