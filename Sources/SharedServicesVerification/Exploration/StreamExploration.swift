public import SharedServices
public import Understudy
import SharedServicesContracts

extension Exploration where Command == StreamCommand {
  /// What is said in a session, and what those are told who follow it from different places.
  public static var messageStream: Self {
    Exploration("stream") { trial in StreamModel(speaker: Handle(try await trial.given(.speaker))) }
  }
}

/// What was said in a session, as simply as it can be written down: the ids of what is whole.
public struct StreamModel: Sendable, Hashable {
  let speaker: Handle<FeedSpeaker>
  /// The ids, in the order in which the messages became whole.
  var said: [String] = []
  /// Answers that were begun, and not finished.
  var begun: [String] = []
  var followers: [Follower] = []

  struct Follower: Sendable, Hashable {
    let session: Handle<OpenSession>
    /// How many messages they were told, or named as known.
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

  /// Says something that marks the end, and reads to it; `nil` if somebody else reads.
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

/// Something that is said in a session, or a call of a stream.
///
/// Messages, answers and followers are meant by their places among all, from 0.
public enum StreamCommand: ExplorationCommand {
  /// The user says something.
  case say
  /// The assistant begins an answer.
  case begin
  /// The assistant writes on an answer.
  case write(Int)
  /// An answer becomes whole.
  case finish(Int)
  /// Follows from the beginning, or behind a message.
  case follow(after: Int?)
  /// Reads what was told so far, up to a mark that is said for it.
  case read(Int)

  /// A call, more often one that says something.
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

  /// What each follower was told.
  public static func observations(of model: StreamModel) -> [Self] {
    model.followers.indices.map { .read($0) }
  }

  /// The call; `nil` where there is no such message, answer or follower.
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
        // Finished twice it is whole once.
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
      // Somebody else reads.
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

  /// The same of an earlier message, answer or follower, and from the beginning.
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
