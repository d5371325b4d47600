// Error: requires that 'NoteError' conform to 'Equatable'
import Understudy

struct Note: Sendable { var text: String }

enum NoteError: Error { case refused(any Error), other }

protocol NoteService: Sendable { func add(_ text: String) async throws -> Note }

extension Contract where Subject == any NoteService {
  static var notes: Self {
    Contract("notes") {
      Clause("notes.add", "A note has its text.") { trial in
        await trial.expect(throws: NoteError.other) { try await trial.subject.add("Milk") }
      }
    }
  }
}
