public import SharedServices
public import Understudy
import Foundation
import SharedServicesContracts

extension Exploration where Command == NormalizerCommand {
  /// Messages in any order and from both sources, each of which becomes the same whatever came before it.
  public static var messageNormalizer: Self {
    Exploration("normalizer") { _ in NormalizerModel() }
  }
}

/// What became of each payload, because there is no model of a normalizer that is simpler than the normalizer.
public struct NormalizerModel: Sendable, Hashable {
  /// The first result of each payload.
  fileprivate var results: [NormalizerCommand: Result<ValidatedMessage, MessageValidationError>] = [:]
}

/// A law of normalization, applied to a generated payload, which is identified by its seed.
///
/// Payloads share few ids, as the parts of a message do.
public enum NormalizerCommand: ExplorationCommand {
  /// A message of a page becomes what follows from its construction, each time the same.
  case page(Int)
  /// The same for an event.
  case event(Int)
  /// To normalize what has been normalized changes nothing.
  case again(Int)
  /// A message of the stream becomes the same as in a page.
  case bothSources(Int)
  /// The order of the members of its JSON changes nothing.
  case reordered(Int)
  /// A part of a message becomes the same part, whatever is known of the whole.
  case part(Int)

  /// Returns a random law.
  public static func random(
    in model: NormalizerModel, using generator: inout some RandomNumberGenerator
  ) -> Self {
    let seed = Int.random(in: 0..<60, using: &generator)
    return switch Int.random(in: 0..<6, using: &generator) {
    case 0: .page(seed)
    case 1: .event(seed)
    case 2: .again(seed)
    case 3: .bothSources(seed)
    case 4: .reordered(seed)
    default: .part(seed)
    }
  }

  private typealias Normalized = Result<ValidatedMessage, MessageValidationError>

  /// Returns the call; `nil` for a law that does not concern the payload.
  public func call(in model: NormalizerModel) -> ExplorationCall<any MessageNormalizing, NormalizerModel>? {
    switch self {
    case .page(let seed):
      let (message, fate) = Self.message(seed)
      return normalizing(fate) { $0.normalize(message) }
    case .event(let seed):
      let (event, fate) = Self.event(seed)
      return normalizing(fate) { $0.normalize(event) }
    case .again(let seed):
      let (message, fate) = Self.message(seed)
      guard case .message = fate else { return nil }
      return comparing("the same message without a warning") {
        let once = try $0.normalize(message).get()
        var again = message
        (again.content, again.toolOutput) = (once.content, once.toolOutput)
        let twice = try $0.normalize(again).get()
        return [once.toChatMessage() == twice.toChatMessage(), twice.warnings.isEmpty]
      }
    case .bothSources(let seed):
      let (event, fate) = Self.event(seed)
      guard case .message(let role, _, _, _) = fate, case .message(let streamed) = event,
        let text = streamed.content.text
      else { return nil }
      let message = PaginatedMessage(
        id: streamed.id, role: role.rawValue, content: text, timestamp: streamed.timestamp)
      return comparing("the same message from both sources") {
        [$0.normalize(event) == $0.normalize(message)]
      }
    case .reordered(let seed):
      let (message, _) = Self.message(seed)
      return comparing("the same message from its members in any order") {
        [try $0.normalize(message.reencoded()) == $0.normalize(message)]
      }
    case .part(let seed):
      let (message, _) = Self.message(seed)
      let part = StreamEvent.sample(message.id, .assistant(message.content, isDelta: true))
      return comparing("the part with its id and text") {
        let found = try $0.normalize(part)?.get()
        return [found?.isStreaming == true, found?.id == message.id, found?.content == message.content]
      }
    }
  }

  private func normalizing(
    _ fate: FeedPayloads.Fate, _ run: @escaping @Sendable (any MessageNormalizing) -> Normalized?
  ) -> ExplorationCall<any MessageNormalizing, NormalizerModel> {
    ExplorationCall(key: self) {
      run($0)
    } step: { [self] model, answer in
      let first = model.results[self]
      if case .value(let result?) = answer, first == nil { model.results[self] = result }
      return answer.returned("\(fate), each time") { result in
        guard let result else { return false }
        return FeedPayloads.Fate(result) == fate && result == first ?? result
      }
    }
  }

  private func comparing(
    _ expectation: String, _ laws: @escaping @Sendable (any MessageNormalizing) throws -> [Bool]
  ) -> ExplorationCall<any MessageNormalizing, NormalizerModel> {
    ExplorationCall(key: self) {
      try laws($0)
    } step: { _, answer in
      answer.returned(expectation) { $0.allSatisfy(\.self) }
    }
  }

  /// The same law for an earlier payload.
  public var simpler: [NormalizerCommand] {
    switch self {
    case .page(let seed): seed.simpler().map { .page($0) }
    case .event(let seed): seed.simpler().map { .event($0) }
    case .again(let seed): seed.simpler().map { .again($0) }
    case .bothSources(let seed): seed.simpler().map { .bothSources($0) }
    case .reordered(let seed): seed.simpler().map { .reordered($0) }
    case .part(let seed): seed.simpler().map { .part($0) }
    }
  }

  private static func message(_ seed: Int) -> (message: PaginatedMessage, fate: FeedPayloads.Fate) {
    var payloads = FeedPayloads(seed: UInt64(max(0, seed)))
    var (message, fate) = payloads.paginated()
    message.id = "\(seed % 5)"
    return (message, fate)
  }

  private static func event(_ seed: Int) -> (event: StreamEvent, fate: FeedPayloads.Fate) {
    var payloads = FeedPayloads(seed: UInt64(max(0, seed)))
    let (event, fate) = payloads.event()
    guard case .message(var message) = event else { return (event, fate) }
    message.id = "\(seed % 5)"
    return (.message(message), fate)
  }
}

extension StreamContent {
  /// The text of a whole message.
  fileprivate var text: String? {
    switch self {
    case .assistant(let text, isDelta: false), .user(let text), .thinking(let text), .system(let text, _):
      text
    default: nil
    }
  }
}

extension PaginatedMessage {
  /// Returns the message from its JSON, with the members in the opposite order.
  fileprivate func reencoded() throws -> PaginatedMessage {
    let encoder = JSONEncoder()
    let members = try [
      ("timestamp", encoder.encode(timestamp)), ("role", encoder.encode(role)), ("id", encoder.encode(id)),
      ("content", encoder.encode(content)),
    ].map { "\"\($0)\": \(String(decoding: $1, as: UTF8.self))" }
    return try JSONDecoder().decode(
      PaginatedMessage.self, from: Data("{\(members.joined(separator: ","))}".utf8))
  }
}
