// Error: is unavailable: Intercepted<Base> is not the service type.
import Understudy

protocol NoteService: Sendable { func notes() async throws -> [String] }

struct InMemoryNotes: NoteService { func notes() -> [String] { [] } }

extension Implementation where Subject == any NoteService {
  static var inMemory: Self { .double("in-memory", InMemoryNotes()) { $0 } }
}
