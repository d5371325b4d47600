import Foundation
public import SharedServices
public import Understudy
import SharedServicesContracts

extension Exploration where Command == ConversationCommand {
  /// Conversations of two users about a child of each, whose answers are read completely, at once or later.
  public static var conversationService: Self {
    Exploration("conversations") { trial in
      _ = try await trial.given(.signedIn)
      return ConversationModel(
        children: [try await trial.given(.child), try await trial.given(.childOfAnotherUser).child],
        trial: Handle(trial))
    }
  }
}

/// A minimal model of conversations.
public struct ConversationModel: Sendable, Hashable {
  /// The child of the first user, and that of the second.
  let children: [Child]
  let trial: Handle<Trial<any ConversationService>>
  /// The user who is signed in, by the index of the child; `nil` without a session.
  var user: Int? = 0
  /// All conversations, oldest first.
  var conversations: [UUID] = []
  /// The user of each conversation.
  var owners: [UUID: Int] = [:]
  /// The user's messages in each conversation.
  var turns: [UUID: [Turn]] = [:]

  /// A message of the user and its answer.
  struct Turn: Sendable, Hashable {
    let words: String
    let answer: Handle<OpenAnswer>
    /// The answer; `nil` until it is read, and until then it may be stored or not.
    var text: String?
  }

  /// The error of a message in a conversation, which the user of the session may not own.
  fileprivate func refusal(in id: UUID) -> AppError? {
    guard let user else { return .authentication(.notSignedIn) }
    return owners[id] == user ? nil : .network(.notFound)
  }

  /// Returns whether a history is possible for a conversation.
  fileprivate func allows(_ history: [Message], of id: UUID) -> Bool {
    let turns = turns[id] ?? []
    guard history.filter({ $0.role == .user }).map(\.content) == turns.map(\.words),
      history.allSatisfy({ $0.conversationID == id }), Set(history.map(\.id)).count == history.count
    else { return false }
    let questions = history.indices.filter { history[$0].role == .user }
    var answers = history.indices.filter { history[$0].role == .assistant }
    for (place, turn) in turns.enumerated() {
      guard let text = turn.text else { continue }
      // Every answer that was read is in the history, after its message.
      guard let found = answers.firstIndex(where: { history[$0].content == text && $0 > questions[place] })
      else { return false }
      answers.remove(at: found)
    }
    return answers.count <= turns.count { $0.text == nil } && history.first?.role != .assistant
  }
}

/// An answer that one task can read, once.
final class OpenAnswer: Sendable {
  private let stream: Locked<AsyncThrowingStream<MessageChunk, any Error>?>

  init(_ stream: AsyncThrowingStream<MessageChunk, any Error>) {
    self.stream = Locked(stream)
  }

  /// Returns the whole answer; `nil` if another task reads it.
  func read() async -> Reading? {
    guard let stream = stream.withLock({ $0.take() }) else { return nil }
    return await Reading(of: stream)
  }
}

/// A call of a conversation service.
///
/// An index identifies a conversation among all, from 0.
public enum ConversationCommand: ExplorationCommand {
  /// Signs the first user in, or the second: 0 or 1.
  case signIn(Int)
  /// Signs the user out.
  case signOut
  /// Starts a conversation about the user's child.
  case start
  /// Starts a conversation about the other user's child.
  case startForForeignChild
  /// Starts a conversation about a missing child.
  case startForUnknownChild
  /// Sends a message without reading the answer.
  case say(String, in: Int)
  /// Sends a message in a missing conversation.
  case sayNowhere
  /// Reads the answer to a message, by its index in the conversation, from 0.
  case listen(Int, in: Int)
  /// Returns the history.
  case history(Int)
  /// Returns the history of a missing conversation.
  case historyOfNothing

  /// Returns a random call, most often one that sends a message or reads an answer.
  public static func random(
    in model: ConversationModel, using generator: inout some RandomNumberGenerator
  ) -> Self {
    let place = model.conversations.indices.randomElement(using: &generator) ?? 0
    let turns =
      model.conversations.indices.contains(place) ? model.turns[model.conversations[place]] ?? [] : []
    return switch Int.random(in: 0..<20, using: &generator) {
    case 16: .signIn(0)
    case 17: .signIn(1)
    case 18: model.user == nil ? .signIn(0) : .signOut
    case 19: .startForForeignChild
    case 0, 1: .start
    case 2: .startForUnknownChild
    case 3: .sayNowhere
    case 4: .historyOfNothing
    case 5, 6, 7, 8: .say(["Hello", "Zoë \"1\"\n"][Int.random(in: 0...1, using: &generator)], in: place)
    case 9, 10, 11, 12: .listen(turns.indices.randomElement(using: &generator) ?? 0, in: place)
    default: .history(place)
    }
  }

  /// Returns the history of each conversation, for each user.
  public static func observations(of model: ConversationModel) -> [Self] {
    let histories = model.conversations.indices.map { Self.history($0) }
    return Set(model.owners.values).sorted().flatMap { [.signIn($0)] + histories }
  }

