import Foundation
import SharedServices
import SharedServicesContracts
import SharedServicesDoubles
import SharedServicesViewModels
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyTesting

/// A cancelled action is over at once, even if its service does not react, and a call right after it is another one.
@MainActor @Suite(.stallLimit()) struct CancellationTests {
  @Test func aSaveCanBeRepeatedInTheSameBreath() async throws {
    let services = try await Services()
    let late = LateChildren(base: services.children)
    let model = OnboardingViewModel(auth: services.holder(), children: late)
    (model.currentState, model.childName) = (.childInfo, "Robin")
    let first = Task { await model.saveChildAndProceed() }
    await late.isHolding()
    first.cancel()
    let second = Task { await model.saveChildAndProceed() }
    // The first ends although its service has not answered.
    await first.value
    await late.isHolding()
    #expect(model.isLoading)
    late.answer()
    late.answer()
    await second.value
    #expect(model.currentState == .goals)
    #expect(!model.isLoading)
    #expect(try await services.stored == ["Robin"])
  }

  @Test func aSaveThatIsLeftEndsItsSpinnerAtOnce() async throws {
    let services = try await Services()
    let late = LateChildren(base: services.children, isFailing: .serverError)
    let model = OnboardingViewModel(auth: services.holder(), children: late)
    (model.currentState, model.childName) = (.childInfo, "Robin")
    let save = Task { await model.saveChildAndProceed() }
    await late.isHolding()
    save.cancel()
    await save.value
    #expect(!model.isLoading)
    late.answer()
    #expect((model.errorMessage, model.currentState) == (nil, .childInfo))
  }

  @Test(arguments: ProfileViewModelTests.Action.allCases)
  func anActionOfTheProfileCanBeRepeatedInTheSameBreath(_ action: ProfileViewModelTests.Action) async throws {
    let services = try await Services()
    let robin = try await services.store("Robin")
    let late = LateChildren(base: services.children)
    let model = ProfileViewModel(auth: services.holder(), children: late)
    let first = Task { await action.run(model, on: robin) }
    await late.isHolding()
    first.cancel()
    let second = Task { await action.run(model, on: robin) }
    await first.value
    await late.isHolding()
    #expect(model.isLoading)
    late.answer()
    late.answer()
    await second.value
    #expect((model.isLoading, model.errorMessage) == (false, nil))
    #expect(model.successMessage != nil || action == .load)
  }

  @Test func aQuestionCanBeRepeatedInTheSameBreath() async throws {
    let service = ScriptedConversations(["So."], then: .done, held: true)
    let services = try await Services()
    let model = LyraViewModel(
      child: try ScriptedConversations.child(), auth: services.holder(), service: service)
    let timeline = StateTimeline(of: model) { ShownConversation($0) }
    model.messageText = "Why?"
    let first = Task { await model.sendMessage() }
    await service.isAsked()
    first.cancel()
    // The question is in the field again once its call is over.
    let second = Task {
      model.messageText = "Why?"
      await model.sendMessage()
    }
    await first.value
    await service.isAsked()
    #expect(timeline.states.last == ShownConversation(["> Why?"], isStreaming: true))
    service.release()
    service.release()
    await second.value
    #expect(timeline.states.last == ShownConversation(["> Why?", "< So."]))
    #expect(Set(service.ids).count == 1)
  }

  @Test func aHistoryCanBeLoadedAgainInTheSameBreath() async throws {
    let services = try await Services()
    let child = try await services.store("Robin")
    let conversation = try await services.backend.conversations.startConversation(childID: child.id)
    let gate = Gate<InMemoryConversationService>(.history)
    let model = LyraViewModel(
      child: child, conversationID: conversation.id, auth: services.holder(),
      service: Intercepted(services.backend.conversations, by: .gate(gate)))
    let first = Task { await model.loadHistory() }
    _ = try await gate.next()
    first.cancel()
    let second = Task { await model.loadHistory() }
    try await gate.next().proceed()
    await first.value
    await second.value
    #expect((model.isLoading, model.errorMessage) == (false, nil))
  }

  /// The screen is left, and the service of the answer does not react.
  @Test func anAnswerWhoseScreenIsLeftIsIncompleteAtOnce() async throws {
    let service = ScriptedConversations(["So"], then: .held)
    let services = try await Services()
    let model = LyraViewModel(
      child: try ScriptedConversations.child(), auth: services.holder(), service: service)
    let timeline = StateTimeline(of: model) { ShownConversation($0) }
    model.messageText = "Why?"
    let send = Task { await model.sendMessage() }
    try await timeline.wait(for: ShownConversation(["> Why?", "< So"], isStreaming: true))
    send.cancel()
    await send.value
    #expect(timeline.states.last == ShownConversation(["> Why?", "< So…"]))
    #expect(!model.isSending)
    service.release()
  }
}

