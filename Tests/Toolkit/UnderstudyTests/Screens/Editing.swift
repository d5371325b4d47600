import Observation
import Understudy

/// A form with a button that orders.
///
/// The wrong one orders at each tap.
@MainActor @Observable final class OrderModel: LoadingScreen {
  private(set) var isDone = false
  private(set) var isLoading = false
  private(set) var message: String?

  private let service: any NotesService
  private let isRight: Bool

  init(service: any NotesService, isRight: Bool) { (self.service, self.isRight) = (service, isRight) }

  func submit() async {
    if isDone || (isRight && isLoading) { return }
    (isLoading, message) = (true, nil)
    do {
      try await service.add("Order")
      isDone = true
    } catch {
      if !error.isCancellation { message = "\(error)" }
    }
    isLoading = false
  }
}

extension Screen {
  static let doubleSubmit = Screen("double submit", "A user orders.", breaks: "one.order") { run, isRight in
    let store = NoteStore()
    let model = OrderModel(service: run.intercepted(store, as: "orders"), isRight: isRight)
    run.watch(model) { $0.message ?? ($0.isDone ? "ordered" : "form") }
    run.interruption("tap-again") { await model.submit() }
    await run.act(on: model) { await model.submit() }
    run.expect("one.order", store.stored.count <= 1, "the store has \(store.stored)")
    run.expect("order.shown", !model.isDone || store.stored.count == 1, "the store has \(store.stored)")
  }
}

/// A field for a message, and a button that sends it.
///
/// The wrong one empties the field at once, and does not bring the text back.
@MainActor @Observable final class ComposerModel: LoadingScreen {
  var draft = ""
  private(set) var isLoading = false
  private(set) var message: String?

  private let service: any NotesService
  private let isRight: Bool

  init(service: any NotesService, isRight: Bool) { (self.service, self.isRight) = (service, isRight) }

  func send() async {
    guard !isLoading, !draft.isEmpty else { return }
    let text = draft
    (isLoading, message) = (true, nil)
    if !isRight { draft = "" }
    do {
      try await service.add(text)
      if draft == text { draft = "" }
    } catch {
      if !error.isCancellation { message = "\(error)" }
    }
    isLoading = false
  }
}

extension Screen {
  static let lostText = Screen("lost text", "A user sends a message.", breaks: "nothing.lost") {
    run, isRight in
    let store = NoteStore()
    let model = ComposerModel(service: run.intercepted(store, as: "chat"), isRight: isRight)
    run.watch(model) { $0.message ?? "field: \($0.draft)" }
    run.interruption("type-on") { model.draft += "!" }
    model.draft = "Hello"
    await run.act(on: model) { await model.send() }
    run.expect(
      "nothing.lost", (store.stored + [model.draft]).contains { $0.hasPrefix("Hello") },
      "the field has \(model.draft), and the store has \(store.stored)")
  }
}

/// A post with a heart, which changes before the server has answered.
///
/// The wrong one leaves it when the server has refused.
@MainActor @Observable final class LikeModel: LoadingScreen {
  private(set) var isLiked = false
  private(set) var isLoading = false
  private(set) var message: String?

  private let service: any FeedService
  private let isRight: Bool

  init(service: any FeedService, isRight: Bool) { (self.service, self.isRight) = (service, isRight) }

  func toggle() async {
    if isLoading { return }
    (isLoading, message) = (true, nil)
    isLiked.toggle()
    do {
      try await service.setLiked(isLiked)
    } catch {
      if isRight { isLiked.toggle() }
      if !error.isCancellation { message = "\(error)" }
    }
    isLoading = false
  }
}

extension Screen {
  static let likeKept = Screen(
    "like not rolled back", "A user likes a post, and takes it back.", breaks: "like.matches"
  ) { run, isRight in
    let feed = PostFeed()
    let model = LikeModel(service: run.intercepted(feed, as: "feed"), isRight: isRight)
    run.watch(model) { $0.message ?? ($0.isLiked ? "liked" : "not liked") }
    run.interruption("tap") { await model.toggle() }
    var failures: [FailedCall] = []
    for _ in 1...2 {
      failures += await run.act(on: model) { await model.toggle() }
      run.expect(
        "like.matches", model.isLiked == feed.isLiked || failures.contains(where: \.mayHaveWorked),
        "it shows \(model.isLiked), and the server has \(feed.isLiked)")
    }
  }
}

/// Notes of which one disappears before the server has deleted it.
///
/// The wrong one restores the whole former list, without what has arrived since.
@MainActor @Observable final class DeletingModel {
  private(set) var notes: [String]
  private(set) var message: String?

  private let service: any NotesService
  private let isRight: Bool

