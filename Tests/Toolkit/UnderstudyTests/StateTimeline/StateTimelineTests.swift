import Observation
import TestSupport
import Testing
import Understudy
import UnderstudyTesting

@MainActor @Suite(.stallLimit()) struct StateTimelineTests {
  enum Shown: Equatable, Sendable {
    case idle, loading, done(Int), failed(String)
  }

  @Observable @MainActor final class SaveModel {
    var isLoading = false
    var result: Int?
    var message: String?
    var unrelated = 0
    private let todos: any TodoService

    init(_ todos: any TodoService) {
      self.todos = todos
    }

    func save() async {
      message = nil
      isLoading = true
      do {
        _ = try await todos.add("Milk", priority: 1)
        result = try await todos.titles().count
      } catch {
        message = "failed"
      }
      isLoading = false
    }

    func saveAtOnce() async {
      isLoading = true
      result = 1
      isLoading = false
    }
  }

  static func shown(_ model: SaveModel) -> Shown {
    if model.isLoading { return .loading }
    if let message = model.message { return .failed(message) }
    return model.result.map(Shown.done) ?? .idle
  }

  @Test(arguments: [true, false]) func aModelThatSuspendsShowsEachState(keepingWrites: Bool) async {
    for _ in 0..<1000 {
      let model = SaveModel(InMemoryTodos())
      let timeline = StateTimeline(of: model, keepingWrites: keepingWrites) { Self.shown($0) }
      await timeline.subject.save()
      #expect(timeline.states == [.idle, .loading, .done(1)])
    }
  }

  /// Catches a wait that ends at a time limit without the reason why the state was not seen.
  @Test func aWaitForAnOverwrittenStateNamesIt() async throws {
    let timeline = StateTimeline(of: SaveModel(InMemoryTodos())) { Self.shown($0) }
    let waiting = Task { try await timeline.wait(for: .loading) }
    // The main actor runs its jobs in order, so the wait has begun.
    await Task { @MainActor in }.value
    await timeline.subject.saveAtOnce()
    #expect(timeline.states == [.idle, .done(1)])
    waiting.cancel()
    let error = await #expect(throws: UnderstudyError.self) { try await waiting.value }
    #expect(error?.code == .stateNotShown && error?.cause is CancellationError)
    #expect(error?.description.contains("was never shown: loading") == true)
    #expect(error?.description.contains("Shown: idle → done(1)") == true)
  }

  @Test func aModelThatFailsShowsItsMessage() async {
    for fault in [Fault.conflict, .timeout, .answerLost] {
      let todos = Intercepted(InMemoryTodos(), by: .faults(.on(.add, fault)))
      let timeline = StateTimeline(of: SaveModel(todos)) { Self.shown($0) }
      await timeline.subject.save()
      #expect(timeline.states == [.idle, .loading, .failed("failed")])
    }
  }

  @Test func aModelThatNeverSuspendsShowsOnlyItsLastState() async {
    for _ in 0..<1000 {
      let timeline = StateTimeline(of: SaveModel(InMemoryTodos())) { Self.shown($0) }
      await timeline.subject.saveAtOnce()
      #expect(timeline.states == [.idle, .done(1)])
      #expect(timeline.writes == [.idle, .loading, .loading, .done(1)])
    }
  }

  @Test func everyWriteIsRecordedIncludingIntermediateOnes() async {
    let timeline = StateTimeline(of: SaveModel(InMemoryTodos())) { "\($0.isLoading) \($0.result ?? 0)" }
    timeline.subject.result = 1
    timeline.subject.isLoading = true
    timeline.subject.unrelated = 7
    timeline.subject.result = 2
    #expect(timeline.writes == ["false 0", "false 1", "true 1", "true 2"])
    #expect(timeline.states == ["false 0", "true 2"])
    timeline.subject.result = 3
    #expect(timeline.writes.last == "true 3")
    #expect(timeline.states == ["false 0", "true 2", "true 3"])
  }

  /// Catches a timeline that reads only the last of several writes, but goes on to observe what it read before them.
  @Test(arguments: [true, false]) func theObservedPropertiesMayDependOnTheState(keepingWrites: Bool) async {
    let model = SaveModel(InMemoryTodos())
    let timeline = StateTimeline(of: model, keepingWrites: keepingWrites) { $0.isLoading ? $0.unrelated : -1 }
    timeline.subject.isLoading = true
    #expect(timeline.states == [-1, 0])
    timeline.subject.unrelated = 5
    #expect(timeline.states == [-1, 0, 5])
    for value in 6...8 {
      timeline.subject.unrelated = 0
      timeline.subject.unrelated = value
      await Task { @MainActor in }.value
    }
    #expect(timeline.states == [-1, 0, 5, 6, 7, 8])
  }

  /// Catches a timeline that reads its state at every write, although only its states are wanted.
  @Test func aStateIsReadOnceForAllWritesOfAJob() async {
    let reads = Locked(0)
    let timeline = StateTimeline(of: SaveModel(InMemoryTodos()), keepingWrites: false) { model in
      reads.withLock { $0 += 1 }
      return model.unrelated
    }
    for value in 1...100 { timeline.subject.unrelated = value }
    await Task { @MainActor in }.value
    #expect(reads.withLock(\.self) == 2)
    #expect(timeline.states == [0, 100])
  }

  @Test func aWaitEndsWhenTheStateIsShown() async throws {
    let gate = Gate<InMemoryTodos>(.add)
    let todos = Intercepted(InMemoryTodos(), by: .gate(gate))
    let timeline = StateTimeline(of: SaveModel(todos)) { Self.shown($0) }
    let task = Task { await timeline.subject.save() }
    try await timeline.wait(for: .loading)
    try await gate.next().proceed()
    let last = try await timeline.wait { if case .done = $0 { true } else { false } }
    #expect(last == .done(1))
    await task.value
    let waiting = Task { try await timeline.wait(for: .idle) }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }

  /// A model whose property is safe to write from anywhere.
  final class Anywhere: Observable, Sendable {
    private let registrar = ObservationRegistrar()
    private let stored = Locked(0)

    var value: Int {
      get {
        registrar.access(self, keyPath: \.value)
        return stored.withLock { $0 }
      }
      set { registrar.withMutation(of: self, keyPath: \.value) { stored.withLock { $0 = newValue } } }
    }
  }

  @Test func writesFromAnotherThreadDoNotCrashAndTheLastIsRecorded() async throws {
    for _ in 0..<100 {
      let timeline = StateTimeline(of: Anywhere()) { $0.value }
      let subject = timeline.subject
      await withTaskGroup(of: Void.self) { group in
        for number in 1...4 { group.addTask { @concurrent in subject.value = number } }
      }
      await Task.detached { subject.value = 9 }.value
      try await timeline.wait(for: 9)
      #expect(timeline.states.first == 0)
      #expect(timeline.states.last == 9)
    }
  }

  /// The wait may begin before the write, during it and after it.
  @Test func readingTheStatesEndsAWaitForAWriteFromAnotherThread() async throws {
    for _ in 0..<200 {
      let timeline = StateTimeline(of: Anywhere()) { $0.value }
      let subject = timeline.subject
      let waiting = Task { try await timeline.wait(for: 9) }
      await Task.detached { subject.value = 9 }.value
      #expect(timeline.states == [0, 9])
      #expect(timeline.writes == [0, 9])
      try await waiting.value
    }
  }

  @Test func aWaitEndsWithTheLastOfSeveralWritesFromAnotherThread() async throws {
    for _ in 0..<200 {
      let timeline = StateTimeline(of: Anywhere()) { $0.value }
      let subject = timeline.subject
      let waiting = Task { try await timeline.wait(for: 9) }
      await withTaskGroup(of: Void.self) { group in
        for number in 1...4 { group.addTask { @concurrent in subject.value = number } }
      }
      await Task.detached { subject.value = 9 }.value
      #expect(timeline.states.last == 9)
      try await waiting.value
    }
  }

  /// A model whose write, once announced, is held until the test lets it take place.
  final class Held: Observable, Sendable {
    private let registrar = ObservationRegistrar()
    private let stored = Locked(0)

    var value: Int {
      registrar.access(self, keyPath: \.value)
      return stored.withLock { $0 }
    }

    func announce() { registrar.willSet(self, keyPath: \.value) }

    func store(_ value: Int) {
      stored.withLock { $0 = value }
      registrar.didSet(self, keyPath: \.value)
    }
  }

  @Test func aWriteFromAnotherThreadMayTakePlaceLongAfterItsAnnouncement() async throws {
    var reads = 0
    let timeline = StateTimeline(of: Held()) {
      reads += 1
      return $0.value
    }
    let subject = timeline.subject
    await Task.detached { subject.announce() }.value
    let waiting = Task { try await timeline.wait(for: 9) }
    // The announcement has been handled, and the wait has begun. A wait that polls would continue to read.
    for _ in 0..<100 { await Task { @MainActor in }.value }
    reads = 0
    for _ in 0..<1000 { await Task { @MainActor in }.value }
    #expect(reads == 0, "The state was read \(reads) times while nothing happened.")
    await Task.detached { subject.store(9) }.value
    #expect(timeline.states == [0, 9])
    try await waiting.value
  }

  /// A change on the main actor, also of another property, records an earlier write from another thread.
  @Test func aChangeOnTheMainActorEndsAWaitForAWriteFromAnotherThread() async throws {
    let model = SaveModel(InMemoryTodos())
    let held = Held()
    let timeline = StateTimeline(of: model) { "\($0.unrelated) \(held.value)" }
    await Task.detached { held.announce() }.value
    let waiting = Task { try await timeline.wait { $0.hasSuffix("9") } }
    for _ in 0..<100 { await Task { @MainActor in }.value }
    await Task.detached { held.store(9) }.value
    model.unrelated = 1
    #expect(try await waiting.value == "1 9")
  }

  @Test func readingTheStatesInstallsNothing() async throws {
    var reads = 0
    let timeline = StateTimeline(of: Anywhere()) {
      reads += 1
      return $0.value
    }
    for _ in 0..<1000 { #expect(timeline.states == [0]) }
    reads = 0
    let subject = timeline.subject
    // A scheduled reading runs on the main actor by itself.
    await Task.detached { subject.value = 1 }.value
    await Task { @MainActor in }.value
    #expect(timeline.writes == [0, 1])
    #expect(reads < 10, "The write was announced \(reads) times.")
  }

  /// A model that reports its state by a closure, like one with a publisher.
  @MainActor final class Callback {
    var onChange: (@MainActor (Shown) -> Void)?

    func load() async {
      onChange?(.loading)
      onChange?(.idle)
      onChange?(.loading)
      // Always suspends; awaiting a task that has ended might not.
      await withCheckedContinuation { continuation in
        Task { @MainActor in continuation.resume() }
      }
      onChange?(.done(1))
    }
  }

  @Test func aSubjectThatIsNotObservableReportsItself() async {
    for _ in 0..<1000 {
      let timeline = StateTimeline(of: Callback(), startingWith: Shown.idle) { $0.onChange = $1 }
      await timeline.subject.load()
      #expect(timeline.states == [.idle, .loading, .done(1)])
      #expect(timeline.writes == [.idle, .loading, .idle, .loading, .done(1)])
    }
  }

  @Test func aTimelineDoesNotOutliveItsUse() async {
    weak var subject: SaveModel?
    do {
      let timeline = StateTimeline(of: SaveModel(InMemoryTodos())) { Self.shown($0) }
      subject = timeline.subject
      await timeline.subject.save()
      #expect(timeline.states.count == 3)
    }
    #expect(subject == nil)
  }
}