/// Which message stays, and which goes.
@MainActor @Suite(.stallLimit()) struct MessageTests {
  private static let failed = "Server error. Please try again later."

  @Test func theFailureOfAnOlderLoadDoesNotStandBesideANewerList() async throws {
    let gate = Gate<InMemoryChildrenService>()
    let services = Services(heldAt: gate)
    try await services.store("Robin")
    let model = ProfileViewModel(auth: services.holder(), children: services.children)
    let first = Task { await model.loadChildren() }
    let old = try await gate.next()
    let second = Task { await model.loadChildren() }
    let new = try await gate.next()
    old.fail(with: .serverError)
    await first.value
    #expect(model.errorMessage == Self.failed)
    new.proceed()
    await second.value
    #expect((model.children.map(\.name), model.errorMessage) == (["Robin"], nil))
  }

  @Test func theFailureOfANewerLoadStaysWhenAnOlderListArrives() async throws {
    let gate = Gate<InMemoryChildrenService>()
    let services = Services(heldAt: gate)
    try await services.store("Robin")
    let model = ProfileViewModel(auth: services.holder(), children: services.children)
    let first = Task { await model.loadChildren() }
    let old = try await gate.next()
    let second = Task { await model.loadChildren() }
    try await gate.next().fail(with: .serverError)
    await second.value
    old.proceed()
    await first.value
    #expect((model.children.map(\.name), model.errorMessage) == (["Robin"], Self.failed))
  }

  /// Seed 001 removes the message before every call, whichever call it is about.
  @Test func aFailureGoesWhenAnotherActionBegins() async throws {
    let gate = Gate<InMemoryChildrenService>()
    let services = Services(heldAt: gate)
    let robin = try await services.store("Robin")
    let model = ProfileViewModel(auth: services.holder(), children: services.children)
    let failing = Task { await model.deleteChild(id: robin.id) }
    try await gate.next().fail(with: .serverError)
    await failing.value
    #expect(model.errorMessage == Self.failed)
    let load = Task { await model.loadChildren() }
    let call = try await gate.next()
    #expect((model.isLoading, model.errorMessage) == (true, nil))
    call.proceed()
    await load.value
    #expect((model.children.map(\.name), model.errorMessage) == (["Robin"], nil))
  }

  @Test func aFailureStaysWhenAnActionFromBeforeItSucceeds() async throws {
    let gate = Gate<InMemoryChildrenService>()
    let services = Services(heldAt: gate)
    let robin = try await services.store("Robin")
    let model = ProfileViewModel(auth: services.holder(), children: services.children)
    let load = Task { await model.loadChildren() }
    let call = try await gate.next()
    let failing = Task { await model.updateChild(robin.named("Kim")) }
    try await gate.next().fail(with: .serverError)
    await failing.value
    call.proceed()
    await load.value
    #expect((model.children.map(\.name), model.errorMessage) == (["Robin"], Self.failed))
    gate.open()
    await model.updateChild(robin.named("Kim"))
    #expect((model.errorMessage, model.successMessage) == (nil, "Saved successfully"))
    model.dismissMessage()
    #expect(model.successMessage == nil)
  }

  /// It would appear after a good answer.
  @Test func anEarlierFailureDoesNotComeBack() async throws {
    let gate = Gate<InMemoryChildrenService>()
    let services = Services(heldAt: gate)
    let robin = try await services.store("Robin")
    let model = ProfileViewModel(auth: services.holder(), children: services.children)
    let first = Task { await model.loadChildren() }
    let old = try await gate.next()
    let second = Task { await model.loadChildren() }
    let new = try await gate.next()
    let update = Task { await model.updateChild(robin.named("Kim")) }
    try await gate.next().fail(with: .serverError)
    await update.value
    old.fail(with: .offline)
    await first.value
    #expect(model.errorMessage == "No internet connection. Please check your network.")
    new.proceed()
    await second.value
    #expect(model.errorMessage == nil)
  }

  @Test func theFailureToChangeAChildGoesWithTheChild() async throws {
    let gate = Gate<InMemoryChildrenService>(.updateChild)
    let services = Services(heldAt: gate)
    let robin = try await services.store("Robin")
    let model = ProfileViewModel(auth: services.holder(), children: services.children)
    await model.loadChildren()
    let failing = Task { await model.updateChild(robin.named("Kim")) }
    try await gate.next().fail(with: .serverError)
    await failing.value
    await model.deleteChild(id: robin.id)
    #expect((model.errorMessage, model.successMessage) == (nil, "Child removed"))
  }

  @Test func theFailureOfAQuestionGoesWhenTheHistoryLoads() async throws {
    let services = try await Services()
    let child = try await services.store("Robin")
    let conversation = try await services.backend.conversations.startConversation(childID: child.id)
    let model = LyraViewModel(
      child: child, conversationID: conversation.id, auth: services.holder(),
      service: Intercepted(
        services.backend.conversations, by: .faults(FaultPlan(rules: [.on(.sendMessageStream, .serverError)]))
      ))
    model.messageText = "Why?"
    await model.sendMessage()
    // The question is back in the field, although the user was not known when it was asked.
    #expect((model.errorMessage, model.messageText) == (Self.failed, "Why?"))
    await model.loadHistory()
    #expect((model.errorMessage, model.messageText) == (nil, "Why?"))
  }

  @Test func aSavedChildIsConfirmedUntilTheAlertIsDismissed() async throws {
    let services = try await Services()
    let model = OnboardingViewModel(auth: services.holder(), children: services.children)
    await model.saveChildAndProceed()
    #expect(model.errorMessage == "Please enter a valid name and age")
    model.dismissMessage()
    #expect(model.errorMessage == nil)
    model.childName = "Robin"
    await model.saveChildAndProceed()
    #expect(model.successMessage == "Saved successfully")
    model.dismissMessage()
    #expect(model.successMessage == nil)
  }
}
