public import SharedServices
public import Understudy
import SharedServicesContracts

extension Exploration where Command == HistoryCommand {
  /// The pages of a session to which messages are added.
  public static var messageHistory: Self {
    Exploration("history") { trial in
      HistoryModel(speaker: Handle(try await trial.given(.speaker)))
    }
  }
}

/// A minimal model of a session's messages.
public struct HistoryModel: Sendable, Hashable {
  let speaker: Handle<FeedSpeaker>
  /// The ids and the texts of the messages, oldest first.
  var said: [Said] = []

  struct Said: Sendable, Hashable {
    let id: String
    let words: String
  }
}

/// A message that is added to a session, or a request for a page.
public enum HistoryCommand: ExplorationCommand {
  /// Adds a message of the user.
  case say(String)
  /// Requests the first page.
  case first(limit: Int)
  /// Requests the page after a message, by its index in the session, from 0.
  case page(after: Int, limit: Int)
  /// Requests the page after a missing message.
  case pageAfterNothing

  /// Returns a random call, most often one that adds a message.
  public static func random(
    in model: HistoryModel, using generator: inout some RandomNumberGenerator
  ) -> Self {
    let limit = Int.random(in: 0...4, using: &generator)
    return switch Int.random(in: 0..<8, using: &generator) {
    case 0, 1, 2: .say(["Hello", "Zoë", ""][Int.random(in: 0..<3, using: &generator)])
    case 3: .first(limit: limit)
    case 4: .pageAfterNothing
    default: .page(after: model.said.indices.randomElement(using: &generator) ?? 0, limit: limit)
    }
  }

  /// All messages.
  public static func observations(of model: HistoryModel) -> [Self] { [.first(limit: 100)] }

  /// Returns the call; `nil` for a page after a message that was not added yet.
  public func call(in model: HistoryModel) -> ExplorationCall<any MessageHistoryService, HistoryModel>? {
    switch self {
    case .say(let words):
      let speaker = model.speaker.value
      return ExplorationCall { _ in
        speaker.say(.user(words))
      } step: { model, answer in
        if let id = answer.value { model.said.append(HistoryModel.Said(id: id, words: words)) }
        return answer.returned
      }
    case .first(let limit): return page(of: model, after: nil, limit)
    case .page(let place, let limit):
      guard model.said.indices.contains(place) else { return nil }
      return page(of: model, after: model.said[place].id, limit)
    case .pageAfterNothing:
      let id = model.speaker.value.sessionID
      return ExplorationCall {
        try await $0.page(of: id, after: "nothing", limit: 1)
      } step: { _, answer in
        answer.threw(AppError.feed(.cursorNotFound))
      }
    }
  }

  private func page(
    of model: HistoryModel, after cursor: String?, _ limit: Int
  ) -> ExplorationCall<any MessageHistoryService, HistoryModel> {
    let id = model.speaker.value.sessionID
    return ExplorationCall {
      try await $0.page(of: id, after: cursor, limit: limit)
    } step: { model, answer in
      guard limit > 0 else { return answer.threw(AppError.feed(.invalidParameters)) }
      var offset = 0
      if let cursor {
        guard let place = model.said.firstIndex(where: { $0.id == cursor }) else {
          return answer.threw(AppError.feed(.cursorNotFound))
        }
        offset = place + 1
      }
      let expected = model.said.dropFirst(offset).prefix(limit)
      let hasMore = offset + expected.count < model.said.count
      return answer.returned(
        "\(expected.map(\.words)) from \(offset) of \(model.said.count), and \(hasMore ? "more" : "no more")"
      ) { page in
        page.messages.map(\.id) == expected.map(\.id)
          && page.messages.map(\.content) == expected.map(\.words)
          && page.pagination.total == model.said.count && page.pagination.offset == offset
          && page.pagination.limit == limit && page.pagination.hasMore == hasMore
          && (page.pagination.nextCursor != nil) == hasMore
      }
    }
  }

  /// The first page, the same page after an earlier message, and a smaller page.
  public var simpler: [HistoryCommand] {
    switch self {
    case .say(let words): words == "Hello" ? [] : [.say("Hello")]
    case .first(let limit): limit.simpler(toward: 1).map { .first(limit: $0) }
    case .page(let place, let limit):
      [.first(limit: limit)] + place.simpler().map { .page(after: $0, limit: limit) }
        + limit.simpler(toward: 1).map { .page(after: place, limit: $0) }
    case .pageAfterNothing: []
    }
  }
}
