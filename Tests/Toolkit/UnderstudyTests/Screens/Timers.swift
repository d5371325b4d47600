import Foundation
import Observation
import Understudy

/// A list that says when loading takes long.
///
/// The wrong one stops the timer when it has loaded, but not what the timer has shown.
@MainActor @Observable final class SlowHintModel: LoadingScreen {
  private(set) var notes: [String] = []
  private(set) var isSlow = false
  private(set) var isLoading = false
  private(set) var message: String?

  @ObservationIgnored private var loads = 0
  private var hint: Task<Void, Never>?
  private let service: any NotesService
  private let clock: any Clock<Duration>
  private let isRight: Bool

  init(service: any NotesService, clock: any Clock<Duration>, isRight: Bool) {
    (self.service, self.clock, self.isRight) = (service, clock, isRight)
  }

  func load() async {
    loads += 1
    let load = loads
    (isLoading, message) = (true, nil)
    hint?.cancel()
    hint = Task { [self] in
      do { try await clock.sleep(for: .seconds(5)) } catch { return }
      isSlow = true
    }
    do {
      let loaded = try await service.notes()
      guard load == loads else { return }
      notes = loaded
    } catch {
      guard load == loads else { return }
      if !error.isCancellation { message = "\(error)" }
    }
    isLoading = false
    hint?.cancel()
    if isRight { isSlow = false }
  }
}

extension Screen {
  static let slowHint = Screen("slow hint", "A user looks at the notes.", breaks: "hint.ends") {
    run, isRight in
    let model = SlowHintModel(
      service: run.intercepted(NoteStore("Milk"), as: "notes"), clock: run.time.clock, isRight: isRight)
    run.watch(model) { "\($0.message ?? "\($0.notes)")\($0.isSlow ? " slow" : "")" }
    run.interruption("reload") { await model.load() }
    await run.act(on: model) { await model.load() }
    run.expect("hint.ends", !model.isSlow, "it has loaded, and shows that it takes long")
  }
}

/// A button that saves, and a toast that says so for three seconds.
///
/// The wrong one hides a toast when the time of the one before it is over.
@MainActor @Observable final class ToastModel {
  private(set) var message: String?
  private(set) var toast: String?
  private(set) var shown = Date.distantPast

  private var hiding: Task<Void, Never>?
  private let service: any NotesService
  private let time: Time
  private let isRight: Bool

  init(service: any NotesService, time: Time, isRight: Bool) {
    (self.service, self.time, self.isRight) = (service, time, isRight)
  }

  func save() async {
    message = nil
    do {
      try await service.save("text", in: "note")
      (toast, shown) = ("Saved", time.now)
      if isRight { hiding?.cancel() }
      hiding = Task { [self] in
        do { try await time.sleep(for: .seconds(3)) } catch { return }
        toast = nil
      }
    } catch {
      if !error.isCancellation { message = "\(error)" }
    }
  }
}

extension Screen {
  static let toast = Screen("toast", "A user saves, and saves again.", breaks: "toast.stays") {
    run, isRight in
    let time = run.time
    let model = ToastModel(service: run.intercepted(NoteStore(), as: "notes"), time: time, isRight: isRight)
    run.watch(model) { $0.message ?? $0.toast ?? "form" }
    run.interruption("save-again") { await model.save() }
    run.always("toast.stays", model) { model in
      let duration = time.now.timeIntervalSince(model.shown)
      return model.toast == nil && duration < 2.9 ? "the toast was shown for \(duration) seconds" : nil
    }
    let failures = await run.failures { await run.act { await model.save() } }
    run.expect("errors.shown", failures.match(isShown: model.message != nil), "\(failures)")
    run.expect("toast.ends", model.toast == nil, "it still shows \(model.toast ?? "")")
  }
}

/// A button that sends, and tries again by itself.
///
/// The wrong one sends a text again that may have arrived.
@MainActor @Observable final class RetryModel: LoadingScreen {
  private(set) var isSent = false
  private(set) var isLoading = false
  private(set) var message: String?

  private let service: any NotesService
  private let clock: any Clock<Duration>
  private let isRight: Bool

  init(service: any NotesService, clock: any Clock<Duration>, isRight: Bool) {
    (self.service, self.clock, self.isRight) = (service, clock, isRight)
  }

  func send() async {
    if isSent || isLoading { return }
    (isLoading, message) = (true, nil)
    for attempt in 1...3 {
      do {
        if attempt > 1 { try await clock.sleep(for: .seconds(attempt)) }
        if isRight {
          try await service.save("Hello", in: "message 1")
        } else {
          try await service.add("Hello")
        }
        (isSent, message) = (true, nil)
        break
      } catch {
        if error.isCancellation { break }
        message = "\(error)"
      }
    }
    isLoading = false
  }
}

extension Screen {
  static let retry = Screen("retry", "A user sends a text.", breaks: "sent.once") { run, isRight in
    let store = NoteStore()
    let model = RetryModel(
      service: run.intercepted(store, as: "chat"), clock: run.time.clock, isRight: isRight)
    run.watch(model) { $0.message ?? ($0.isSent ? "sent" : "draft") }
    run.interruption("send-again") { await model.send() }
    let failures = await run.failures { await run.act { await model.send() } }
    run.expect("loading.ends", !model.isLoading, "it still sends")
    run.expect(
      "errors.shown", model.isSent ? model.message == nil : failures.match(isShown: model.message != nil),
      "the message is \(model.message ?? "missing"), and what failed is \(failures)")
    let sent = store.stored.count + store.fields.count
    run.expect("sent.once", sent <= 1 && (!model.isSent || sent == 1), "the server has \(store.stored)")
  }
}
