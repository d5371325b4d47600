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

/// An action whose answer was lost ends well when it is repeated.
@MainActor @Suite(.stallLimit()) struct LostAnswerTests {
  /// The faults after which the service has done its work.
  nonisolated static let losses: [Fault] = [.answerLost, .emptyReply, .unreadableAnswer, .garbage]

  private func onboarding(
    losing fault: Fault, number: Int = 1,
    in operation: Intercepted<InMemoryChildrenService>.Operation = .createChild
  ) async throws -> (OnboardingViewModel, Services) {
    let services = try await Services()
    let children = Intercepted(
      services.backend.children, by: .faults(FaultPlan(rules: [.on(operation, call: number, fault)])))
    let model = OnboardingViewModel(
      auth: services.holder(), children: children,
      today: { CalendarDate(Date(timeIntervalSince1970: 1_772_280_000), in: .gmt) })
    (model.currentState, model.childName) = (.childInfo, "Robin")
    return (model, services)
  }

  @Test(arguments: losses) func savingAgainStoresOneChild(_ fault: Fault) async throws {
    let (model, services) = try await onboarding(losing: fault)
    await model.saveChildAndProceed()
    #expect((model.errorMessage, model.currentState) == (expectedMessage(fault), .childInfo))
    await model.saveChildAndProceed()
    #expect((model.errorMessage, model.currentState) == (nil, .goals))
    #expect(try await services.stored == ["Robin"])
  }

  /// The parent corrects an entry before the second try.
  @Test(arguments: losses) func savingAgainWithOtherEntriesChangesTheChild(_ fault: Fault) async throws {
    let (model, services) = try await onboarding(losing: fault)
    await model.saveChildAndProceed()
    (model.childName, model.childAge) = ("Kim", 9)
    await model.saveChildAndProceed()
    #expect((model.errorMessage, model.currentState) == (nil, .goals))
    let stored = try await services.backend.children.fetchChildren(userID: services.userID)
    #expect(stored.map(\.name) == ["Kim"])
    #expect(stored.map(\.age) == [9])
    #expect(stored == [model.currentChild])
    #expect(stored.first?.birthday == CalendarDate(year: 2017, month: 2, day: 28))
  }

  @Test func aTakenNameStaysAConflictWhenItIsTriedAgain() async throws {
    let services = try await Services()
    try await services.store("Robin")
    let model = OnboardingViewModel(auth: services.holder(), children: services.children)
    (model.currentState, model.childName) = (.childInfo, "Robin")
    for _ in 1...2 {
      await model.saveChildAndProceed()
      #expect(model.errorMessage == "That already exists. Please choose another name.")
      #expect(model.currentState == .childInfo)
    }
    #expect(try await services.stored == ["Robin"])
  }

  @Test func goingBackAndSavingAgainChangesTheChild() async throws {
    let services = try await Services()
    let model = OnboardingViewModel(auth: services.holder(), children: services.children)
    (model.currentState, model.childName) = (.childInfo, "Robin")
    await model.saveChildAndProceed()
    let first = try #require(model.currentChild)
    (model.currentState, model.childName) = (.childInfo, "Kim")
    await model.saveChildAndProceed()
    #expect((model.currentChild?.id, model.currentChild?.name) == (first.id, "Kim"))
    #expect(model.currentChild?.birthday == first.birthday)
    #expect(model.currentState == .goals)
    #expect(try await services.stored == ["Kim"])
  }

  @Test func aChildThatWasDeletedElsewhereIsStoredAgain() async throws {
    let services = try await Services()
    let model = OnboardingViewModel(auth: services.holder(), children: services.children)
    (model.currentState, model.childName) = (.childInfo, "Robin")
    await model.saveChildAndProceed()
    try await services.backend.children.deleteChild(id: try #require(model.currentChild).id)
    (model.currentState, model.childName) = (.childInfo, "Kim")
    await model.saveChildAndProceed()
    #expect((model.errorMessage, model.currentState) == (nil, .goals))
    #expect(try await services.stored == ["Kim"])
  }

  // MARK: - Questions

  private func conversation(
    losing fault: Fault, in operation: Intercepted<InMemoryConversationService>.Operation
  ) async throws -> (LyraViewModel, InMemorySharedServices) {
    let services = try await Services()
    let service = Intercepted(
      services.backend.conversations, by: .faults(FaultPlan(rules: [.on(operation, call: 1, fault)])))
    let model = LyraViewModel(
      child: try await services.store("Robin"), auth: services.holder(), service: service)
    model.messageText = "Why?"
    await model.sendMessage()
    return (model, services.backend)
  }

  @Test(arguments: losses) func sendingAgainStoresOneQuestion(_ fault: Fault) async throws {
    let (model, backend) = try await conversation(losing: fault, in: .sendMessageStream)
    #expect((model.errorMessage, model.messageText) == (expectedMessage(fault), "Why?"))
    await model.sendMessage()
    #expect((model.errorMessage, model.messageText) == (nil, ""))
    #expect(model.messages.map(\.role) == [.user, .assistant])
    #expect(backend.backend.messages.count == 2)
    let shown = model.messages.map(\.content)
    await model.loadHistory()
    #expect(model.messages.map(\.content) == shown)
  }

  @Test(arguments: losses) func startingAgainStartsOneConversation(_ fault: Fault) async throws {
    let (model, backend) = try await conversation(losing: fault, in: .startConversation)
    #expect((model.errorMessage, model.conversationID) == (expectedMessage(fault), nil))
    await model.sendMessage()
    #expect(model.errorMessage == nil)
    #expect(backend.backend.conversations.count == 1)
  }

  /// The history shows that the question is stored, so it must not be in the field too.
  @Test func aLostQuestionThatTheHistoryHasLeavesTheField() async throws {
    let (model, backend) = try await conversation(losing: .answerLost, in: .sendMessageStream)
    await model.loadHistory()
    #expect((model.messages.map(\.content), model.messageText) == (["Why?"], ""))
    #expect(model.canAskAgain)
    await model.askAgain()
    #expect(model.messages.map(\.role) == [.user, .assistant])
    #expect(backend.backend.messages.count == 2)
  }

  @Test func aLostQuestionThatTheHistoryHasLeavesWhatWasWrittenAfterIt() async throws {
    let (model, _) = try await conversation(losing: .answerLost, in: .sendMessageStream)
    model.messageText += "\nAnd?"
    await model.loadHistory()
    #expect((model.messages.map(\.content), model.messageText) == (["Why?"], "And?"))
  }

  /// Nothing is left to repeat, so a message that asks for it would be a second truth.
  @Test func theFailureEndsOnceTheHistoryHasTheAnswer() async throws {
    let (model, _) = try await conversation(losing: .unterminatedEvent, in: .sendMessageStream)
    #expect(model.errorMessage != nil)
    await model.loadHistory()
    #expect((model.messages.count, model.canAskAgain, model.errorMessage) == (2, false, nil))
  }

  @Test(arguments: [0, 2, 6]) func aQuestionWhoseAnswerBrokeOffCanBeAskedAgain(_ events: Int) async throws {
    let (model, backend) = try await conversation(
      losing: .dropStream(afterEvents: events), in: .sendMessageStream)
    #expect(model.errorMessage == "The connection was lost. Please try again.")
    #expect(model.canAskAgain)
    await model.askAgain()
    #expect((model.errorMessage, model.canAskAgain) == (nil, false))
    #expect(model.incompleteAnswers == [])
    #expect(model.messages.map(\.role) == [.user, .assistant])
    #expect(backend.backend.messages.count == 2)
    await model.askAgain()
    #expect(backend.backend.messages.count == 2)
  }

  /// Only the news of the end was lost: the stored answer is shown, not another one.
  @Test func anAnswerThatIsStoredIsRepeated() async throws {
    let (model, backend) = try await conversation(losing: .unterminatedEvent, in: .sendMessageStream)
    #expect(model.incompleteAnswers.count == 1)
    let answer = model.messages.last?.content
    #expect(backend.backend.messages.count == 2)
    await model.askAgain()
    #expect(model.messages.last?.content == answer)
    #expect(model.messages.count == 2)
    #expect(model.incompleteAnswers == [])
    #expect(backend.backend.messages.count == 2)
  }
}
