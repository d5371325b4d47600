import SharedServices
import SharedServicesDoubles
import SharedServicesViewModels
import Testing
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

  /// One preview must not change another.
  @Test func everyPreviewHasABackendOfItsOwn() async throws {
    let one = InMemorySharedServices.preview
    try await one.children.deleteChild(id: try #require(one.sampleChildren.first).id)
    #expect(InMemorySharedServices.preview.sampleChildren.count == 3)
  }
}
