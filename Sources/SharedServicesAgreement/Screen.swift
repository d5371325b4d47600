import SharedServices
import SharedServicesViewModels

/// What the screens show in the end.
@MainActor
enum Screen {
  /// Onboarding, once the child has been saved: its message, or the step that it has come to.
  static func onboarding(_ site: FaultySite) async -> String {
    let model = OnboardingViewModel(auth: site.auth, children: site.children) {
      NewChild.robin.birthday.adding(years: 8)
    }
    model.currentState = .childInfo
    model.childName = "Robin"
    await model.saveChildAndProceed()
    return model.errorMessage ?? (model.currentState == .childInfo ? "" : model.currentState.rawValue)
  }

  /// The profile, after something was done there: its message, or the names of the children.
  static func profile(
    _ site: FaultySite, _ act: @MainActor (ProfileViewModel) async -> Void
  ) async -> String {
    let model = ProfileViewModel(auth: site.auth, children: site.children)
    await act(model)
    return model.errorMessage ?? model.children.map(\.name).joined(separator: ", ")
  }

  /// The conversation, after the user has asked why: what was said, and the message.
  static func conversation(_ site: FaultySite, about child: Child, thenReloads: Bool = false) async -> String
  {
    let model = LyraViewModel(child: child, service: site.conversations)
    model.messageText = "Why?"
    await model.sendMessage()
    if thenReloads {
      site.breakWire()
      await model.loadHistory()
    }
    let bubbles = model.messages.map { message in
      (message.role == .user ? "> " : "< ") + message.content
        + (model.incompleteAnswers.contains(message.id) ? "…" : "")
    }
    return (bubbles + (model.errorMessage.map { ["! \($0)"] } ?? [])).joined(separator: " | ")
  }
}
