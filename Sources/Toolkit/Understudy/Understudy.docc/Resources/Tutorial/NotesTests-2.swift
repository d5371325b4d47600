import Notes
import NotesDoubles
import Testing

@MainActor struct NotesTests {
  @Test func aSecondMilkIsRefused() async {
    let screen = NotesViewModel(service: InMemoryNotes())
    await screen.add("Milk")
    await screen.add("Milk")
    #expect(screen.notes.map(\.text) == ["Milk"])
    #expect(!screen.isLoading)
    #expect(screen.message == "You have this note already.")
  }
}
