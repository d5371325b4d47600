import Foundation
import SharedServices
import SharedServicesContracts
import SharedServicesDoubles
import Understudy
import SharedServicesViewModels
import UnderstudyCommand
import UnderstudyConsole

extension CommandLineTool.Demonstration {
  /// The states of three screens when calls fail.
  static var timelines: Self {
    Self("The timelines: what a screen shows when things go wrong") { console in
      try console.write(
        "  A fault is injected into a call of a double; a timeline records what the screen shows.\n")
      try console.write("  Onboarding, saving a child")
      for (name, fault) in callFaults { try console.write(row(name, await onboarding(fault))) }
      try console.write("\n  Profile, loading the children")
      for (name, fault) in callFaults { try console.write(row(name, try await profile(fault))) }
      try console.write("\n  Lyra, asking the guide; a bubble that broke off ends with …")
      for (name, fault) in callFaults.dropLast() + [("dropped stream", .dropStream(afterEvents: 2))] {
        try console.write(row(name, try await lyra(fault)))
      }
    }
  }

  private static var callFaults: [(String, Fault?)] {
    [
      ("no fault", nil), ("401", .unauthorized), ("403", .forbidden), ("409", .conflict),
      ("500", .serverError),
      ("time-out", .timeout), ("dropped answer", .emptyReply),
    ]
  }

  private static func row(_ name: String, _ states: [String]) -> String {
    "    " + name.padding(toLength: 16, withPad: " ", startingAt: 0) + states.joined(separator: " → ")
  }

  @MainActor private static func onboarding(_ fault: Fault?) async -> [String] {
    let services = InMemorySharedServices.signedIn()
    let model = OnboardingViewModel(
      auth: AuthViewModel(service: services.auth),
      children: Intercepted(services.children, by: .faults(plan(fault))))
    model.currentState = .childInfo
    model.childName = "Robin"
    let timeline = StateTimeline(of: model) { model in
      if model.isLoading { return "loading" }
      if let message = model.errorMessage { return "“\(message)”" }
      return model.currentChild.map { "\($0.name) is saved, next: \(model.currentState)" } ?? "idle"
    }
    await timeline.subject.saveChildAndProceed()
    return timeline.states
  }

  @MainActor private static func profile(_ fault: Fault?) async throws -> [String] {
    let services = InMemorySharedServices.signedIn()
    for name in ["Kim", "Robin"] { _ = try await store(name, in: services) }
    let model = ProfileViewModel(
      auth: AuthViewModel(service: services.auth),
      children: Intercepted(services.children, by: .faults(plan(fault))))
    let timeline = StateTimeline(of: model) { model in
      if model.isLoading { return "loading" }
      if let message = model.errorMessage { return "“\(message)”" }
      return model.children.isEmpty ? "idle" : model.children.map(\.name).joined(separator: ", ")
    }
    await timeline.subject.loadChildren()
    return timeline.states
  }

  @MainActor private static func lyra(_ fault: Fault?) async throws -> [String] {
    let writer = ReplyWriter { _, _, _ in
      Reply([
        MessageChunk(text: "Stay "), MessageChunk(text: "calm"), MessageChunk(text: "."),
        MessageChunk(text: "", isDone: true),
      ])
    }
    let services = InMemorySharedServices.signedIn(replyWriter: writer)
    let child = try await store("Robin", in: services)
    let rules = fault.map { [FaultPlan<InMemoryConversationService>.Rule.on(.sendMessageStream, $0)] } ?? []
    let model = LyraViewModel(
      child: child, auth: AuthViewModel(service: services.auth),
      service: Intercepted(services.conversations, by: .faults(FaultPlan(rules: rules))))
    model.messageText = "Bedtime?"
    let timeline = StateTimeline(of: model) { model in
      let bubbles = model.messages.map { message in
        (message.role == .user ? ">" : "<") + message.content
          + (model.incompleteAnswers.contains(message.id) ? "…" : "")
      }
      let message = model.errorMessage.map { ["“\($0)”"] } ?? []
      let shown = (bubbles + message + (model.isStreaming ? ["⋯"] : [])).joined(separator: " ")
      return shown.isEmpty ? "idle" : shown
    }
    await timeline.subject.sendMessage()
    return timeline.states
  }

  private static func store(_ name: String, in services: InMemorySharedServices) async throws -> Child {
    try await services.children.createChild(
      NewChild(
        userID: InMemorySharedServices.sampleUserID, name: name, age: 8,
        birthday: CalendarDate(Date(timeIntervalSince1970: 1_500_000_000), in: .gmt)))
  }

  private static func plan(_ fault: Fault?) -> FaultPlan<InMemoryChildrenService> {
    FaultPlan(rules: fault.map { [.on(.any, $0)] } ?? [])
  }
}
