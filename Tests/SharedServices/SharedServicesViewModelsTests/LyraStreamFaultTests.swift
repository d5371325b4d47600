import SharedServicesViewModels
import TestSupport
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyTesting

/// What the screen shows of an answer of six events when something goes wrong at each of them, wherever that is.
///
/// The tables are written by hand from the rules of `LyraViewModel`; nothing in them is computed.
@MainActor
@Suite(.stallLimit()) struct LyraStreamFaultTests {
  typealias Shown = ShownConversation
  typealias Place = FaultyConversation.Place

  nonisolated static let whole = "< Café naps help 👩‍👧.[Sleep, Rest]"

  /// One row: what the answer's bubble shows while it grows, and what stays of it at last, if anything.
  struct Row: Sendable, CustomTestStringConvertible {
    /// How many events come.
    var events: Int
    var growth: [String]
    var rest: String?
    /// What the backend holds of the answer.
    var stored: String?

    var testDescription: String { "\(events) event(s)" }
  }

  /// A stream that breaks after so many events.
  nonisolated static let broken: [Row] = [
    Row(events: 0, growth: []),
    Row(events: 1, growth: []),
    Row(events: 2, growth: ["< [Sleep]"], rest: "< [Sleep]…"),
    Row(events: 3, growth: ["< [Sleep]", "< Café [Sleep]"], rest: "< Café [Sleep]…"),
    Row(
      events: 4, growth: ["< [Sleep]", "< Café [Sleep]", "< Café naps [Sleep, Rest]"],
      rest: "< Café naps [Sleep, Rest]…"),
    // The answer is complete and stored before its last event is sent, so only the news of that is lost.
    Row(
      events: 5,
      growth: [
        "< [Sleep]", "< Café [Sleep]", "< Café naps [Sleep, Rest]", "< Café naps help 👩‍👧.[Sleep, Rest]",
      ], rest: "< Café naps help 👩‍👧.[Sleep, Rest]…", stored: whole),
  ]

  nonisolated static let complete = [
    Shown(), Shown(["> Why?"], isStreaming: true), Shown(["> Why?", "< [Sleep]"], isStreaming: true),
    Shown(["> Why?", "< Café [Sleep]"], isStreaming: true),
    Shown(["> Why?", "< Café naps [Sleep, Rest]"], isStreaming: true),
    Shown(["> Why?", "< Café naps help 👩‍👧.[Sleep, Rest]"], isStreaming: true),
    Shown(["> Why?", "< Café naps help 👩‍👧.[Sleep, Rest]"]),
  ]

  /// Where the streams break; by default at both ends of the way.
  nonisolated static let places = Effort.some(of: Place.allCases, every: 3)

  // MARK: - Streams that break

  @Test(arguments: broken, places)
  func aDroppedStreamKeepsWhatWasReadWhereverItIsDropped(_ row: Row, _ place: Place) async throws {
    try await expect(row, after: .dropStream(afterEvents: row.events), at: place)
  }

  @Test(arguments: broken, places)
  func aStreamThatEndsEarlyIsADroppedOne(_ row: Row, _ place: Place) async throws {
    try await expect(row, after: .endStream(afterEvents: row.events), at: place)
  }

  @Test(arguments: broken, places)
  func aStalledStreamIsGivenUpWithWhatWasRead(_ row: Row, _ place: Place) async throws {
    try await expect(
      row, after: .stallStream(afterEvents: row.events), at: place, "Request timed out. Please try again.")
  }

  @Test(arguments: broken, places)
  func anEventThatCannotBeReadIsTheEnd(_ row: Row, _ place: Place) async throws {
    try await expect(
      row, after: .corruptEvent(row.events + 1), at: place,
      "We couldn't read the server's answer. Please try again later.")
  }

  @Test(arguments: Place.allCases)
  func aLastEventThatIsNotTerminatedDoesNotCount(_ place: Place) async throws {
    try await expect(try #require(Self.broken.last), after: .unterminatedEvent, at: place)
  }

  private func expect(
    _ row: Row, after fault: Fault, at place: Place, _ message: String = Shown.interrupted
  ) async throws {
    let conversation = try await FaultyConversation.held(with: fault, at: place)
    let bubbles = ["> Why?"] + (row.rest.map { [$0] } ?? [])
    #expect(
      conversation.timeline.states == [Shown(), Shown(["> Why?"], isStreaming: true)]
        + row.growth.map { Shown(["> Why?", $0], isStreaming: true) }
        + [Shown(bubbles, message: message)])
    #expect(conversation.isIdle)
    #expect(conversation.model.messageText == "")
    #expect(try conversation.stored == ["> Why?"] + (row.stored.map { [$0] } ?? []))
  }

  // MARK: - Streams that do not

  /// There is no seventh event for anything to happen to, and characters are not cut where a reader would see it.
  @Test(
    arguments: Effort.some(
      of: [
        nil, .dropStream(afterEvents: 6), .endStream(afterEvents: 6), .stallStream(afterEvents: 6),
        .corruptEvent(7), .duplicateEvent(6), .duplicateEvent(7), .reorderEvent(6), .reorderEvent(7),
        .splitCharacters, .latency(.seconds(1)), .latency(.mobileNetwork), .dribble(),
      ] as [Fault?], every: 3), Place.allCases)
  func whatHappensToNoEventIsNotSeen(_ fault: Fault?, _ place: Place) async throws {
    let isOfBytes = fault == .splitCharacters || fault == .dribble()
    let conversation = try await FaultyConversation.held(
      with: fault, isOptional: isOfBytes ? place == .service : fault?.symptom != .delayed, at: place)
    #expect(conversation.timeline.states == Self.complete)
    #expect(conversation.isIdle)
    #expect(try conversation.stored == ["> Why?", Self.whole])
  }

  /// The events are as they come: they have no numbers by which an app could know better.
  nonisolated static let altered: [(fault: Fault, answer: String)] = [
    (.duplicateEvent(1), whole),
    (.duplicateEvent(2), "< Café naps help 👩‍👧.[Sleep, Sleep, Rest]"),
    (.duplicateEvent(3), "< Café Café naps help 👩‍👧.[Sleep, Rest]"),
    (.duplicateEvent(4), "< Café naps naps help 👩‍👧.[Sleep, Rest, Rest]"),
    (.duplicateEvent(5), "< Café naps help 👩‍👧.help 👩‍👧.[Sleep, Rest]"),
    (.reorderEvent(1), whole),
    (.reorderEvent(2), whole),
    (.reorderEvent(3), "< naps Café help 👩‍👧.[Sleep, Rest]"),
    (.reorderEvent(4), "< Café help 👩‍👧.naps [Sleep, Rest]"),
    // What comes after the event that closes the answer is none of it.
    (.reorderEvent(5), "< Café naps [Sleep, Rest]"),
  ]

  @Test(arguments: Effort.some(of: altered, every: 2), Place.allCases)
  func eventsAreShownAsTheyCome(_ row: (fault: Fault, answer: String), _ place: Place) async throws {
    let conversation = try await FaultyConversation.held(with: row.fault, at: place)
    #expect(conversation.timeline.states.last == Shown(["> Why?", row.answer]))
    #expect(conversation.isIdle)
    #expect(try conversation.stored == ["> Why?", Self.whole])
  }
}
