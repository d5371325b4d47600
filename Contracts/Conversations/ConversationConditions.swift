package import SharedServices
package import Understudy

// Conditions of the backend that the contract of the conversations uses.

extension Condition where Fixture == StoredConversations {
  /// The stored conversations of all users are observable.
  package static var conversationsAreStored: Self { Condition("the stored conversations are observable") }
}

extension Condition where Fixture == HeardMessages {
  /// What the guide receives with each message is observable.
  package static var guideIsHeard: Self { Condition("what the guide receives is observable") }
}

extension Condition where Fixture == ChildMemory {
  /// What the guide remembers about a child can be set.
  package static var childIsRemembered: Self { Condition("the guide remembers the child") }
}

extension Condition where Fixture == Child {
  /// The user has another child than that of ``child``.
  package static var anotherChild: Self { Condition("the user has another child") }
}

extension Condition where Fixture == ForeignConversation {
  /// The user has a conversation with 1,100 messages of all roles, some with sources: more than a server returns at once.
  ///
  /// The fixture is the conversation.
  package static var longConversation: Self { Condition("the user has a long conversation") }
}

extension Condition where Fixture == Void {
  /// Another device has deleted the children of the user, and with them their conversations.
  package static var childrenAreRemoved: Self { Condition("the user's children were removed") }
}

/// The conversations of all users, as the backend stores them.
package struct StoredConversations: Sendable {
  /// A conversation and its messages.
  package struct Entry: Sendable, Hashable {
    package let conversation: Conversation
    package let messages: [Message]

    package init(conversation: Conversation, messages: [Message]) {
      self.conversation = conversation
      self.messages = messages
    }
  }

  /// Returns the conversations in the order in which they were started.
  ///
  /// In a replay they are those at the end of the clause.
  package let all: @Sendable () async throws -> [Entry]

  package init(all: @escaping @Sendable () async throws -> [Entry]) {
    self.all = all
  }

  /// The messages of the users, of all conversations.
  func said() async throws -> [String] {
    try await all().flatMap(\.messages).filter { $0.role == .user }.map(\.content)
  }
}

/// The guide's memory of children.
package struct ChildMemory: Sendable {
  /// Replaces what is remembered about a child with a JSON document.
  package let remember: @Sendable (Child, String) async throws -> Void

  package init(remember: @escaping @Sendable (Child, String) async throws -> Void) {
    self.remember = remember
  }
}

/// The messages that the guide has received.
package struct HeardMessages: Sendable {
  /// A message with its context.
  package struct Entry: Sendable, Hashable {
    package let message: String
    package let context: ChildContext
    /// The earlier messages of the conversation.
    package let history: [Message]
    /// What is remembered about the child, as JSON.
    package let memory: String?

    package init(message: String, context: ChildContext, history: [Message], memory: String? = nil) {
      self.message = message
      self.context = context
      self.history = history
      self.memory = memory
    }
  }

  /// Returns the messages, oldest first.
  package let all: @Sendable () -> [Entry]

  package init(all: @escaping @Sendable () -> [Entry]) {
    self.all = all
  }
}
