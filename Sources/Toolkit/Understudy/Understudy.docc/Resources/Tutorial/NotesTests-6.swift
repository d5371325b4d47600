import Notes
import NotesContracts
import NotesDoubles
import Testing
import Understudy
import UnderstudyTesting

@MainActor struct NotesTests {
  @Test(arguments: Contract.notesService.checks(of: .inMemory, .live))
  nonisolated func honours(_ check: ContractCheck<any NotesService>) async throws { try await check.run() }

  /// Each mutant of the double changes one thing that a method does.
  @Test func theContractNoticesEveryMutant() async throws {
    try await Contract.notesService.survivors(of: .inMemory, through: .notesService).check()
  }

  private nonisolated static let messages: [(Fault, String)] = [
    (.unauthorized, "Please sign in again."),
    (.conflict, "You have this note already."),
    (.offline, "You are offline."),
    (.timeout, "The connection is bad. Please try again."),
    (.serverError, "The server has a problem. Please try again later."),
  ]

  @Test(arguments: messages) func aFailureEndsInItsMessage(_ fault: Fault, _ message: String) async {
    let service = Intercepted(
      InMemoryNotes(), by: .faults(.on(.add, fault)), time: TestClock(.immediate).time)
    let screen = NotesViewModel(service: service)
    await screen.add("Milk")
    #expect(screen.message == message)
    #expect(!screen.isLoading)
  }
}
