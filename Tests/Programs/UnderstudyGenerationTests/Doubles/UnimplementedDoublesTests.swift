import GenerationFixtures
import Testing
import Understudy
import UnderstudyTesting

// The unimplemented doubles in Generated.
@Suite(.stallLimit()) struct UnimplementedDoublesTests {
  // Catches a default that succeeds, traps, or does not name the missing requirement.
  @Test func requirementsWithoutAClosureThrowAnErrorWithTheirName() async {
    await withKnownIssue {
      await expectErrors()
    } matching: {
      Self.isUnimplemented($0)
    }
  }

  /// Whether an issue is about a call of a requirement without a closure.
  private static func isUnimplemented(_ issue: Issue) -> Bool {
    "\(issue)".contains("is not implemented by this double.")
  }

  private func expectErrors() async {
    let source = UnimplementedSource()
    await #expect(
      throws: TodoError.unavailable(
        "Shelf.Source.take() is not implemented by this double. Set onTake.")
    ) { try await source.take() }
    await #expect(
      throws: TodoError.unavailable("Loose.run() is not implemented by this double. Set onRun.")
    ) { try await UnimplementedLoose().run() }
    let error = await #expect(throws: TodoError.self) { try await UnimplementedCoding().encode(1) }
    #expect(
      "\(error as Any)".contains("Coding.encode(_:) is not implemented by this double. Write this method"))
    let beacon = UnimplementedBeacon(onColour: { "red" })
    await #expect(
      throws: TodoError.unavailable("Beacon.blink(_:) is not implemented by this double. Set onBlink.")
    ) { try await beacon.blink(1) }
    #expect(beacon.colour() == "red")
  }

  @Test func aStreamThatIsNotImplementedFailsWithAnErrorThatNamesIt() async {
    let feed = UnimplementedFeed(
      live: AsyncThrowingStream { $0.finish() }, onSteady: { AsyncStream { $0.finish() } })
    await withKnownIssue {
      await #expect(
        throws: TodoError.unavailable(
          "Feed.immediate(_:) is not implemented by this double. Set onImmediate.")
      ) {
        for try await _ in feed.immediate(1) {}
      }
      await #expect(
        throws: TodoError.unavailable("Feed.eventual() is not implemented by this double. Set onEventual.")
      ) {
        for try await _ in await feed.eventual() {}
      }
    } matching: {
      Self.isUnimplemented($0)
    }
  }

  @Test func aTestImplementsOnlyWhatItUses() async throws {
    var source = UnimplementedSource()
    source.onTake = { Todo(title: "given") }
    let service = Intercepted(source, by: .faults(.on(.take, call: 2, .conflict)))
    #expect(try await service.take() == Todo(title: "given"))
    await #expect(throws: TodoError.duplicate) { try await service.take() }
    let beacon = UnimplementedBeacon(
      onBlink: { _ throws(TodoError) in throw .duplicate }, onColour: { "red" })
    await #expect(throws: TodoError.duplicate) { try await beacon.blink(1) }
  }

  // Catches members of an inherited protocol that are missing, or that call each other's closures.
  @Test func inheritedRequirementsHaveClosuresToo() async throws {
    var door = UnimplementedDoor(onClose: {})
    door.onClosings = { 4 }
    #expect(try await door.closings == 4)
    await withKnownIssue {
      await #expect(
        throws: TodoError.unavailable("Door.open() is not implemented by this double. Set onOpen.")
      ) { try await door.open() }
    } matching: {
      Self.isUnimplemented($0)
    }
  }

  @Test func associatedTypesAreChosenByTheTest() async throws {
    var repository = UnimplementedRepository<String, Int>(onFirst: { _ in "first" })
    repository.onAll = { ["all"] }
    #expect(try await repository.all() == ["all"])
    #expect(await repository.first { _ in false } == "first")
  }

  @MainActor @Test func aClassOnTheMainActorCanBeSet() async throws {
    let screen = UnimplementedNoteScreen(title: "title", onShown: { ["shown"] })
    screen.onSave = { $0.count }
    screen.title = "other"
    #expect(try await screen.save("note") == 4)
    #expect(screen.title == "other")
    #expect(screen.shown() == ["shown"])
  }
}
