public import SharedServices
public import Understudy
import SharedServicesContracts

extension Exploration where Command == HistoryCommand {
  /// The pages of two sessions to which messages are added.
  public static var messageHistory: Self {
    Exploration("history") { trial in
      HistoryModel(
        sessions: [
          HistoryModel.Transcript(speaker: Handle(try await trial.given(.speaker))),
          HistoryModel.Transcript(speaker: Handle(try await trial.given(.anotherSpeaker))),
        ])
    }
  }
}

/// A minimal model of two sessions' messages.
public struct HistoryModel: Sendable, Hashable {
  struct Transcript: Sendable, Hashable {
    let speaker: Handle<FeedSpeaker>
    /// The ids and the texts of the messages, oldest first.
    var said: [Said] = []
    /// The ids of unfinished answers.
    var begun: [String] = []
  }

  struct Said: Sendable, Hashable {
    let id: String
    let words: String
  }

  var sessions: [Transcript]

  /// The page of a session, or the error.
  fileprivate func page(
    _ session: Int, after cursor: String?, _ limit: Int
  ) -> Result<(said: [Said], offset: Int), AppError> {
    guard limit > 0 else { return .failure(.feed(.invalidParameters)) }
    let said = sessions[session].said
    guard let cursor else { return .success((Array(said.prefix(limit)), 0)) }
    guard let place = said.firstIndex(where: { $0.id == cursor }) else {
      return .failure(.feed(.cursorNotFound))
    }
    return .success((Array(said.dropFirst(place + 1).prefix(limit)), place + 1))
  }
}

/// A message that is added to a session, or a request for pages.
///
/// Sessions, messages and unfinished answers are identified by their indices, from 0.
public enum HistoryCommand: ExplorationCommand {
  /// Adds a message of the user.
  case say(String, in: Int)
  /// The assistant begins an answer, which is in no page until it is completed.
  case begin(in: Int)
  /// The assistant completes an answer.
  case finish(Int, in: Int)
  /// Requests the first page.
  case first(limit: Int, in: Int)
  /// Requests the page after a message.
  case page(after: Int, limit: Int, in: Int)
  /// Requests the page after a message of the other session.
  case pageAfterForeign(Int, in: Int)
  /// Requests the page after a missing message.
  case pageAfterNothing(in: Int)

  /// Returns a random call, most often one that adds a message.
  public static func random(
    in model: HistoryModel, using generator: inout some RandomNumberGenerator
  ) -> Self {
    let limit = Int.random(in: 0...4, using: &generator)
    let session = Int.random(in: 0...1, using: &generator)
    let said = model.sessions[session].said.indices.randomElement(using: &generator) ?? 0
    return switch Int.random(in: 0..<11, using: &generator) {
    case 0, 1, 2: .say(["Hello", "Zoë", ""][Int.random(in: 0..<3, using: &generator)], in: session)
    case 3: .begin(in: session)
    case 4: .finish(model.sessions[session].begun.indices.randomElement(using: &generator) ?? 0, in: session)
    case 5: .first(limit: limit, in: session)
    case 6: .pageAfterNothing(in: session)
    case 7:
      .pageAfterForeign(
        model.sessions[1 - session].said.indices.randomElement(using: &generator) ?? 0, in: session)
    default: .page(after: said, limit: limit, in: session)
    }
  }

  /// All messages of both sessions, and twice of the first, because reading changes nothing.
  public static func observations(of model: HistoryModel) -> [Self] {
    [.first(limit: 100, in: 0), .first(limit: 100, in: 1), .first(limit: 100, in: 0)]
  }

