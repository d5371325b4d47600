import Foundation
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyTesting

@Suite(.stallLimit()) struct TrialsTests {
  @Test func everyConditionIsSetUpForADoubleAndForALiveService() async {
    let section = await Contract.noteService.report(on: [.inMemory, .live])
    for row in section.clauses {
      for cell in row.outcomes {
        #expect(cell.outcome == .passed, "\(row.id) on \(cell.implementation): \(cell.outcome)")
      }
    }
  }

  @Test func aNestedConditionEndsWithTheOuterOne() async throws {
    let contract = Contract<any NoteService>("nested") {
      Clause("nested.offline", "A client in two offline conditions is online after both.") { trial in
        try await trial.during(.offline) {
          try await trial.during(.offline) {
            await trial.expect(throws: NoteError.failed(.offline)) { try await trial.subject.notes() }
          }
          await trial.expect(throws: NoteError.failed(.offline)) { try await trial.subject.notes() }
        }
        trial.expect(try await trial.subject.notes(), equals: [])
      }
    }
    let section = await contract.report(on: [.inMemory])
    #expect(section.clauses[0].outcomes.map(\.outcome) == [.passed])
  }

  @Test func recordingsAreReplayedWithTheirConditions() async throws {
    try await withFolder { folder in
      let recording = Implementation<any NoteService>.recording(into: folder, over: NoteBackend()) {
        transport, _ in LiveNoteService(transport: transport)
      }
      let recorded = Implementation<any NoteService>.recorded(in: folder) { transport, _ in
        LiveNoteService(transport: transport)
      }
      for implementation in [recording, recorded] {
        let section = await Contract.noteService.report(on: [implementation])
        for row in section.clauses {
          #expect(row.outcomes.map(\.outcome) == [.passed], "\(row.id)")
        }
      }
    }
  }

  /// Catches a failure that is injected before the recorder, and is therefore not recorded.
  @Test func aFailureOfTheRecordedTransportIsRecorded() async throws {
    try await withFolder { folder in
      let full = Condition<Void>("the list is full")
      let contract = Contract<any NoteService>("full") {
        Clause("full.refused", "A note is refused while the list is full.") { trial in
          try await trial.during(full) {
            await trial.expect(throws: NoteError.busy(.seconds(7))) { try await trial.subject.add("Milk") }
            trial.expect(try await trial.subject.notes(), equals: [])
          }
          try await trial.subject.add("Milk")
        }
      }
      let recording = Implementation<any NoteService>.recording(into: folder, over: NoteBackend()) {
        transport, trial in
        trial.on(
          full, failing: transport, at: .post("/notes"), with: .rateLimited(retryAfter: .seconds(7)))
        return LiveNoteService(transport: transport)
      }
      let recorded = Implementation<any NoteService>.recorded(in: folder) { transport, _ in
        LiveNoteService(transport: transport)
      }
      for implementation in [recording, recorded] {
        let outcomes = await contract.report(on: [implementation]).clauses.flatMap(\.outcomes)
        #expect(outcomes.map(\.outcome) == [.passed])
      }
      let archive = try folder.recording(named: "full/full.refused")
      #expect(archive.entries.map(\.response.status) == [429, 200, 200])
    }
  }

  @Test func aReplayWithoutTheRecordedRequestsFails() async throws {
    try await withFolder { folder in
      let recording = Implementation<any NoteService>.recording(into: folder, over: NoteBackend()) {
        transport, _ in LiveNoteService(transport: transport)
      }
      _ = await Contract.noteService.report(on: [recording])
      // Passes the clause without a request.
      let cheat = Implementation<any NoteService>.recorded(in: folder) { _, _ in InMemoryNoteService() }
      let check = try #require(
        Contract.noteService.checks(of: cheat).first { $0.clause.id == "notes.add.listed" })
      let messages = await check.outcome().violations.map(\.message)
      #expect(messages.count == 1)
      #expect(
        messages[0].contains("  entry 0: ") && messages[0].contains("were not requested:")
          && messages[0].contains("make notes"))
    }
  }

  /// A client that sends a request again by mistake is caught, unless the implementation allows it.
  @Test func aRepeatedRequestFailsUnlessItIsAllowed() async throws {
    try await withFolder { folder in
      let recording = Implementation<any NoteService>.recording(into: folder, over: NoteBackend()) {
        transport, _ in LiveNoteService(transport: transport)
      }
      _ = await Contract.noteService.report(on: [recording])
      let check = { (repetition: ReplayingTransport.Repetition) in
        Contract.noteService.checks(
          of: .recorded(in: folder, repetition: repetition) { transport, _ in
            TwiceListing(base: LiveNoteService(transport: transport))
          }
        ).first { $0.clause.id == "notes.add.listed" }
      }
      let messages = try await #require(check(.fails)).outcome().violations.map(\.message)
      #expect(messages.first?.hasPrefix("No recorded response matches GET ") == true, "\(messages)")
      #expect(messages.first?.contains("(already used)") == true)
      #expect(try await #require(check(.repeatsLast)).outcome() == .passed)
    }
  }

  /// Reads the notes twice.
  private struct TwiceListing: NoteService {
    let base: LiveNoteService

    func add(_ note: String) async throws { try await base.add(note) }

    func notes() async throws -> [String] {
      _ = try await base.notes()
      return try await base.notes()
    }
  }

  /// The service maps the error of the replay, so the clause alone does not explain its failure.
  @Test func anUnansweredRequestPrecedesTheFailureOfItsClause() async throws {
    try await withFolder { folder in
      func contract(adding note: String) -> Contract<any NoteService> {
        Contract("changed") {
          Clause("changed.add", "A note can be added.") { trial in
            let isAdded = (try? await trial.subject.add(note)) != nil
            trial.expect(isAdded, equals: true)
          }
        }
      }
      let recording = Implementation<any NoteService>.recording(into: folder, over: NoteBackend()) {
        transport, _ in LiveNoteService(transport: transport)
      }
      _ = await contract(adding: "Milk").report(on: [recording])
      let recorded = Implementation<any NoteService>.recorded(in: folder) { transport, _ in
        LiveNoteService(transport: transport)
      }
      let check = try #require(contract(adding: "Bread").checks(of: recorded).first)
      let messages = await check.outcome().violations.map(\.message)
      #expect(messages.count == 2, "\(messages)")
      #expect(messages.first?.hasPrefix("No recorded response matches POST ") == true)
      #expect(messages.first?.contains("make notes") == true)
    }
  }

  @Test func aClauseWithoutARecordingReportsTheCommand() async throws {
    try await withFolder { folder in
      let recorded = Implementation<any NoteService>.recorded(in: folder) { transport, _ in
        LiveNoteService(transport: transport)
      }
      let messages = await Contract.noteService.checks(of: recorded)[0].outcome().violations.map(\.message)
      #expect(messages.count == 1)
      #expect(messages[0].contains("make notes"))
    }
  }

  private func withFolder(_ body: (RecordingFolder) async throws -> Void) async throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "notes-\(UUID())")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: url) }
    try await body(RecordingFolder(url, madeBy: "make notes"))
  }
}