  /// Returns the call; `nil` for a conversation that was not started, and for an answer that was read.
  public func call(
    in model: ConversationModel
  ) -> ExplorationCall<any ConversationService, ConversationModel>? {
    switch self {
    case .signIn(let user):
      guard model.children.indices.contains(user) else { return nil }
      return ExplorationCall { [trial = model.trial.value] _ in
        try await trial.given(user == 0 ? .userSignsInAgain : .anotherUserSignsIn)
      } step: { model, answer in
        model.user = user
        return answer.returned
      }
    case .signOut:
      return ExplorationCall { [trial = model.trial.value] _ in
        try await trial.given(.signedOut)
      } step: { model, answer in
        model.user = nil
        return answer.returned
      }
    case .start: return start(model.children[model.user ?? 0])
    case .startForForeignChild: return start(model.children[1 - (model.user ?? 0)])
    case .startForUnknownChild:
      return ExplorationCall {
        try await $0.startConversation(childID: Self.unknownID)
      } step: { model, answer in
        answer.threw(model.refusal(in: Self.unknownID) ?? .network(.notFound))
      }
    case .say(let words, let place):
      guard model.conversations.indices.contains(place) else { return nil }
      return say(words, in: model.conversations[place], about: model.children[0])
    case .sayNowhere:
      let context = ChildContext(model.children[0])
      return ExplorationCall {
        _ = try await $0.sendMessageStream(
          conversationID: Self.unknownID, message: "Hello", childContext: context)
      } step: { model, answer in
        answer.threw(model.refusal(in: Self.unknownID) ?? .network(.notFound))
      }
    case .listen(let turn, let place):
      guard model.conversations.indices.contains(place) else { return nil }
      let id = model.conversations[place]
      guard let turns = model.turns[id], turns.indices.contains(turn), turns[turn].text == nil else {
        return nil
      }
      return listen(to: turns[turn].answer, in: id)
    case .history(let place):
      guard model.conversations.indices.contains(place) else { return nil }
      return history(of: model.conversations[place])
    case .historyOfNothing: return history(of: Self.unknownID)
    }
  }

  /// An id of no child and no conversation.
  private static var unknownID: UUID { UUID(uuid: (0xF, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 1)) }

  private func start(_ child: Child) -> ExplorationCall<any ConversationService, ConversationModel> {
    ExplorationCall {
      try await $0.startConversation(childID: child.id)
    } step: { model, answer in
      guard let user = model.user else { return answer.threw(AppError.authentication(.notSignedIn)) }
      guard model.children[user].id == child.id else { return answer.threw(AppError.network(.notFound)) }
      let isNew = answer.value.map { !model.conversations.contains($0.id) } ?? false
      if let conversation = answer.value {
        model.conversations.append(conversation.id)
        model.owners[conversation.id] = user
      }
      return answer.returned("a new conversation about the child") { conversation in
        isNew && conversation.childID == child.id && conversation.userID == child.userID
      }
    }
  }

  private func say(
    _ words: String, in id: UUID, about child: Child
  ) -> ExplorationCall<any ConversationService, ConversationModel> {
    ExplorationCall { service in
      Handle(
        OpenAnswer(
          try await service.sendMessageStream(
            conversationID: id, message: words, childContext: ChildContext(child))))
    } step: { model, answer in
      if let refusal = model.refusal(in: id) { return answer.threw(refusal) }
      if let open = answer.value {
        model.turns[id, default: []].append(ConversationModel.Turn(words: words, answer: open))
      }
      return answer.returned
    }
  }

  private func listen(
    to open: Handle<OpenAnswer>, in id: UUID
  ) -> ExplorationCall<any ConversationService, ConversationModel> {
    // An answer goes on for the user who asked, whoever is signed in.
    ExplorationCall { _ in
      await open.value.read()
    } step: { model, answer in
      // Another task reads the answer.
      guard case .value(let reading?) = answer else { return .possible }
      guard let place = model.turns[id]?.firstIndex(where: { $0.answer == open && $0.text == nil }) else {
        return .impossible(expected: "an answer only to what was said")
      }
      model.turns[id]?[place].text = reading.text
      return answer.returned("a whole answer, whose last chunk alone is done") { _ in
        reading.error == nil && reading.chunks.firstIndex(where: \.isDone) == reading.chunks.count - 1
      }
    }
  }

  private func history(of id: UUID) -> ExplorationCall<any ConversationService, ConversationModel> {
    ExplorationCall {
      try await $0.history(conversationID: id)
    } step: { model, answer in
      guard let user = model.user else { return answer.threw(AppError.authentication(.notSignedIn)) }
      guard model.owners[id] == user else { return answer.returned("nothing") { $0.isEmpty } }
      return answer.returned(
        "what was said, \(model.turns[id]?.map(\.words) ?? []), and every answer that was read"
      ) {
        model.allows($0, of: id)
      }
    }
  }

  /// The same call in an earlier conversation.
  public var simpler: [ConversationCommand] {
    switch self {
    case .start, .startForForeignChild, .startForUnknownChild, .sayNowhere, .historyOfNothing, .signOut: []
    case .signIn(let user): user.simpler().map { .signIn($0) }
    case .say(let words, let place):
      (words == "Hello" ? [] : [.say("Hello", in: place)]) + place.simpler().map { .say(words, in: $0) }
    case .listen(let turn, let place):
      turn.simpler().map { .listen($0, in: place) } + place.simpler().map { .listen(turn, in: $0) }
    case .history(let place): place.simpler().map { .history($0) }
    }
  }
}
