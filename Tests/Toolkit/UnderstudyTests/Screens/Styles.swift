import Observation
import Understudy

/// A folder of notes as a state, actions, and a function that reduces them.
///
/// The wrong one takes each answer for that of the folder that is open.
@MainActor @Observable final class FolderStore: LoadingScreen {
  struct State: Equatable, Sendable {
    var folder = ""
    var rows: [String] = []
    var isLoading = false
    var message: String?
  }

  enum Action {
    case open(String)
    case answered(String, Result<[String], any Error>)
  }

  private(set) var state = State()
  var isLoading: Bool { state.isLoading }
  var message: String? { state.message }

  private let service: any SearchService
  private let isRight: Bool

  init(service: any SearchService, isRight: Bool) { (self.service, self.isRight) = (service, isRight) }

  func send(_ action: Action) async {
    guard let folder = Self.reduce(&state, action, isRight) else { return }
    let answer: Result<[String], any Error>
    do { answer = .success(try await service.results(for: folder)) } catch { answer = .failure(error) }
    await send(.answered(folder, answer))
  }

  /// - Returns: The folder to load, if any.
  private static func reduce(_ state: inout State, _ action: Action, _ isRight: Bool) -> String? {
    switch action {
    case .open(let folder):
      state = State(folder: folder, isLoading: true)
      return folder
    case .answered(let folder, _) where isRight && folder != state.folder: return nil
    case .answered(_, .success(let rows)):
      (state.rows, state.isLoading) = (rows, false)
    case .answered(_, .failure(let error)):
      state.isLoading = false
      if !error.isCancellation { state.message = "\(error)" }
    }
    return nil
  }
}

extension Screen {
  static let reducer = Screen("reducer", "A user opens folders.", breaks: "rows.match") { run, isRight in
    let store = FolderStore(service: run.intercepted(Fruits(), as: "folders"), isRight: isRight)
    run.watch(store) { "\($0.state)" }
    run.interruption("open-b") { await store.send(.open("b")) }
    run.always("rows.match", store) { store in
      store.state.rows.allSatisfy { $0.hasPrefix(store.state.folder) } ? nil : "\(store.state)"
    }
    await run.act(on: store) { await store.send(.open("a")) }
  }
}

/// Loads notes for code that takes callbacks.
///
/// The wrong one does not call back when it has failed.
@MainActor final class NotesLoader {
  private let service: any NotesService
  private let isRight: Bool

  init(service: any NotesService, isRight: Bool) { (self.service, self.isRight) = (service, isRight) }

  func load(then completion: @escaping @MainActor (Result<[String], any Error>) -> Void) {
    Task { [service, isRight] in
      do {
        completion(.success(try await service.notes()))
      } catch {
        if isRight { completion(.failure(error)) }
      }
    }
  }
}

/// Notes of a loader with callbacks.
@MainActor @Observable final class CallbackModel: LoadingScreen {
  private(set) var notes: [String] = []
  private(set) var isLoading = false
  private(set) var message: String?

  private let loader: NotesLoader

  init(loader: NotesLoader) { self.loader = loader }

  func load() {
    (isLoading, message) = (true, nil)
    loader.load { [weak self] result in
      guard let self else { return }
      isLoading = false
      switch result {
      case .success(let notes): self.notes = notes
      case .failure(let error): if !error.isCancellation { message = "\(error)" }
      }
    }
  }
}

extension Screen {
  static let callbacks = Screen("callbacks", "A user looks at the notes.", breaks: "loading.ends") {
    run, isRight in
    let store = NoteStore("Milk")
    let loader = NotesLoader(service: run.intercepted(store, as: "notes"), isRight: isRight)
    let model = CallbackModel(loader: loader)
    run.watch(model) { $0.message ?? "\($0.notes)" }
    run.interruption("reload") { model.load() }
    await run.act(on: model) { model.load() }
  }
}

/// A list that waits for a callback.
///
/// The wrong one shows each answer, also that of an earlier call: nothing cancels what calls back.
@MainActor @Observable final class ContinuationModel: LoadingScreen {
  private(set) var notes: [String] = []
  private(set) var isLoading = false
  private(set) var message: String?

  @ObservationIgnored private var loads = 0
  private let loader: NotesLoader
  private let isRight: Bool

  init(loader: NotesLoader, isRight: Bool) { (self.loader, self.isRight) = (loader, isRight) }

  func load() async {
    loads += 1
    let load = loads
    (isLoading, message) = (true, nil)
    let result = await withCheckedContinuation { continuation in
      loader.load { continuation.resume(returning: $0) }
    }
    if isRight, load != loads { return }
    isLoading = false
    switch result {
    case .success(let notes): self.notes = notes
    case .failure(let error): if !error.isCancellation { message = "\(error)" }
    }
  }
}

extension Screen {
  static let continuation = Screen(
    "continuation", "A user looks at a list that another device changes.", breaks: "list.matches"
  ) { run, isRight in
    let store = NoteStore("Milk")
    let loader = NotesLoader(service: run.intercepted(store, as: "notes"), isRight: true)
    let model = ContinuationModel(loader: loader, isRight: isRight)
    run.watch(model) { $0.message ?? "\($0.notes)" }
    run.interruption("receive") {
      store.receive("Bread")
      await model.load()
    }
    let failures = await run.act(on: model) { await model.load() }
    run.expect("list.matches", model.notes == store.stored || !failures.isEmpty, "it shows \(model.notes)")
  }
}

