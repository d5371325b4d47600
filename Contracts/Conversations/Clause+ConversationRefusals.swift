import Foundation
import SharedServices
import Understudy

extension Clause where Subject == any ConversationService {
  @ContractBuilder<Subject> static var conversationRefusals: [Self] {
    Clause(
      "conversations.refuse.all",
      "Every call refuses what is missing, removed, another user's or of another kind, and nothing is stored."
    ) { trial in
      let talk = try await trial.started()
      _ = try await trial.answer(to: "Hello", in: talk)
      _ = try await trial.history(of: talk)
      let foreignChild = try await trial.given(.childOfAnotherUser).child.id
      let foreign = try await trial.given(.conversationOfAnotherUser).conversation
      let stored = try await trial.given(.conversationsAreStored)
      let missing = trial.uuid()
      await trial.expectRefusal(
        ofChildren: [
          ("missing", missing), ("another user's", foreignChild), ("of another kind", talk.conversation.id),
        ],
        conversations: [
          ("missing", missing), ("another user's", foreign.id), ("of another kind", talk.child.id),
        ], context: ChildContext(talk.child))
      _ = try await trial.given(.childrenAreRemoved)
      await trial.expectRefusal(
        ofChildren: [("removed", talk.child.id)], conversations: [("removed", talk.conversation.id)],
        context: ChildContext(talk.child))
      let rows = try await stored.all()
      trial.expect(rows.map(\.conversation), equals: [foreign], "the stored conversations")
      trial.expect(try await stored.said(), equals: ["Mine"], "the stored messages of users")
    }

    Clause(
      "conversations.refuse.previous-user",
      "After another user signs in, every call is that user's, and refuses what is the first user's."
    ) { trial in
      let talk = try await trial.started()
      let reading = try await trial.answer(to: "Hello", in: talk)
      let history = try await trial.history(of: talk)
      let child = try await trial.given(.childOfAnotherUser).child
      let stored = try await trial.given(.conversationsAreStored)
      _ = try await trial.given(.anotherUserSignsIn)
      await trial.expectRefusal(
        ofChildren: [("the first user's", talk.child.id)],
        conversations: [("the first user's", talk.conversation.id)], context: ChildContext(talk.child))
      let other = Talk(
        child: child, conversation: try await trial.subject.startConversation(childID: child.id))
      trial.expect(other.conversation.userID, equals: child.userID, "the owner of the next conversation")
      let answer = try await trial.answer(to: "Mine", in: other)
      trial.expectComplete(answer)
      let next = try await trial.history(of: other)
      trial.expect(next.map(\.content), equals: ["Mine", answer.text], "the next user's history")
      _ = try await trial.given(.userSignsInAgain)
      trial.expect(try await trial.history(of: talk), equals: history, "the first user's history")
      await trial.expectRefusal(
        ofChildren: [("the next user's", child.id)],
        conversations: [("the next user's", other.conversation.id)], context: ChildContext(child))
      trial.expect(history.map(\.content), equals: ["Hello", reading.text], "what the first user has read")
      trial.expect(
        try await stored.all(),
        equals: [
          .init(conversation: talk.conversation, messages: history),
          .init(conversation: other.conversation, messages: next),
        ], "what is stored")
    }
  }
}

extension Trial where Subject == any ConversationService {
  /// Expects each call to refuse each of the ids; the history of a conversation that is refused is empty.
  fileprivate func expectRefusal(
    ofChildren children: [(name: String, id: UUID)], conversations: [(name: String, id: UUID)],
    context: ChildContext, fileID: String = #fileID, line: Int = #line
  ) async {
    for (name, id) in children {
      await expect(
        ServiceCall(name: "startConversation with a child that is \(name)") {
          _ = try await $0.startConversation(childID: id)
        }, throws: .network(.notFound), fileID: fileID, line: line)
    }
    for (name, id) in conversations {
      await expect(
        ServiceCall(name: "sendMessageStream in a conversation that is \(name)") {
          _ = try await $0.sendMessageStream(conversationID: id, message: "Refused", childContext: context)
        }, throws: .network(.notFound), fileID: fileID, line: line)
      do {
        expect(
          try await subject.history(conversationID: id), equals: [],
          "the history of a conversation that is \(name)", fileID: fileID, line: line)
      } catch {
        expect(
          false, "Expected the history of a conversation that is \(name) to be empty, but it threw \(error).",
          fileID: fileID, line: line)
      }
    }
  }
}
