import Foundation
import SharedServices
import SharedServicesContracts
import SharedServicesDoubles
import SharedServicesViewModels
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudySupabase
import UnderstudyTesting

/// Nothing of a former user is shown, whenever the user leaves.
@MainActor @Suite(.stallLimit()) struct FormerUserTests {
  /// How a user leaves.
  enum Leaving: CaseIterable, Sendable {
    case signOut, replacement
  }

  private func leave(_ leaving: Leaving, _ auth: AuthViewModel) async {
    if leaving == .signOut { return await auth.signOut() }
    (auth.email, auth.password) = ("kim@example.com", "secret2")
    await auth.signIn()
  }

  /// A user is signed in, and another account exists.
  private func backend() throws -> InMemorySharedServices {
    let backend = InMemorySharedServices.signedIn(time: TestClock(.immediate).time)
    try backend.addUser(email: "kim@example.com", password: "secret2")
    return backend
  }

  private func store(_ name: String, in backend: InMemorySharedServices) async throws -> Child {
    try await backend.children.createChild(
      NewChild(
        userID: InMemorySharedServices.sampleUserID, name: name, age: 8,
        birthday: try #require(CalendarDate(year: 2017, month: 5, day: 4))))
  }

  @Test(arguments: Leaving.allCases)
  func theProfileIsEmptyOnceItsUserHasLeft(_ leaving: Leaving) async throws {
    let backend = try backend()
    _ = try await store("Robin", in: backend)
    let auth = AuthViewModel(service: backend.auth)
    let model = ProfileViewModel(auth: auth, children: backend.children)
    await model.loadChildren()
    #expect(model.children.map(\.name) == ["Robin"])
    let timeline = StateTimeline(of: model) { $0.children.map(\.name) + ($0.errorMessage.map { [$0] } ?? []) }
    await leave(leaving, auth)
    #expect(timeline.states == [["Robin"], []])
    if leaving == .replacement {
      await model.loadChildren()
      #expect(timeline.states.last == [])
    }
  }

  /// The answer to the former user's question arrives when the user has left.
  @Test(arguments: Leaving.allCases, [nil, Fault.serverError, .unauthorized])
  func aLateListIsDropped(_ leaving: Leaving, _ fault: Fault?) async throws {
    let backend = try backend()
    _ = try await store("Robin", in: backend)
    let auth = AuthViewModel(service: backend.auth)
    let children = LateChildren(base: backend.children, isFailing: fault)
    let model = ProfileViewModel(auth: auth, children: children)
    let load = Task { await model.loadChildren() }
    await children.isHolding()
    await leave(leaving, auth)
    let state = auth.state
    #expect(!model.isLoading)
    children.answer()
    await load.value
    #expect(model.children == [])
    #expect(model.errorMessage == nil)
    #expect(auth.state == state)
  }

  @Test(arguments: Leaving.allCases)
  func onboardingIsEmptyOnceItsUserHasLeft(_ leaving: Leaving) async throws {
    let backend = try backend()
    let auth = AuthViewModel(service: backend.auth)
    let model = OnboardingViewModel(auth: auth, children: backend.children)
    model.currentState = .childInfo
    (model.childName, model.childAge) = ("Robin", 12)
    await model.saveChildAndProceed()
    #expect(model.currentChild?.name == "Robin")
    await leave(leaving, auth)
    #expect((model.childName, model.childAge, model.currentState) == ("", 8, .notStarted))
    #expect((model.currentChild, model.successMessage) == (nil, nil))
  }

  @Test(arguments: Leaving.allCases)
  func aConversationIsEmptyOnceItsUserHasLeft(_ leaving: Leaving) async throws {
    let backend = try backend()
    let auth = AuthViewModel(service: backend.auth)
    let model = LyraViewModel(
      child: try await store("Robin", in: backend), auth: auth, service: backend.conversations)
    model.messageText = "Why?"
    await model.sendMessage()
    model.messageText = "And"
    #expect(model.messages.count == 2)
    await leave(leaving, auth)
    #expect((model.messages, model.messageText, model.conversationID) == ([], "", nil))
  }

  /// The late answer is not shown, and an action of the next user is not swallowed by the one that has not ended.
  @Test func aLateSaveIsDroppedAndTheNextUserCanSave() async throws {
    let backend = try backend()
    let auth = AuthViewModel(service: backend.auth)
    let late = LateChildren(base: backend.children)
    let model = OnboardingViewModel(auth: auth, children: late)
    (model.currentState, model.childName) = (.childInfo, "Robin")
    let save = Task { await model.saveChildAndProceed() }
    await late.isHolding()
    await leave(.replacement, auth)
    #expect((model.isLoading, model.childName) == (false, ""))
    (model.currentState, model.childName) = (.childInfo, "Sam")
    let next = Task { await model.saveChildAndProceed() }
    await late.isHolding()
    #expect(model.isLoading)
    late.answer()
    await save.value
    #expect((model.isLoading, model.currentChild) == (true, nil))
    late.answer()
    await next.value
    #expect((model.currentState, model.currentChild?.name) == (.goals, "Sam"))
    #expect(model.currentChild?.userID == auth.userID)
    #expect(backend.backend.children.count == 2)
  }

  @Test(arguments: Leaving.allCases, [ProfileViewModelTests.Action.update, .delete])
  func aLateChangeIsDropped(_ leaving: Leaving, _ action: ProfileViewModelTests.Action) async throws {
    let backend = try backend()
    let robin = try await store("Robin", in: backend)
    let auth = AuthViewModel(service: backend.auth)
    let late = LateChildren(base: backend.children)
    let model = ProfileViewModel(auth: auth, children: late)
    let change = Task { await action.run(model, on: robin) }
    await late.isHolding()
    await leave(leaving, auth)
    late.answer()
    await change.value
    #expect((model.isLoading, model.children) == (false, []))
    #expect((model.errorMessage, model.successMessage) == (nil, nil))
  }

  /// The former user leaves at each call that a question makes, and while its answer is streamed.
  @Test(arguments: Leaving.allCases, ["auth", "start", "send", "stream"])
  func aQuestionIsDroppedAtEveryAwait(_ leaving: Leaving, _ place: String) async throws {
    let backend = try backend()
    let child = try await store("Robin", in: backend)
    var service: any ConversationService = backend.conversations
    var users: any AuthService = backend.auth
    var release: (() async throws -> () -> Void)?
    switch place {
    case "stream": service = ScriptedConversations(["So"], then: .open)
    case "auth":
      let gate = Gate<InMemoryAuthService>(.currentUserID)
      users = Intercepted(backend.auth, by: .gate(gate))
      release = {
        let call = try await gate.next()
        gate.open()
        return { call.proceed() }
      }
    default:
      let gate = Gate<InMemoryConversationService>(place == "start" ? .startConversation : .sendMessageStream)
      service = Intercepted(backend.conversations, by: .gate(gate))
      release = {
        let call = try await gate.next()
        return { call.proceed() }
      }
    }
    let auth = AuthViewModel(service: users)
    let model = LyraViewModel(child: child, auth: auth, service: service)
    let timeline = StateTimeline(of: model) { ShownConversation($0) }
    model.messageText = "Why?"
    let send = Task { await model.sendMessage() }
    let proceed = try await release?()
    if proceed == nil {
      try await timeline.wait(for: ShownConversation(["> Why?", "< So"], isStreaming: true))
    }
    await leave(leaving, auth)
    #expect(ShownConversation(model) == ShownConversation())
    proceed?()
    await send.value
    #expect(ShownConversation(model) == ShownConversation())
    #expect(model.messageText == "")
  }
}

/// What a user who signs in again sees of an action that the sign-out has ended.
@MainActor @Suite(.stallLimit()) struct ReturningUserTests {
  private func leaveAndReturn(_ auth: AuthViewModel) async {
    await auth.signOut()
    (auth.email, auth.password) = ("pat@example.com", "password")
    await auth.signIn()
  }

  @Test func aQuestionThatWasNotSentIsInTheField() async throws {
    let services = try await Services()
    let gate = Gate<InMemoryConversationService>(.startConversation)
    let auth = services.holder()
    let model = LyraViewModel(
      child: try await services.store("Robin"), auth: auth,
      service: Intercepted(services.backend.conversations, by: .gate(gate)))
    model.messageText = "Why?"
    let send = Task { await model.sendMessage() }
    let call = try await gate.next()
    await leaveAndReturn(auth)
    call.proceed()
    await send.value
    #expect((model.messages, model.messageText, model.isSending) == ([], "Why?", false))
  }

  @Test func anAnswerThatWasNotReceivedIsIncomplete() async throws {
    let services = try await Services()
    let auth = services.holder()
    let model = LyraViewModel(
      child: try await services.store("Robin"), auth: auth,
      service: ScriptedConversations(["So"], then: .open))
    let timeline = StateTimeline(of: model) { ShownConversation($0) }
    model.messageText = "Why?"
    let send = Task { await model.sendMessage() }
    try await timeline.wait(for: ShownConversation(["> Why?", "< So"], isStreaming: true))
    await leaveAndReturn(auth)
    await send.value
    #expect(timeline.states.last == ShownConversation(["> Why?", "< So…"]))
    #expect(model.canAskAgain)
  }
}

/// Fetches the children at once, and returns them, or fails, when the test says so, whether the caller still waits or not.
final class LateChildren: ChildrenService {
  private let base: any ChildrenService
  private let fault: Fault?
  private let held = Locked<[CheckedContinuation<Void, Never>]>([])
  private let asked = AsyncStream.makeStream(of: Void.self)

  init(base: any ChildrenService, isFailing fault: Fault? = nil) {
    (self.base, self.fault) = (base, fault)
  }

  /// Waits until another call is held.
  func isHolding() async {
    for await _ in asked.stream { return }
  }

  /// Answers the oldest call that is held.
  func answer() {
    held.withLock { $0.isEmpty ? nil : $0.removeFirst() }?.resume()
  }

  private func hold() async {
    await withCheckedContinuation { continuation in
      held.withLock { $0.append(continuation) }
      asked.continuation.yield()
    }
  }

  private func late<Value: Sendable>(
    _ call: () async throws(AppError) -> Value
  ) async throws(AppError) -> Value {
    let result: Result<Value, AppError>
    do throws(AppError) { result = .success(try await call()) } catch { result = .failure(error) }
    await hold()
    switch fault {
    case .serverError?: throw .network(.serverError)
    case .unauthorized?: throw .network(.unauthorized)
    default: return try result.get()
    }
  }

  func fetchChildren(userID: UUID) async throws(AppError) -> [Child] {
    try await late { () async throws(AppError) in try await base.fetchChildren(userID: userID) }
  }
  func createChild(_ child: NewChild) async throws(AppError) -> Child {
    try await late { () async throws(AppError) in try await base.createChild(child) }
  }
  func updateChild(_ child: Child) async throws(AppError) -> Child {
    try await late { () async throws(AppError) in try await base.updateChild(child) }
  }
  func deleteChild(id: UUID) async throws(AppError) {
    try await late { () async throws(AppError) in try await base.deleteChild(id: id) }
  }
}
