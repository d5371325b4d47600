import Foundation
import SharedServices
import Understudy

extension Clause where Subject == any ConversationService {
  @ContractBuilder<Subject> static var startingConversations: [Self] {
    Clause("conversations.start.identity", "A conversation belongs to its user and is about its child.") {
      trial in
      let user = try await trial.given(.signedIn)
      let child = try await trial.given(.child)
      let one = try await trial.subject.startConversation(childID: child.id)
      let other = try await trial.subject.startConversation(childID: child.id)
      trial.expect([one.userID, other.userID], equals: [user, user], "the owners")
      trial.expect([one.childID, other.childID], equals: [child.id, child.id], "the children")
      trial.expect(one.id != other.id, "Expected two ids, found \(one.id) twice.")
    }

    Clause(
      "conversations.start.chosen-id",
      "A conversation is started under the id that the client chose; starting it again returns it."
    ) { trial in
      let user = try await trial.given(.signedIn)
      let child = try await trial.given(.child)
      for _ in 1...2 {
        let id = trial.uuid()
        let conversation = try await trial.subject.startConversation(childID: child.id, id: id)
        trial.expect(conversation.id, equals: id, "the id")
        trial.expect(
          [conversation.userID, conversation.childID], equals: [user, child.id], "user and child")
        let talk = Talk(child: child, conversation: conversation)
        let reading = try await trial.answer(to: "Hello", in: talk)
        trial.expectComplete(reading)
        let again = try await trial.require("to return the conversation that was started") {
          try await trial.subject.startConversation(childID: child.id, id: id)
        }
        trial.expect(again, equals: conversation, "the conversation that was started again")
        trial.expect(
          try await trial.history(of: talk).map(\.content), equals: ["Hello", reading.text], "what was said")
      }
    }

    Clause(
      "conversations.start.again-otherwise",
      "The id of a conversation about another child of the user is a conflict, and that conversation stays."
    ) { trial in
      _ = try await trial.given(.signedIn)
      let (child, other) = (try await trial.given(.child), try await trial.given(.anotherChild))
      let id = trial.uuid()
      let conversation = try await trial.subject.startConversation(childID: child.id, id: id)
      await trial.expect(throws: AppError.network(.conflict)) {
        try await trial.subject.startConversation(childID: other.id, id: id)
      }
      trial.expect(
        try await trial.subject.startConversation(childID: child.id, id: id), equals: conversation,
        "the conversation")
    }

    Clause("conversations.start.id-of-another", "The id of another user's conversation is a conflict.") {
      trial in
      _ = try await trial.given(.signedIn)
      let child = try await trial.given(.child)
      let foreign = try await trial.given(.conversationOfAnotherUser)
      let before = try await foreign.history()
      await trial.expect(throws: AppError.network(.conflict)) {
        try await trial.subject.startConversation(childID: child.id, id: foreign.conversation.id)
      }
      trial.expect(try await foreign.history(), equals: before, "what the other user sees after it")
    }

    Clause("conversations.start.absent-child", "A conversation about a missing child cannot be started.") {
      trial in
      _ = try await trial.given(.signedIn)
      let id = trial.uuid()
      await trial.expect(throws: AppError.network(.notFound)) {
        try await trial.subject.startConversation(childID: id)
      }
    }

    Clause(
      "conversations.start.hidden-child", "Another user's child is indistinguishable from a missing child."
    ) {
      trial in
      _ = try await trial.given(.signedIn)
      let foreign = try await trial.given(.childOfAnotherUser)
      await trial.expect(throws: AppError.network(.notFound)) {
        try await trial.subject.startConversation(childID: foreign.child.id)
      }
    }
  }

  @ContractBuilder<Subject> static var readingHistory: [Self] {
    Clause("conversations.history.new", "In a new conversation nothing was said.") { trial in
      let talk = try await trial.started()
      trial.expect(try await trial.history(of: talk), equals: [], "the history")
    }

    Clause(
      "conversations.history.order", "The history lists questions and answers from the first to the last."
    ) {
      trial in
      let talk = try await trial.started()
      var contents: [String] = []
      for message in ["One", "Two", "Three"] {
        let reading = try await trial.answer(to: message, in: talk)
        trial.expectComplete(reading)
        contents += [message, reading.text]
      }
      let history = try await trial.history(of: talk)
      trial.expect(history.map(\.content), equals: contents, "what was said")
      trial.expect(
        history.map(\.role), equals: [.user, .assistant, .user, .assistant, .user, .assistant], "the roles")
      trial.expect(Set(history.map(\.id)).count, equals: 6, "the number of ids")
      trial.expect(
        Set(history.map(\.conversationID)), equals: [talk.conversation.id], "the messages' conversations")
      trial.expect(
        history.map(\.createdAt) == history.map(\.createdAt).sorted(),
        "Expected the dates to rise, found \(history.map(\.createdAt)).")
    }

    Clause("conversations.history.apart", "The history of a conversation has no messages of another one.") {
      trial in
      let one = try await trial.started()
      let other = Talk(
        child: one.child, conversation: try await trial.subject.startConversation(childID: one.child.id))
      _ = try await trial.answer(to: "Here", in: one)
      _ = try await trial.answer(to: "There", in: other)
      trial.expect(try await trial.history(of: one).first?.content, equals: "Here", "the one's first message")
      trial.expect(try await trial.history(of: one).count, equals: 2, "the number of the one's messages")
      trial.expect(
        try await trial.history(of: other).first?.content, equals: "There", "the other's first message")
    }

    Clause("conversations.history.absent", "A missing conversation has an empty history.") {
      trial in
      _ = try await trial.given(.signedIn)
      let id = trial.uuid()
      let history = try await trial.require("to find that nothing was said") {
        try await trial.subject.history(conversationID: id)
      }
      trial.expect(history, equals: [], "the history")
    }

    Clause(
      "conversations.history.hidden", "Another user's messages are indistinguishable from missing messages."
    ) {
      trial in
      _ = try await trial.given(.signedIn)
      let foreign = try await trial.given(.conversationOfAnotherUser)
      let history = try await trial.require("to find that nothing was said") {
        try await trial.subject.history(conversationID: foreign.conversation.id)
      }
      trial.expect(history, equals: [], "the history")
    }
  }
}
