import Foundation
import SharedServices
import SharedServicesContracts

/// A child as a recording keeps it.
struct ArchivedChild: Codable, Sendable {
  private let id: UUID
  private let userID: UUID
  private let name: String
  private let age: Int
  private let birthday: CalendarDate
  private let goals: [String]
  private let topics: [String]
  private let temperament: Temperament
  private let talkativeness: Int
  private let sensitivity: Int
  private let accountability: Int
  private let createdAt: Date
  private let updatedAt: Date

  init(_ child: Child) {
    (id, userID, name, age, birthday) = (child.id, child.userID, child.name, child.age, child.birthday)
    (goals, topics, temperament) = (child.goals, child.topics, child.temperament)
    (talkativeness, sensitivity) = (child.talkativeness, child.sensitivity)
    (accountability, createdAt, updatedAt) = (child.accountability, child.createdAt, child.updatedAt)
  }

  var child: Child {
    Child(
      id: id, userID: userID, name: name, age: age, birthday: birthday, goals: goals, topics: topics,
      temperament: temperament, talkativeness: talkativeness, sensitivity: sensitivity,
      accountability: accountability, createdAt: createdAt, updatedAt: updatedAt)
  }
}

/// Another user's child, before and after a clause.
struct ArchivedForeignChild: Codable, Sendable {
  let before: ArchivedChild
  let after: ArchivedChild?
}

/// Another user's conversation, and what was said in it after a clause.
struct ArchivedForeignConversation: Codable, Sendable {
  private struct Said: Codable {
    let id: UUID
    let role: Message.Role
    let content: String
    let sources: [Citation]
    let createdAt: Date
  }

  private let id: UUID
  private let userID: UUID
  private let childID: UUID
  private let createdAt: Date
  private let said: [Said]

  init(_ conversation: Conversation, history: [Message]) {
    (id, userID) = (conversation.id, conversation.userID)
    (childID, createdAt) = (conversation.childID, conversation.createdAt)
    said = history.map {
      Said(id: $0.id, role: $0.role, content: $0.content, sources: $0.sources, createdAt: $0.createdAt)
    }
  }

  var fixture: ForeignConversation {
    let history = said.map {
      Message(
        id: $0.id, conversationID: id, role: $0.role, content: $0.content, sources: $0.sources,
        createdAt: $0.createdAt)
    }
    return ForeignConversation(
      conversation: Conversation(id: id, userID: userID, childID: childID, createdAt: createdAt)
    ) { history }
  }
}

/// An account as a recording keeps it; its password is as made up as the user.
struct ArchivedAccount: Codable, Sendable {
  private let email: String
  private let password: String
  private let userID: UUID

  init(_ account: Account) {
    (email, password, userID) = (account.email, account.password, account.userID)
  }

  var account: Account { Account(email: email, password: password, userID: userID) }
}
