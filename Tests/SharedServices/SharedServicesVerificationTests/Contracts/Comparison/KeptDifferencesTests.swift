import Foundation
import SharedServices
import SharedServicesContracts
import SharedServicesDoubles
import SharedServicesVerification
import Testing
import Understudy
import UnderstudyTesting

/// Clauses as comparisons of wrong services with the live ones printed them, without the comments.
@Suite(.stallLimit()) struct KeptDifferencesTests {
  private static let authentication: [(mutant: String, clause: Clause<any AuthService>)] = [
    (
      "failsToSignOutTwice",
      Clause("authentication.signOut.supabase-over-emulator", "…") { trial in
        _ = try await trial.given(.account)
        _ = try await trial.given(.secondAccount)
        _ = try await trial.given(.bannedAccount)
        let authentication = trial.subject
        try await trial.require("to succeed") { try await authentication.signOut() }
      }
    ),
    (
      "invitesAGuest",
      Clause("authentication.currentUserID.supabase-over-emulator", "…") { trial in
        _ = try await trial.given(.account)
        _ = try await trial.given(.secondAccount)
        _ = try await trial.given(.bannedAccount)
        let authentication = trial.subject
        await trial.expect(throws: AppError.authentication(.notSignedIn)) {
          try await authentication.currentUserID()
        }
      }
    ),
    (
      "signsOutBeforeSigningIn",
      Clause("authentication.currentUserID.supabase-over-emulator", "…") { trial in
        let given1 = try await trial.given(.account)
        let given2 = try await trial.given(.secondAccount)
        let given3 = try await trial.given(.bannedAccount)
        let authentication = trial.subject
        _ = try await authentication.signIn(email: given1.email, password: given1.password)
        _ = try? await authentication.signIn(email: given2.email, password: given3.password)
        _ = try await trial.require("to succeed") { try await authentication.currentUserID() }
      }
    ),
    (
      "keepsTheFirstSession",
      Clause("authentication.currentUserID.supabase-over-emulator", "…") { trial in
        let given1 = try await trial.given(.account)
        let given2 = try await trial.given(.secondAccount)
        _ = try await trial.given(.bannedAccount)
        let authentication = trial.subject
        _ = try await authentication.signIn(email: given2.email, password: given2.password)
        _ = try await authentication.signIn(email: given1.email, password: given1.password)
        trial.expect(try await authentication.currentUserID(), equals: given1.userID)
      }
    ),
  ]

  private static let children: [(mutant: String, clause: Clause<any ChildrenService>)] = [
    (
      "losesGoals",
      Clause("children.createChild.supabase-over-emulator", "…") { trial in
        let given1 = try await trial.given(.signedIn)
        let given2 = try await trial.given(.childOfAnotherUser)
        let children = trial.subject
        let createChild1 = try await children.createChild(
          NewChild(
            id: nil, userID: given1, name: given2.child.name, age: given2.child.age,
            birthday: given2.child.birthday, goals: [given2.child.goals[1], given2.child.goals[0]],
            topics: [""], temperament: given2.child.temperament, talkativeness: given2.child.talkativeness,
            sensitivity: given2.child.sensitivity, accountability: given2.child.accountability))
        trial.expect(createChild1.goals.count, equals: 2)
      }
    ),
    (
      "storesEqualGoalsOnce",
      Clause("children.createChild.supabase-over-emulator", "…") { trial in
        let given1 = try await trial.given(.signedIn)
        let given2 = try await trial.given(.childOfAnotherUser)
        let children = trial.subject
        let createChild1 = try await children.createChild(
          NewChild(
            id: nil, userID: given1, name: given2.child.name, age: given2.child.age,
            birthday: given2.child.birthday, goals: [given2.child.goals[1], given2.child.goals[1]],
            topics: [], temperament: given2.child.temperament, talkativeness: given2.child.talkativeness,
            sensitivity: given2.child.sensitivity, accountability: given2.child.accountability))
        trial.expect(createChild1.goals.count, equals: 2)
      }
    ),
    (
      "refusesToDeleteTwice",
      Clause("children.deleteChild.supabase-over-emulator", "…") { trial in
        _ = try await trial.given(.signedIn)
        let given2 = try await trial.given(.childOfAnotherUser)
        let children = trial.subject
        try await trial.require("to succeed") { try await children.deleteChild(id: given2.child.id) }
      }
    ),
    (
      "listsFromACache",
      Clause("children.fetchChildren.supabase-over-emulator", "…") { trial in
        let given1 = try await trial.given(.signedIn)
        _ = try await trial.given(.childOfAnotherUser)
        let children = trial.subject
        _ = try await children.fetchChildren(userID: given1)
        try await trial.given(.signedOut)
        await trial.expect(throws: AppError.authentication(.notSignedIn)) {
          try await children.fetchChildren(userID: given1)
        }
      }
    ),
    (
      "deletesAll",
      Clause("children.createChild.supabase-over-emulator", "…") { trial in
        let given1 = try await trial.given(.signedIn)
        let given2 = try await trial.given(.childOfAnotherUser)
        let children = trial.subject
        let createChild1 = try await children.createChild(
          NewChild(
            id: nil, userID: given1, name: given2.child.name, age: given2.child.age,
            birthday: given2.child.birthday, goals: [given2.child.goals[1], given2.child.goals[1]],
            topics: [], temperament: given2.child.temperament, talkativeness: given2.child.talkativeness,
            sensitivity: given2.child.sensitivity, accountability: given2.child.accountability))
        try await children.deleteChild(id: given2.child.id)
        await trial.expect(throws: AppError.network(.conflict)) {
          try await children.createChild(
            NewChild(
              id: nil, userID: given1, name: given2.child.name, age: createChild1.age,
              birthday: given2.child.birthday, goals: [createChild1.goals[0], createChild1.goals[0]],
              topics: [""], temperament: given2.child.temperament, talkativeness: given2.child.talkativeness,
              sensitivity: createChild1.sensitivity, accountability: given2.child.accountability))
        }
      }
    ),
  ]

  private static let conversations: [(mutant: String, clause: Clause<any ConversationService>)] = [
    (
      "greets",
      Clause("conversations.history.supabase-over-emulator", "…") { trial in
        _ = try await trial.given(.signedIn)
        _ = try await trial.given(.child)
        let given3 = try await trial.given(.conversationOfAnotherUser)
        let conversations = trial.subject
        trial.expect(
          try await conversations.history(conversationID: given3.conversation.childID), equals: [])
      }
    )
  ]

  @Test(arguments: authentication.indices) func authenticationTellRightFromWrong(_ index: Int) async throws {
    try await check(Self.authentication[index], .inMemory, .supabase(over: .emulator), Mutant.all)
  }

  @Test(arguments: children.indices) func childrenTellRightFromWrong(_ index: Int) async throws {
    try await check(Self.children[index], .inMemory, .supabase(over: .emulator), Mutant.all)
  }

  @Test(arguments: conversations.indices) func conversationsTellRightFromWrong(_ index: Int) async throws {
    try await check(Self.conversations[index], .inMemory, .supabase(over: .emulator), Mutant.all)
  }

  /// A clause passes on both right services, and fails on the wrong one.
  private func check<Subject: Sendable>(
    _ kept: (mutant: String, clause: Clause<Subject>), _ double: Implementation<Subject>,
    _ live: Implementation<Subject>, _ mutants: [Mutant<Subject>]
  ) async throws {
    let contract = Contract("kept") { kept.clause }
    let wrong = try #require(mutants.first { $0.name == kept.mutant }).implementation
    #expect(await contract.checks(of: double)[0].outcome() == .passed)
    #expect(await contract.checks(of: live)[0].outcome() == .passed)
    #expect(await contract.checks(of: wrong)[0].outcome().name == "failed", "\(kept.mutant)")
  }
}
