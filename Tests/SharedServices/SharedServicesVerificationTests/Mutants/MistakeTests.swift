import SharedServices
import Testing
@testable import SharedServicesVerification
import Understudy
import UnderstudyTesting

/// A mistake that no mutant makes would never be tried.
@Suite(.stallLimit()) struct MistakeTests {
  private func names<Subject>(_ mutants: [Mutant<Subject>], are mistakes: [String]) -> Bool {
    Set(mistakes).isSubset(of: mutants.map(\.name))
  }

  @Test func everyMistakeHasAMutant() {
    #expect(
      names(
        Mutant<any ChildrenService>.all, are: WrongChildrenService.Mistake.allCases.map(\.rawValue)))
    #expect(names(Mutant<any AuthService>.all, are: WrongAuthService.Mistake.allCases.map(\.rawValue)))
    #expect(
      names(
        Mutant<any ConversationService>.all, are: WrongConversationService.Mistake.allCases.map(\.rawValue)))
    #expect(
      names(Mutant<any RealtimeService>.all, are: WrongRealtimeService.Mistake.allCases.map(\.rawValue)))
    #expect(names(Mutant<any ForumsClient>.all, are: WrongForumsClient.Mistake.allCases.map(\.rawValue)))
    #expect(
      names(
        Mutant<any ThreadsRepository>.all, are: WrongThreadsRepository.Mistake.allCases.map(\.rawValue)))
    #expect(
      names(Mutant<any ThreadsService>.all, are: WrongThreadsService.Mistake.allCases.map(\.rawValue)))
    #expect(
      names(
        Mutant<any MessageNormalizing>.all, are: WrongMessageNormalizer.Mistake.allCases.map(\.rawValue)))
    #expect(
      names(
        Mutant<any MessageHistoryService>.all,
        are: WrongMessageHistoryService.Mistake.allCases.map(\.rawValue)))
    #expect(
      names(
        Mutant<any MessageStreamService>.all, are: WrongMessageStreamService.Mistake.allCases.map(\.rawValue))
    )
  }
}
