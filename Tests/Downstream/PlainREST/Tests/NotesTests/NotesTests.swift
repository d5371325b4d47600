import Notes
import NotesContracts
import NotesDoubles
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyTesting

@MainActor struct NotesTests {
  @Test(arguments: Contract.notesService.checks(of: .inMemory, .live, .recorded()))
  nonisolated func honours(_ check: ContractCheck<any NotesService>) async throws { try await check.run() }

  /// Each mutant of the double changes one thing that a method does.
  @Test func theContractNoticesEveryMutant() async throws {
    try await Contract.notesService.survivors(of: .inMemory, through: .notesService).check()
  }

  /// The double and the client report the same whatever happens to the feed.
  @Test(arguments: Fault.all(of: .stream))
  nonisolated func aFaultOfTheFeedLooksTheSame(_ fault: Fault) async throws {
    let time = TestClock(.immediate).time
    // Some faults of the catalogue are about bytes, which a double does not have.
    let double = Intercepted(InMemoryNotes(), by: .faults(.on(.changes, fault).optional), time: time)
    let transport = Intercepted(
      InProcessTransport(to: NotesBackend(), time: time), by: .faults(.on(.get("/changes"), fault)),
      time: time)
    let client = NotesClient(over: transport)
    for text in ["Milk", "Brötchen"] {
      _ = try await double.add(text)
      _ = try await client.add(text)
    }
    #expect(await Feed(of: double) == Feed(of: client))
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
    let timeline = StateTimeline(of: NotesViewModel(service: service)) { Shown($0) }
    await timeline.subject.add("Milk")
    #expect(timeline.states == [.notes([]), .loading, .message(message)])
  }

  @Test func whatArrivesBeforeABreakIsShown() async {
    let service = Intercepted(InMemoryNotes(), by: .faults(.on(.changes, .dropStream(afterEvents: 1))))
    let screen = NotesViewModel(service: service)
    await screen.add("Milk")
    await screen.add("Bread")
    await screen.refresh()
    #expect(screen.notes.map(\.text) == ["Milk"])
    #expect(screen.message == "The connection is bad. Please try again.")
  }

  @Test func theScreenIsRightWhateverFails() async throws { try await Scenario.notes.sweep() }

  /// The sweep found this one.
  @Test func aCancelledAddIsNotAnError() async throws {
    try await Scenario.notes.run(under: [.at("notes.add", call: 1, .cancelled)])
  }
}

private enum Shown: Equatable {
  case notes([String]), loading, message(String)

  @MainActor init(_ screen: NotesViewModel) {
    self =
      screen.isLoading ? .loading : screen.message.map { .message($0) } ?? .notes(screen.notes.map(\.text))
  }
}
