import SharedServices
import SharedServicesDoubles
import SharedServicesViewModels
import Testing
import Understudy
import UnderstudyTesting

/// What a preview of each screen shows without any setup.
@MainActor @Suite(.stallLimit()) struct PreviewTests {
  @Test func everyScreenHasSomethingToShow() async throws {
    let services = InMemorySharedServices.preview
    let auth = AuthViewModel(service: services.auth)
    await auth.restore()
    #expect(auth.state == .signedIn(InMemorySharedServices.sampleUserID))
    let profile = ProfileViewModel(auth: auth, children: services.children, realtime: services.realtime)
    await profile.loadChildren()
    #expect(profile.children == services.sampleChildren)
    #expect(profile.children.map(\.name) == ["Alex", "Kim", "Robin"])
    let conversation = try #require(services.sampleConversation)
    let lyra = LyraViewModel(
      child: try #require(services.sampleChildren.first), conversationID: conversation.id, auth: auth,
      service: services.conversations)
    await lyra.loadHistory()
    #expect(lyra.messages.map(\.role) == [.user, .assistant])
    #expect(lyra.errorMessage == nil)
    lyra.messageText = "And tomorrow?"
    await lyra.sendMessage()
    #expect(lyra.messages.map(\.role) == [.user, .assistant, .user, .assistant])
  }

  /// The lines of the article of `SharedServicesDoubles`, and what the list of children shows with each.
  @Test(
    arguments: [
      (.on(.any, .offline), "No internet connection. Please check your network."),
      (.on(.any, .unauthorized), "Session expired. Please log in again."),
      (.on(.any, .serverError), "Server error. Please try again later."),
      (.on(.any, .timeout), "Request timed out. Please try again."), (nil, nil),
    ] as [(FaultPlan<InMemoryChildrenService>.Rule?, String?)])
  func everyErrorHasAPreview(_ rule: FaultPlan<InMemoryChildrenService>.Rule?, _ message: String?) async {
    let services = InMemorySharedServices.preview
    let model = ProfileViewModel(
      auth: AuthViewModel(service: services.auth),
      children: Intercepted(services.children, by: rule.map { .faults($0) } ?? .all([])))
    await model.loadChildren()
    #expect(model.errorMessage == message)
    #expect(model.children.isEmpty == (message != nil))
  }

  @Test func aScreenThatLoadsHasAPreview() async throws {
    let services = InMemorySharedServices.preview
    let clock = TestClock()
    let model = ProfileViewModel(
      auth: AuthViewModel(service: services.auth),
      children: Intercepted(
        services.children, by: .faults(.on(.any, .latency(.seconds(86_400)))), time: clock.time))
    let timeline = StateTimeline(of: model) { $0.isLoading }
    let load = Task { await model.loadChildren() }
    try await timeline.wait(for: true)
    try await clock.wait(forSleepers: 1)
    #expect(model.children.isEmpty && model.errorMessage == nil)
    load.cancel()
    await load.value
  }

  @Test func emptyAndSignedOutScreensHavePreviews() async {
    for (services, message) in [
      (InMemorySharedServices.signedIn(), nil),
      (InMemorySharedServices(), "Session expired. Please log in again."),
    ] {
      let model = ProfileViewModel(auth: AuthViewModel(service: services.auth), children: services.children)
      await model.loadChildren()
      #expect(model.children.isEmpty)
      #expect(model.errorMessage == message)
    }
  }

  @Test func anAnswerThatBreaksOffHasAPreview() async throws {
    let services = InMemorySharedServices.preview
    let model = LyraViewModel(
      child: try #require(services.sampleChildren.first), conversationID: services.sampleConversation?.id,
      auth: AuthViewModel(service: services.auth),
      service: Intercepted(
        services.conversations, by: .faults(.on(.sendMessageStream, .dropStream(afterEvents: 3)))))
    model.messageText = "And tomorrow?"
    await model.sendMessage()
    #expect(model.messages.last?.content == "(2) You said: ")
    #expect(model.errorMessage == "The connection was lost. Please try again.")
  }

  /// One preview must not change another.
  @Test func everyPreviewHasABackendOfItsOwn() async throws {
    let one = InMemorySharedServices.preview
    try await one.children.deleteChild(id: try #require(one.sampleChildren.first).id)
    #expect(InMemorySharedServices.preview.sampleChildren.count == 3)
  }
}
