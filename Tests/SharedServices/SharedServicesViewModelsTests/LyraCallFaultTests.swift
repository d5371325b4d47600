import SharedServicesViewModels
import TestSupport
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyTesting

/// What the screen shows after each fault of the catalogue in each call that it makes, at each injection point.
///
/// The tables are written by hand from the rules of `LyraViewModel` and the meanings of the faults.
@MainActor
@Suite(.stallLimit()) struct LyraCallFaultTests {
  typealias Shown = ShownConversation
  typealias Place = FaultyConversation.Place

  /// What becomes of a question.
  enum Outcome: Sendable {
    /// It is back in the field.
    case refused
    /// It is back in the field, although the backend has stored it: its answer was lost, so the app cannot know.
    case refusedButStored
    /// It stays, and no answer comes.
    case interrupted
    /// It is back in the field, and no failure is shown.
    case cancelled
  }

  /// The faults that end a question before the answer begins.
  nonisolated static let outcomes: [(fault: Fault, outcome: Outcome)] = [
    (.unauthorized, .refused), (.forbidden, .refused), (.notFound, .refused), (.notAcceptable, .refused),
    (.conflict, .refused), (.unprocessable, .refused), (.rateLimited(retryAfter: .seconds(30)), .refused),
    (.rateLimited(retryAfter: nil), .refused), (.serverError, .refused), (.unavailable, .refused),
    (.gatewayTimeout, .refused), (.timeout, .refused), (.offline, .refused), (.hostNotFound, .refused),
    (.connectionRefused, .refused), (.connectionLost, .refused),
    (.answerLost, .refusedButStored), (.emptyReply, .refusedButStored),
    (.unreadableAnswer, .refusedButStored),
    // The head of the answer has come, and with it the news that the question is stored.
    (.timeoutInBody(), .interrupted), (.truncatedBody(), .interrupted), (.truncatedChunk(), .interrupted),
    (.resetInBody(), .interrupted), (.malformedChunk(), .interrupted), (.brokenGzip, .interrupted),
    (.garbage, .refusedButStored), (.redirectLoop, .refused),
    (.cancelled, .cancelled),
  ]

  /// The faults that `LyraStreamFaultTests` tries at every event.
  nonisolated static let ofEvents: [Fault] = [
    .dropStream(), .endStream(), .stallStream(), .corruptEvent(), .unterminatedEvent, .duplicateEvent(),
    .reorderEvent(), .splitCharacters, .latency(.seconds(1)), .latency(.mobileNetwork), .dribble(),
  ]

  /// Every second fault at one place, which differs from fault to fault; with full effort all at all.
  nonisolated static func sample<Row>(_ rows: [Row], at place: Place) -> [Row] {
    let places = Place.allCases
    let own = places.firstIndex(of: place) ?? 0
    return Effort.some(of: rows, every: 2 * places.count, from: own)
  }

  /// Of a call that returns no stream, a fault of one spoils the whole answer.
  private static func message(_ fault: Fault) -> String? {
    let ofStreams: [Fault: Fault] = [
      .dropStream(): .connectionLost, .endStream(): .connectionLost, .unterminatedEvent: .connectionLost,
      .stallStream(): .timeout, .corruptEvent(): .unreadableAnswer,
    ]
    return expectedMessage(ofStreams[fault] ?? fault)
  }

  @Test func theTablesHaveEveryFaultOfTheCatalogue() {
    let listed = Set(Self.outcomes.map(\.fault) + Self.ofEvents)
    #expect(Set(Fault.all(of: .stream)).union(Fault.failures(of: .stream)) == listed)
    #expect(Self.outcomes.count + Self.ofEvents.count == listed.count)
  }

  @Test(arguments: Place.allCases)
  func aQuestionStaysIfTheServiceSaysItTookIt(_ place: Place) async throws {
    for row in Self.sample(Self.outcomes, at: place) { try await expect(row.outcome, of: row.fault, place) }
  }

  private func expect(_ outcome: Outcome, of fault: Fault, _ place: Place) async throws {
    let conversation = try await FaultyConversation.held(with: fault, at: place)
    let message = expectedMessage(fault)
    let (end, field, stored): (Shown, String, [String]) =
      switch outcome {
      case .refused: (Shown(message: message), "Why?", [])
      case .refusedButStored: (Shown(message: message), "Why?", ["> Why?"])
      case .interrupted: (Shown(["> Why?"], message: message), "", ["> Why?"])
      case .cancelled: (Shown(), "Why?", [])
      }
    #expect(
      conversation.timeline.states == [Shown(), Shown(["> Why?"], isStreaming: true), end], "\(fault)")
    #expect(conversation.model.messageText == field, "\(fault)")
    #expect(conversation.isIdle, "\(fault)")
    #expect(try conversation.stored == stored, "\(fault)")
  }

  /// Of a call that returns no stream, a fault of one spoils the whole answer.
  @Test(arguments: Place.allCases)
  func withoutAConversationThereIsNoQuestion(_ place: Place) async throws {
    for fault in Self.sample(Fault.failures(of: .stream), at: place) {
      let conversation = try await FaultyConversation.held(with: fault, in: .start, at: place)
      #expect(
        conversation.timeline.states == [
          Shown(), Shown(["> Why?"], isStreaming: true), Shown(message: Self.message(fault)),
        ], "\(fault)")
      #expect(conversation.model.messageText == "Why?", "\(fault)")
      #expect(conversation.model.conversationID == nil, "\(fault)")
      #expect(conversation.isIdle, "\(fault)")
      #expect(try conversation.stored == [], "\(fault)")
    }
  }

  @Test(arguments: Place.allCases)
  func aHistoryThatCannotBeLoadedLeavesWhatIsShown(_ place: Place) async throws {
    for fault in Self.sample(Fault.failures(of: .stream), at: place) {
      let conversation = try await FaultyConversation.held(with: fault, in: .history, at: place)
      #expect(
        conversation.timeline.states.last
          == Shown(["> Why?", LyraStreamFaultTests.whole], message: Self.message(fault)), "\(fault)")
      #expect(conversation.isIdle, "\(fault)")
      #expect(try conversation.stored == ["> Why?", LyraStreamFaultTests.whole], "\(fault)")
    }
  }

  @Test(arguments: Place.allCases)
  func aHistoryShowsWhatTheBackendHolds(_ place: Place) async throws {
    let conversation = try await FaultyConversation.held(with: nil, in: .history, at: place)
    #expect(conversation.timeline.states.last == Shown(try conversation.stored))
    #expect(try conversation.stored == ["> Why?", LyraStreamFaultTests.whole])
    #expect(conversation.isIdle)
  }
}
