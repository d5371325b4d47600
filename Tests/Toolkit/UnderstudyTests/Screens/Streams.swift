import Observation
import Understudy

/// A chat that connects again when it has lost its connection.
@MainActor @Observable final class ChatModel {
  enum Bug {
    /// After a reconnect, the history is added to what is shown.
    case duplicates
    /// A message that is sent between the history and the connection is missed.
    case missed
    /// After a reconnect, the banner stays until a message arrives.
    case bannerStays
  }

  private(set) var messages: [ChatMessage] = []
  private(set) var isOffline = false
  var isFollowing: Bool { following != nil }

  private var following: Task<Void, Never>?
  private let service: any ChatService
  private let clock: any Clock<Duration>
  private let bug: Bug?

  init(service: any ChatService, clock: any Clock<Duration>, bug: Bug?) {
    (self.service, self.clock, self.bug) = (service, clock, bug)
  }

  func appear() {
    following?.cancel()
    following = Task { [self] in
      await follow()
      if !Task.isCancelled { following = nil }
    }
  }

  func disappear() {
    following?.cancel()
    following = nil
  }

  private func follow() async {
    for attempt in 0..<3 {
      do {
        if attempt > 0 { try await clock.sleep(for: .seconds(1)) }
        for try await message in try await connected() {
          if Task.isCancelled { return }
          isOffline = false
          add([message])
        }
      } catch {
        if error.isCancellation { return }
      }
      if Task.isCancelled { return }
      isOffline = true
    }
  }

  private func connected() async throws -> AsyncThrowingStream<ChatMessage, any Error> {
    if bug == .missed { add(try await service.history()) }
    let live = try await service.live()
    if bug != .missed { add(try await service.history()) }
    try Task.checkCancellation()
    if bug != .bannerStays { isOffline = false }
    return live
  }

  private func add(_ new: [ChatMessage]) {
    if bug == .duplicates {
      messages += new
    } else {
      messages = Set(messages + new).sorted { $0.id < $1.id }
    }
  }
}

extension ScenarioRun {
  /// Opens a chat, and waits until all messages have arrived.
  fileprivate func open(_ model: ChatModel) async {
    await act { model.appear() }
    await waitForReader { !model.isFollowing }
  }
}

extension Screen {
  static let duplicatesAfterReconnect = Screen(
    "duplicates after a reconnect", "A user reads a chat.", breaks: "no.duplicates"
  ) { run, isRight in
    let server = ChatServer("Hi")
    let model = ChatModel(
      service: run.intercepted(server, as: "chat"), clock: run.time.clock, bug: isRight ? nil : .duplicates)
    run.watch(model) { "\($0.messages)" }
    run.always("no.duplicates", model) { model in
      Set(model.messages).count == model.messages.count ? nil : "it shows \(model.messages)"
    }
    await run.open(model)
    server.receive("How are you?")
    await run.waitForReader { !model.isFollowing }
    model.disappear()
  }

  static let missedMessages = Screen(
    "missed messages", "A user opens a chat while a friend writes.", breaks: "nothing.missed"
  ) { run, isRight in
    let server = ChatServer("Hi")
    let model = ChatModel(
      service: run.intercepted(server, as: "chat"), clock: run.time.clock, bug: isRight ? nil : .missed)
    run.watch(model) { "\($0.messages)" }
    run.interruption("friend-writes") { server.receive("How are you?") }
    await run.open(model)
    server.receive("See you.")
    await run.waitForReader { !model.isFollowing }
    if model.isFollowing, !run.altersEvents {
      run.expect(
        "nothing.missed", model.messages == server.messages,
        "it shows \(model.messages), and \(server.messages) were sent")
    }
    model.disappear()
  }