/// Notes that are loaded as soon as the model exists.
///
/// The wrong one shows its first answer also if a newer one has come before it.
@MainActor @Observable final class InitiallyLoadingModel: LoadingScreen {
  private(set) var notes: [String] = []
  private(set) var isLoading = false
  private(set) var message: String?

  @ObservationIgnored private var loads = 0
  private let service: any NotesService
  private let isRight: Bool

  init(service: any NotesService, isRight: Bool) {
    (self.service, self.isRight) = (service, isRight)
    Task { await load() }
  }

  func load() async {
    loads += 1
    let load = loads
    (isLoading, message) = (true, nil)
    do {
      let loaded = try await service.notes()
      if isRight, load != loads { return }
      notes = loaded
    } catch {
      if isRight, load != loads { return }
      if !error.isCancellation { message = "\(error)" }
    }
    isLoading = false
  }
}

extension Screen {
  static let taskInInit = Screen(
    "task in init", "A user opens a list that another device changes.", breaks: "list.matches"
  ) { run, isRight in
    let store = NoteStore("Milk")
    let service = run.intercepted(store, as: "notes")
    var model: InitiallyLoadingModel?
    run.interruption("receive") {
      store.receive("Bread")
      await model?.load()
    }
    let failures = await run.failures {
      await run.awaitingTasks { model = InitiallyLoadingModel(service: service, isRight: isRight) }
    }
    guard let model else { return }
    run.expect("loading.ends", !model.isLoading, "it still loads")
    run.expect("errors.shown", failures.match(isShown: model.message != nil), "\(failures)")
    run.expect("list.matches", model.notes == store.stored || !failures.isEmpty, "it shows \(model.notes)")
  }
}

/// An import in a detached task, which a user can stop.
///
/// The wrong one shows what was imported even if it was stopped.
@MainActor @Observable final class ImportModel: LoadingScreen {
  private(set) var imported: [String] = []
  private(set) var isStopped = false
  private(set) var isLoading = false
  private(set) var message: String?

  private(set) var work: Task<Void, Never>?
  private let service: any NotesService
  private let isRight: Bool

  init(service: any NotesService, isRight: Bool) { (self.service, self.isRight) = (service, isRight) }

  func start() {
    (isLoading, isStopped, message) = (true, false, nil)
    work = Task.detached { [self, service] in
      let result: Result<[String], any Error>
      do { result = .success(try await service.notes().map { $0.uppercased() }) } catch {
        result = .failure(error)
      }
      await finish(result)
    }
  }

  private func finish(_ result: Result<[String], any Error>) {
    if isRight, isStopped { return }
    isLoading = false
    switch result {
    case .success(let notes): imported = notes
    case .failure(let error): if !error.isCancellation { message = "\(error)" }
    }
  }

  func stop() {
    work?.cancel()
    (isStopped, isLoading) = (true, false)
  }
}

extension Screen {
  static let detachedTask = Screen(
    "detached task", "A user imports notes, and stops.", breaks: "stop.stops"
  ) { run, isRight in
    let model = ImportModel(service: run.intercepted(NoteStore("Milk"), as: "notes"), isRight: isRight)
    run.watch(model) { $0.message ?? "\($0.imported)" }
    run.interruption("stop") { model.stop() }
    run.always("stop.stops", model) { model in
      model.isStopped && !model.imported.isEmpty ? "stopped, it shows \(model.imported)" : nil
    }
    await run.act(on: model) {
      model.start()
      await model.work?.value
    }
  }
}

/// The notes of an app, in an actor that all screens share.
///
/// The wrong one replaces what was added while it was loading.
actor SharedNotes {
  private var notes: [String]?
  private var additions: [String] = []
  private let service: any NotesService
  private let isRight: Bool

  init(service: any NotesService, isRight: Bool) { (self.service, self.isRight) = (service, isRight) }

  func all() async throws -> [String] {
    if let notes { return notes }
    additions = []
    let loaded = try await service.notes()
    let all = isRight ? loaded + additions.filter { !loaded.contains($0) } : loaded
    notes = all
    return all
  }

  func add(_ note: String) async throws {
    try await service.add(note)
    additions.append(note)
    // The server may have sent it before it has answered.
    if let notes, !notes.contains(note) { self.notes = notes + [note] }
  }
}

/// The notes of an actor.
@MainActor @Observable final class SharedNotesModel: LoadingScreen {
  private(set) var notes: [String] = []
  private(set) var isLoading = false
  private(set) var message: String?

  private let shared: SharedNotes

  init(shared: SharedNotes) { self.shared = shared }

  func load() async {
    (isLoading, message) = (true, nil)
    do {
      notes = try await shared.all()
    } catch {
      if !error.isCancellation { message = "\(error)" }
    }
    isLoading = false
  }

  func add(_ note: String) async {
    do {
      try await shared.add(note)
    } catch {
      if !error.isCancellation { message = "\(error)" }
    }
  }
}

extension Screen {
  static let actorStore = Screen(
    "actor store", "A user adds a note on one screen while another one loads.", breaks: "list.matches"
  ) { run, isRight in
    let store = NoteStore("Milk")
    let shared = SharedNotes(service: run.intercepted(store, as: "notes"), isRight: isRight)
    let model = SharedNotesModel(shared: shared)
    run.watch(model) { $0.message ?? "\($0.notes)" }
    run.interruption("add") { await model.add("Bread") }
    let failures = await run.failures {
      for _ in 1...2 { await run.act(on: model) { await model.load() } }
    }
    run.expect(
      "list.matches", !failures.isEmpty || model.notes == store.stored,
      "it shows \(model.notes), and the store has \(store.stored)")
  }
}
