// Error: argument type 'Intercepted<InMemoryNotes>' does not conform to expected type 'NoteService'
import Understudy

protocol NoteService: Sendable { func notes() async throws -> [String] }

struct InMemoryNotes: NoteService { func notes() -> [String] { [] } }

func show(_ service: any NoteService) { print(service) }

func test() { show(Intercepted(InMemoryNotes())) }