  static let stuckBanner = Screen(
    "stuck offline banner", "A user reads a chat.", breaks: "banner.ends"
  ) { run, isRight in
    let server = ChatServer("Hi")
    let model = ChatModel(
      service: run.intercepted(server, as: "chat"), clock: run.time.clock, bug: isRight ? nil : .bannerStays)
    run.watch(model) { "\($0.messages)\($0.isOffline ? " offline" : "")" }
    await run.open(model)
    run.expect("banner.ends", !model.isFollowing || !model.isOffline, "it is connected, and shows the banner")
    server.receive("How are you?")
    await run.waitForReader { !model.isFollowing }
    run.expect("banner.ends", !model.isFollowing || !model.isOffline, "it is connected, and shows the banner")
    model.disappear()
  }
}

/// Notes that are loaded every 30 seconds.
///
/// The wrong one stops at the first failure.
@MainActor @Observable final class PollingModel {
  private(set) var notes: [String] = []
  private(set) var message: String?

  private var polling: Task<Void, Never>?
  private let service: any NotesService
  private let clock: any Clock<Duration>
  private let isRight: Bool

  init(service: any NotesService, clock: any Clock<Duration>, isRight: Bool) {
    (self.service, self.clock, self.isRight) = (service, clock, isRight)
  }

  func appear() {
    polling?.cancel()
    polling = Task { [self] in
      while !Task.isCancelled {
        do {
          notes = try await service.notes()
          message = nil
        } catch {
          if !error.isCancellation { message = "\(error)" }
          if !isRight { return }
        }
        do { try await clock.sleep(for: .seconds(30)) } catch { return }
      }
    }
  }

  func disappear() { polling?.cancel() }
}

extension Screen {
  static let polling = Screen(
    "polling", "A user looks at a list that another device changes.", breaks: "list.current"
  ) { run, isRight in
    let store = NoteStore("Milk")
    let model = PollingModel(
      service: run.intercepted(store, as: "notes"), clock: run.time.clock, isRight: isRight)
    run.watch(model) { $0.message ?? "\($0.notes)" }
    await run.act { model.appear() }
    store.receive("Bread")
    await run.withoutFaults { await run.act { try? await run.time.sleep(for: .seconds(60)) } }
    run.expect(
      "list.current", model.notes == store.stored && model.message == nil,
      "it shows \(model.message ?? "\(model.notes)"), and the store has \(store.stored)")
    model.disappear()
  }
}

/// A list of what arrives while it is visible, with a dot that says that it is live.
///
/// The wrong one says nothing when its stream has failed.
@MainActor @Observable final class LiveListModel {
  private(set) var messages: [ChatMessage] = []
  private(set) var isLive = false
  private(set) var message: String?

  private let service: any ChatService
  private let isRight: Bool

  init(service: any ChatService, isRight: Bool) { (self.service, self.isRight) = (service, isRight) }

  func follow() async {
    (isLive, message) = (true, nil)
    do {
      for try await new in try await service.live() { messages.append(new) }
    } catch {
      if isRight, !error.isCancellation { message = "\(error)" }
    }
    isLive = false
  }
}

extension Screen {
  static let liveList = Screen(
    "live list", "A user follows a list, and leaves it.", breaks: "errors.shown"
  ) { run, isRight in
    let server = ChatServer("Hi")
    let model = LiveListModel(service: run.intercepted(server, as: "chat"), isRight: isRight)
    run.watch(model) { "\($0.messages)\($0.isLive ? " live" : "")" }
    var visit: Task<Void, Never>?
    run.interruption("leave") {
      visit?.cancel()
      await visit?.value
    }
    let failures = await run.failures {
      await run.act { visit = Task { await model.follow() } }
      await run.waitForReader { !model.isLive }
      server.receive("How are you?")
      await run.waitForReader { !model.isLive }
      visit?.cancel()
      await visit?.value
    }
    run.expect("live.ends", !model.isLive, "it was left, and shows that it is live")
    run.expect(
      "errors.shown", failures.match(isShown: model.message != nil), "\(model.message ?? "") \(failures)")
  }
}
