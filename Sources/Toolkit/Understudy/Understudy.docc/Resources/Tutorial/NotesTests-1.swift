import Notes
import Testing

@MainActor struct NotesTests {
  @Test func aSecondMilkChangesNothing() async {
    let screen = NotesViewModel(service: MockNotes())
    await screen.add("Milk")
    await screen.add("Milk")
    #expect(screen.notes.map(\.text) == ["Milk"])
    #expect(!screen.isLoading)
  }
}

private struct MockNotes: NotesService {
  func notes() async throws -> [Note] { [] }
  func add(_ text: String) async throws -> Note { Note(id: 1, text: text) }
  func remove(id: Note.ID) async throws {}
  func changes() -> AsyncThrowingStream<Change, any Error> { AsyncThrowingStream { $0.finish() } }
}