  init(_ notes: [String], service: any NotesService, isRight: Bool) {
    (self.notes, self.service, self.isRight) = (notes, service, isRight)
  }

  func received(_ note: String) { notes.append(note) }

  func delete(_ note: String) async {
    guard let index = notes.firstIndex(of: note) else { return }
    let before = notes
    notes.remove(at: index)
    message = nil
    do {
      try await service.delete(note)
    } catch {
      if isRight { notes.insert(note, at: min(index, notes.count)) } else { notes = before }
      if !error.isCancellation { message = "\(error)" }
    }
  }
}

extension Screen {
  static let optimisticChange = Screen(
    "optimistic change", "A user deletes a note while another device adds one.", breaks: "list.matches"
  ) { run, isRight in
    let store = NoteStore("Milk", "Bread")
    let model = DeletingModel(store.stored, service: run.intercepted(store, as: "notes"), isRight: isRight)
    run.watch(model) { $0.message ?? "\($0.notes)" }
    run.interruption("receive") {
      store.receive("Tea")
      model.received("Tea")
    }
    let failures = await run.failures { await run.act { await model.delete("Milk") } }
    run.expect("errors.shown", failures.match(isShown: model.message != nil), "\(failures)")
    run.expect(
      "list.matches",
      Set(model.notes) == Set(store.stored) || failures.contains(where: \.mayHaveWorked),
      "it shows \(model.notes), and the store has \(store.stored)")
  }
}

/// A form in three steps, each of which the server confirms.
///
/// The wrong one goes a step further at each answer, so that two taps skip a step.
@MainActor @Observable final class WizardModel: LoadingScreen {
  static let steps = ["name", "address", "payment"]

  private(set) var step = 0
  private(set) var isLoading = false
  private(set) var message: String?

  @ObservationIgnored private var requests = 0
  private let service: any NotesService
  private let isRight: Bool

  init(service: any NotesService, isRight: Bool) { (self.service, self.isRight) = (service, isRight) }

  func next() async {
    guard step < Self.steps.count else { return }
    let current = step
    requests += 1
    (isLoading, message) = (true, nil)
    do {
      try await service.save("filled in", in: Self.steps[current])
      if isRight { step = max(step, current + 1) } else { step += 1 }
    } catch {
      if !error.isCancellation { message = "\(error)" }
    }
    requests -= 1
    isLoading = requests > 0
  }
}

extension Screen {
  static let wizard = Screen("wizard", "A user fills in a form.", breaks: "no.step.skipped") { run, isRight in
    let store = NoteStore()
    let model = WizardModel(service: run.intercepted(store, as: "form"), isRight: isRight)
    run.watch(model) { $0.message ?? "step \($0.step)" }
    run.interruption("next") { await model.next() }
    run.always("no.step.skipped", model) { model in
      WizardModel.steps.prefix(model.step).first { store.fields[$0] == nil }.map {
        "at step \(model.step), \($0) is not stored"
      }
    }
    for _ in WizardModel.steps { await run.act(on: model) { await model.next() } }
  }
}

/// A text that is saved a second after the last change.
///
/// The wrong one does not save what has changed in the second before it is left.
@MainActor @Observable final class EditorModel {
  private(set) var text = ""
  private(set) var message: String?

  private var saving: Task<Void, Never>?
  private let service: any NotesService
  private let clock: any Clock<Duration>
  private let isRight: Bool

  init(service: any NotesService, clock: any Clock<Duration>, isRight: Bool) {
    (self.service, self.clock, self.isRight) = (service, clock, isRight)
  }

  func type(_ text: String) {
    self.text = text
    saving?.cancel()
    saving = Task { [self] in
      do { try await clock.sleep(for: .seconds(1)) } catch { return }
      await save()
    }
  }

  func leave() async {
    saving?.cancel()
    if isRight { await save() }
  }

  private func save() async {
    message = nil
    do {
      try await service.save(text, in: "text")
    } catch {
      if !error.isCancellation { message = "\(error)" }
    }
  }
}

extension Screen {
  static let debounce = Screen("debounce", "A user writes, and leaves.", breaks: "nothing.lost") {
    run, isRight in
    let store = NoteStore()
    let model = EditorModel(
      service: run.intercepted(store, as: "notes"), clock: run.time.clock, isRight: isRight)
    run.watch(model) { $0.message ?? $0.text }
    run.interruption("leave") { await model.leave() }
    let failures = await run.failures { await run.act { model.type("Milk") } }
    run.expect("errors.shown", failures.match(isShown: model.message != nil), "\(failures)")
    run.expect(
      "nothing.lost", store.fields["text"] == model.text || !failures.isEmpty,
      "the text is \(model.text), and the store has \(store.fields)")
  }
}