  /// Returns the call; `nil` for a message or an answer that was not added yet.
  public func call(in model: HistoryModel) -> ExplorationCall<any MessageHistoryService, HistoryModel>? {
    switch self {
    case .say(let words, let session):
      guard let speaker = model.speaker(session) else { return nil }
      return ExplorationCall { _ in
        speaker.say(.user(words))
      } step: { model, answer in
        if let id = answer.value { model.sessions[session].said.append(.init(id: id, words: words)) }
        return answer.returned
      }
    case .begin(let session):
      guard let speaker = model.speaker(session) else { return nil }
      return ExplorationCall { _ in
        let id = speaker.begin()
        speaker.write("é", id)
        return id
      } step: { model, answer in
        if let id = answer.value { model.sessions[session].begun.append(id) }
        return answer.returned
      }
    case .finish(let place, let session):
      guard let speaker = model.speaker(session), model.sessions[session].begun.indices.contains(place) else {
        return nil
      }
      let id = model.sessions[session].begun[place]
      return ExplorationCall { _ in
        speaker.finish(id)
      } step: { model, answer in
        // Completing an answer twice has the effect of completing it once.
        if let place = model.sessions[session].begun.firstIndex(of: id) {
          model.sessions[session].begun.remove(at: place)
          model.sessions[session].said.append(.init(id: id, words: "é"))
        }
        return answer.returned
      }
    case .first(let limit, let session): return page(of: model, session, after: nil, limit)
    case .page(let place, let limit, let session):
      guard model.speaker(session) != nil, model.sessions[session].said.indices.contains(place) else {
        return nil
      }
      return page(of: model, session, after: model.sessions[session].said[place].id, limit)
    case .pageAfterForeign(let place, let session):
      guard model.speaker(session) != nil, model.sessions[1 - session].said.indices.contains(place) else {
        return nil
      }
      return page(of: model, session, after: model.sessions[1 - session].said[place].id, 1)
    case .pageAfterNothing(let session): return page(of: model, session, after: "nothing", 1)
    }
  }

  private func page(
    of model: HistoryModel, _ session: Int, after cursor: String?, _ limit: Int
  ) -> ExplorationCall<any MessageHistoryService, HistoryModel>? {
    guard let id = model.speaker(session)?.sessionID else { return nil }
    return ExplorationCall {
      try await $0.page(of: id, after: cursor, limit: limit)
    } step: { model, answer in
      let (expected, offset): ([HistoryModel.Said], Int)
      switch model.page(session, after: cursor, limit) {
      case .failure(let error): return answer.threw(error)
      case .success(let page): (expected, offset) = page
      }
      let total = model.sessions[session].said.count
      let hasMore = offset + expected.count < total
      return answer.returned(
        "\(expected.map(\.words)) from \(offset) of \(total), and \(hasMore ? "more" : "no more")"
      ) { page in
        page.messages.map(\.id) == expected.map(\.id)
          && page.messages.map(\.content) == expected.map(\.words)
          && page.pagination.total == total && page.pagination.offset == offset
          && page.pagination.limit == limit && page.pagination.hasMore == hasMore
          && (page.pagination.nextCursor != nil) == hasMore
      }
    }
  }

  /// The first page, the same page after an earlier message, a smaller page, and the first session.
  public var simpler: [HistoryCommand] {
    switch self {
    case .say(let words, let session):
      (words == "Hello" ? [] : [.say("Hello", in: session)]) + session.simpler().map { .say(words, in: $0) }
    case .begin(let session): session.simpler().map { .begin(in: $0) }
    case .finish(let place, let session):
      [.say("Hello", in: session)] + place.simpler().map { .finish($0, in: session) }
        + session.simpler().map { .finish(place, in: $0) }
    case .first(let limit, let session):
      limit.simpler(toward: 1).map { .first(limit: $0, in: session) }
        + session.simpler().map { .first(limit: limit, in: $0) }
    case .page(let place, let limit, let session):
      [.first(limit: limit, in: session)]
        + place.simpler().map { .page(after: $0, limit: limit, in: session) }
        + limit.simpler(toward: 1).map { .page(after: place, limit: $0, in: session) }
        + session.simpler().map { .page(after: place, limit: limit, in: $0) }
    case .pageAfterForeign(let place, let session):
      [.pageAfterNothing(in: session)] + place.simpler().map { .pageAfterForeign($0, in: session) }
        + session.simpler().map { .pageAfterForeign(place, in: $0) }
    case .pageAfterNothing(let session): session.simpler().map { .pageAfterNothing(in: $0) }
    }
  }
}

extension HistoryModel {
  fileprivate func speaker(_ session: Int) -> FeedSpeaker? {
    sessions.indices.contains(session) ? sessions[session].speaker.value : nil
  }
}
