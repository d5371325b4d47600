public import SharedServices
public import Understudy
import SharedServicesContracts

extension Exploration where Command == StreamCommand {
  /// The messages of a session and the updates of followers from different positions.
  public static var messageStream: Self {
    Exploration("stream") { trial in StreamModel(speaker: Handle(try await trial.given(.speaker))) }
  }
}

/// A minimal model of a session: the ids of its whole messages.
public struct StreamModel: Sendable, Hashable {
  let speaker: Handle<FeedSpeaker>
  /// The ids, in the order in which the messages were completed.
  var said: [String] = []
  /// The ids of unfinished answers.
  var begun: [String] = []
  var followers: [Follower] = []

  struct Follower: Sendable, Hashable {
    let session: Handle<OpenSession>
    /// The number of messages that the follower has received, or named as its position.
    var told: Int
  }
}

/// A session that one task reads at a time.
final class OpenSession: Sendable {
  private let session: FollowedSession
  private let readers = OneAtATime()

  init(_ session: FollowedSession) {
    self.session = session
  }

  /// Adds a message that marks the end and reads up to it; `nil` if another task reads.
  func read(saying mark: () -> String) async throws -> (mark: String, told: [String])? {
    try await readers.run {
      let mark = mark()
      var told: [String] = []
      while told.last != mark, let update = try await session.next(1).first ?? nil {
        told += [update].wholeMessages
      }
      return (mark, told)
    }
  }
}

/// A message that is added to a session, or a call of a stream.
///
/// Indices identify messages, answers and followers among all, from 0.
public enum StreamCommand: ExplorationCommand {
  /// Adds a message of the user.
  case say
  /// The assistant begins an answer.
  case begin
  /// The assistant appends to an answer.
  case write(Int)
  /// The assistant completes an answer.
  case finish(Int)
  /// Follows the session from the beginning, or after a message.
  case follow(after: Int?)
  /// Reads the updates so far, up to a mark.
  case read(Int)

  /// Returns a random call, most often one that adds a message.
  public static func random(
    in model: StreamModel, using generator: inout some RandomNumberGenerator
  ) -> Self {
    let answer = model.begun.indices.randomElement(using: &generator) ?? 0
    return switch Int.random(in: 0..<12, using: &generator) {
    case 0, 1, 2: .say
    case 3: .begin
    case 4: .write(answer)
    case 5: .finish(answer)
    case 6: .follow(after: nil)
    case 7: .follow(after: model.said.indices.randomElement(using: &generator))
    default: .read(model.followers.indices.randomElement(using: &generator) ?? 0)
    }
  }

  /// Returns the messages that each follower received.
  public static func observations(of model: StreamModel) -> [Self] {
    model.followers.indices.map { .read($0) }
  }

  /// Returns the call; `nil` if the message, the answer or the follower does not exist.
  public func call(in model: StreamModel) -> ExplorationCall<any MessageStreamService, StreamModel>? {
    let speaker = model.speaker.value
    switch self {
    case .say:
      return ExplorationCall { _ in
        speaker.say(.user("Hello"))
      } step: { model, answer in
        if let id = answer.value { model.said.append(id) }
        return answer.returned
      }
    case .begin:
      return ExplorationCall { _ in
        speaker.begin()
      } step: { model, answer in
        if let id = answer.value { model.begun.append(id) }
        return answer.returned
      }
    case .write(let place):
      guard model.begun.indices.contains(place) else { return nil }
      let id = model.begun[place]
      return ExplorationCall { _ in
        speaker.write("é ", id)
      } step: {
        $1.returned
      }
    case .finish(let place):
      guard model.begun.indices.contains(place) else { return nil }
      let id = model.begun[place]
      return ExplorationCall { _ in
        speaker.finish(id)
      } step: { model, answer in
        // Completing an answer twice has the effect of completing it once.
        if let place = model.begun.firstIndex(of: id) {
          model.begun.remove(at: place)
          model.said.append(id)
        }
        return answer.returned
      }
    case .follow(let place):
      let known = place.map { model.said.indices.contains($0) ? model.said[$0] : "" }
      return known == "" ? nil : follow(speaker.sessionID, after: known)
    case .read(let place):
      guard model.followers.indices.contains(place) else { return nil }
      return read(model.followers[place].session, speaker)
    }
  }

  private func follow(
    _ sessionID: String, after messageID: String?
  ) -> ExplorationCall<any MessageStreamService, StreamModel> {
    ExplorationCall { service in
      Handle(
        OpenSession(FollowedSession(updates: try await service.updates(of: sessionID, after: messageID))))
    } step: { model, answer in
      let told = messageID.map { id in model.said.firstIndex(of: id).map { $0 + 1 } } ?? 0
      guard let told else { return .impossible(expected: "to follow behind what was said") }
      if let session = answer.value { model.followers.append(.init(session: session, told: told)) }
      return answer.returned
    }
  }

  private func read(
    _ session: Handle<OpenSession>, _ speaker: FeedSpeaker
  ) -> ExplorationCall<any MessageStreamService, StreamModel> {
    ExplorationCall { _ in
      try await session.value.read { speaker.say(.user("Mark")) }
    } step: { model, answer in
      // Another task reads the session.
      if case .value(nil) = answer { return .possible }
      guard let place = model.followers.firstIndex(where: { $0.session == session }) else {
        return .impossible(expected: "a reader who follows")
      }
      if let mark = answer.value??.mark { model.said.append(mark) }
      let expected = Array(model.said[model.followers[place].told...])
      model.followers[place].told = model.said.count
      return answer.returned("\(expected)") { $0?.told == expected }
    }
  }

  /// The same call for an earlier message, answer or follower, and from the beginning.
  public var simpler: [StreamCommand] {
    switch self {
    case .say, .begin, .follow(after: nil): []
    case .write(let place): place.simpler().map { .write($0) }
    case .finish(let place): [.say] + place.simpler().map { .finish($0) }
    case .follow(let place?): [.follow(after: nil)] + place.simpler().map { .follow(after: $0) }
    case .read(let place): place.simpler().map { .read($0) }
    }
  }
}
