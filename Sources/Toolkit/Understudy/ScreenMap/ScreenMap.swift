/// The states that a screen showed in the runs of a sweep, in groups, and what led from one to the next.
///
/// The run without a fault is the path: what users see when nothing goes wrong. All other states belong to a step of it.
package struct ScreenMap: Sendable, Hashable, Codable {
  /// Something that may lead to another state.
  package struct Cause: Sendable, Hashable, Codable {
    /// What has happened.
    package enum Kind: String, Sendable, Codable {
      /// An action of the user, or the scenario itself, which has no name.
      case action
      /// The answer of a call.
      case answer
      /// An event of a stream.
      case event
      /// The end of a sleep.
      case timer
      /// A fault that has taken effect.
      case fault
      /// The failure of the service itself.
      case failure
      /// The failure of a call of a cancelled task.
      case cancellation
      /// The beginning of an interruption.
      case interruption
      /// A call whose answer is held back.
      case late
      /// Something during `withoutFaults`.
      case check
    }

    package let kind: Kind
    /// The action, the interruption, or the operation of the call.
    package let name: String
    /// The fault, as text.
    package let fault: String?

    init(_ kind: Kind, _ name: String, _ fault: Fault? = nil) {
      (self.kind, self.name) = (kind, name)
      self.fault = fault.map { "\($0)" }
    }

    /// What led to a state, of all that has happened since the one before: the last disturbance since an action began,
    /// and without one the last event.
    init?(of events: ArraySlice<Cause>) {
      guard let last = events.last else { return nil }
      let action = events.lastIndex { $0.kind == .action || $0.kind == .check }
      self = events[(action ?? events.startIndex)...].last(where: \.isDisturbance) ?? last
    }

    /// Whether it is more than what the user does and services answer.
    var isDisturbance: Bool {
      switch kind {
      case .fault, .failure, .cancellation, .interruption, .late: true
      case .action, .answer, .event, .timer, .check: false
      }
    }
  }

  /// The first run in which something was seen.
  package struct First: Sendable, Hashable, Codable, Comparable {
    /// The number of its schedule in the sweep, from 0.
    package let number: Int
    /// The place among all that was seen in the runs of that number.
    let place: Int
    package let schedule: FaultSchedule

    package static func < (one: First, other: First) -> Bool {
      (one.number, one.place) < (other.number, other.place)
    }
  }

  /// States of one kind at one step.
  package struct Card: Sendable, Hashable, Codable {
    /// The step of the path, from 0, that was shown last.
    package let step: Int
    /// Whether the run without a fault shows it, as this step.
    package let isOnPath: Bool
    package let kind: String
    package let hasMessage: Bool
    /// The number of runs that showed it.
    package internal(set) var runs = 0
    /// The states, in the order in which they were first seen.
    package internal(set) var states: [State] = []
    package internal(set) var first: First
  }

  /// A state of a card.
  package struct State: Sendable, Hashable, Codable {
    package let state: ShownState
    /// How often it was shown.
    package internal(set) var times = 0
    package internal(set) var first: First
  }

  /// What led from a card to another one, or to the end of a run.
  package struct Arrow: Sendable, Hashable, Codable {
    package let from: Int
    /// The next card; `nil` at the end of a run.
    package let to: Int?
    /// The number of runs that took it.
    package internal(set) var runs = 0
    /// What led to it; nothing does if a run ends at once.
    package internal(set) var causes: [Occurrence] = []
    package internal(set) var first: First

    /// Whether the run without a fault takes it.
    var isOnPath: Bool { first.number == 0 && to != nil }
  }

  /// A cause of an arrow.
  package struct Occurrence: Sendable, Hashable, Codable {
    package let cause: Cause
    package internal(set) var times = 0
    package internal(set) var first: First
  }

  /// The first violation of an invariant.
  package struct Violation: Sendable, Hashable, Codable {
    package let invariant: String
    /// The card that was shown.
    package let card: Int
    /// Whether the screen stayed there, until something new began or to the end.
    package let isLasting: Bool
    /// The cards from the first one to that card.
    package let route: [Int]
    package let first: First
  }

  package internal(set) var cards: [Card] = []
  package internal(set) var arrows: [Arrow] = []
  package internal(set) var violations: [Violation] = []

  /// Whether all numbers refer to a card, and can be added.
  var isValid: Bool {
    let counts =
      cards.flatMap { [$0.runs, $0.step] + $0.states.map(\.times) }
      + arrows.flatMap { [$0.runs] + $0.causes.map(\.times) }
    let places = arrows.flatMap { [$0.from, $0.to ?? $0.from] } + violations.flatMap { [$0.card] + $0.route }
    let possible = 0...Int(clamping: Int64(1) << 40)
    return counts.allSatisfy(possible.contains) && places.allSatisfy(cards.indices.contains)
      && cards.allSatisfy { !$0.states.isEmpty }
  }
}

/// The builder of a map, from the runs of a sweep or from the maps of its shards.
struct ScreenMapBuilder {
  private var map = ScreenMap()
  /// The map, in the order in which all was first seen.
  var result: ScreenMap { map.sorted }
  /// Whether states are grouped by their kind alone, whatever their step and their data.
  private let isOverview: Bool
  /// The steps of the states of the path, by what distinguishes them.
  private var path: [String: Int] = [:]
  /// Where a state belongs that is shown after a step of the path.
  private var places: [StateKey: (card: Int, state: Int)] = [:]
  private var causes: [ArrowKey: (arrow: Int, cause: Int?)] = [:]
  /// The last runs that have shown each card and taken each arrow.
  private var lastRuns: (cards: [Int], arrows: [Int]) = ([], [])
  private var run = 0
  private var latest = (number: 0, place: 0)

  private struct StateKey: Hashable {
    let step: Int
    let text: String
  }

  private struct ArrowKey: Hashable {
    let from: Int
    let to: Int?
    let cause: ScreenMap.Cause?
  }

  /// - Parameters:
  ///   - plain: The screen in the run without a fault.
  ///   - isOverview: Whether states are grouped by their kind alone.
  init(along plain: ScreenRecord, isOverview: Bool) {
    self.isOverview = isOverview
    var steps = 0
    var last: ShownState?
    for state in plain.steps.lazy.map(\.state) where path[key(of: state)] == nil {
      // Neighbours of one kind are one step.
      if let last, !isOverview, !state.kind.isEmpty,
        (last.kind, last.message == nil) == (state.kind, state.message == nil)
      {
        path[key(of: state)] = steps - 1
      } else {
        path[key(of: state)] = steps
        steps += 1
      }
      last = state
    }
  }

  private func key(of state: ShownState) -> String {
    isOverview ? state.kind + (state.message == nil ? "" : "\n") : state.text
  }

  // MARK: - Runs

  /// Adds a run.
  ///
  /// - Parameters:
  ///   - violations: The violated invariants, with the number of the state that was shown.
  ///   - isCounted: Whether the run counts; one that does not only has violations.
  mutating func add(
    _ record: ScreenRecord, of schedule: FaultSchedule, number: Int, isCounted: Bool,
    violations: [(invariant: String, step: Int)]
  ) {
    run += 1
    if latest.number != number { latest = (number, 0) }
    var (step, route) = (0, [Int]())
    for shown in record.steps {
      latest.place += 1
      let first = ScreenMap.First(number: number, place: latest.place, schedule: schedule)
      let place = place(of: shown.state, after: step, first)
      let card = place.card
      if isCounted {
        map.cards[card].states[place.state].times += 1
        if lastRuns.cards[card] != run { map.cards[card].runs += 1 }
        lastRuns.cards[card] = run
      }
      if let previous = route.last, previous != card {
        add(from: previous, to: card, shown.cause, first, isCounted)
      }
      if map.cards[card].isOnPath { step = map.cards[card].step }
      route.append(card)
    }
    guard let last = route.last else { return }
    let first = ScreenMap.First(number: number, place: latest.place, schedule: schedule)
    add(from: last, to: nil, record.end, first, isCounted)
    for (invariant, step) in violations where !map.violations.contains(where: { $0.invariant == invariant }) {
      let step = min(max(step, 0), route.count - 1)
      let next = step + 1 < route.count ? record.steps[step + 1].cause?.kind : nil
      map.violations.append(
        ScreenMap.Violation(
          invariant: invariant, card: route[step], isLasting: [nil, .action, .check].contains(next),
          route: Array(route[...step]), first: first))
    }
  }

  private mutating func place(of state: ShownState, after step: Int, _ first: ScreenMap.First)
    -> (card: Int, state: Int)
  {
    let key = StateKey(step: step, text: state.text)
    if let known = places[key] { return known }
    let ofPath = path[self.key(of: state)]
    let card = index(
      of: ScreenMap.Card(
        step: ofPath ?? step, isOnPath: ofPath != nil, kind: state.kind, hasMessage: state.message != nil,
        first: first))
    let place = (card, index(of: ScreenMap.State(state: state, first: first), in: card))
    places[key] = place
    return place
  }

  private mutating func add(
    from: Int, to: Int?, _ cause: ScreenMap.Cause?, _ first: ScreenMap.First, _ isCounted: Bool
  ) {
    let key = ArrowKey(from: from, to: to, cause: cause)
    let place: (arrow: Int, cause: Int?)
    if let known = causes[key] {
      place = known
    } else {
      let arrow = index(of: ScreenMap.Arrow(from: from, to: to, first: first))
      place = (arrow, cause.map { index(of: ScreenMap.Occurrence(cause: $0, first: first), in: arrow) })
      causes[key] = place
    }
    guard isCounted else { return }
    if let cause = place.cause { map.arrows[place.arrow].causes[cause].times += 1 }
    if lastRuns.arrows[place.arrow] != run { map.arrows[place.arrow].runs += 1 }
    lastRuns.arrows[place.arrow] = run
  }

  // MARK: - Places

  // The place of an equal card, state, arrow or cause, whose first run is then the earlier one; or a new place.

  private mutating func index(of card: ScreenMap.Card) -> Int {
    let known = map.cards.firstIndex {
      $0.isOnPath == card.isOnPath && ($0.step == card.step || isOverview && !card.isOnPath)
        && (card.isOnPath || ($0.kind, $0.hasMessage) == (card.kind, card.hasMessage))
    }
    if let known {
      if card.first < map.cards[known].first {
        let old = map.cards[known]
        map.cards[known] = ScreenMap.Card(
          step: card.step, isOnPath: card.isOnPath, kind: card.kind, hasMessage: card.hasMessage,
          runs: old.runs,
          states: old.states, first: card.first)
      }
      return known
    }
    map.cards.append(card)
    lastRuns.cards.append(0)
    return map.cards.count - 1
  }

  private mutating func index(of state: ScreenMap.State, in card: Int) -> Int {
    map.cards[card].states.place(of: state) { $0.state == state.state }
  }

  private mutating func index(of arrow: ScreenMap.Arrow) -> Int {
    let place = map.arrows.place(of: arrow) { ($0.from, $0.to) == (arrow.from, arrow.to) }
    if place == lastRuns.arrows.count { lastRuns.arrows.append(0) }
    return place
  }

  private mutating func index(of cause: ScreenMap.Occurrence, in arrow: Int) -> Int {
    map.arrows[arrow].causes.place(of: cause) { $0.cause == cause.cause }
  }
}

/// A part of a map that was first seen in some run.
private protocol FirstSeen {
  var first: ScreenMap.First { get set }
}

extension ScreenMap.State: FirstSeen {}
extension ScreenMap.Arrow: FirstSeen {}
extension ScreenMap.Occurrence: FirstSeen {}

extension Array where Element: FirstSeen {
  /// The place of an element that is the same as a new one, and was seen no later than it; or of the new one, at the end.
  fileprivate mutating func place(of new: Element, where isSame: (Element) -> Bool) -> Int {
    guard let known = firstIndex(where: isSame) else {
      append(new)
      return count - 1
    }
    self[known].first = Swift.min(self[known].first, new.first)
    return known
  }
}

// MARK: - Merging

extension ScreenMapBuilder {
  /// The map of all runs of several shards, in the order in which the complete sweep would see them.
  static func merged(_ maps: [ScreenMap], isOverview: Bool) -> ScreenMap {
    var builder = ScreenMapBuilder(along: ScreenRecord(), isOverview: isOverview)
    for map in maps { builder.add(map) }
    return builder.result
  }

  private mutating func add(_ other: ScreenMap) {
    let cards = other.cards.map { card in
      var new = card
      (new.runs, new.states) = (0, [])
      let place = index(of: new)
      map.cards[place].runs += card.runs
      for state in card.states {
        let known = index(of: ScreenMap.State(state: state.state, first: state.first), in: place)
        map.cards[place].states[known].times += state.times
      }
      return place
    }
    for arrow in other.arrows {
      let place = index(
        of: ScreenMap.Arrow(from: cards[arrow.from], to: arrow.to.map { cards[$0] }, first: arrow.first))
      map.arrows[place].runs += arrow.runs
      for cause in arrow.causes {
        let known = index(of: ScreenMap.Occurrence(cause: cause.cause, first: cause.first), in: place)
        map.arrows[place].causes[known].times += cause.times
      }
    }
    for violation in other.violations {
      let known = map.violations.firstIndex { $0.invariant == violation.invariant }
      if let known, map.violations[known].first < violation.first { continue }
      if let known { map.violations.remove(at: known) }
      map.violations.append(violation.placed { cards[$0] })
    }
  }
}

extension ScreenMap {
  fileprivate var sorted: ScreenMap {
    let order = cards.indices.sorted { cards[$0].first < cards[$1].first }
    var places = Array(repeating: 0, count: order.count)
    for (place, card) in order.enumerated() { places[card] = place }
    var map = ScreenMap()
    map.cards = order.map { place in
      var card = cards[place]
      card.states.sort { $0.first < $1.first }
      return card
    }
    map.arrows = arrows.map { arrow in
      Arrow(
        from: places[arrow.from], to: arrow.to.map { places[$0] }, runs: arrow.runs,
        causes: arrow.causes.sorted { $0.first < $1.first }, first: arrow.first)
    }.sorted { ($0.first, $0.to == nil ? 1 : 0) < ($1.first, $1.to == nil ? 1 : 0) }
    map.violations = violations.map { $0.placed { places[$0] } }.sorted {
      ($0.first, $0.invariant) < ($1.first, $1.invariant)
    }
    return map
  }
}

extension ScreenMap.Violation {
  fileprivate func placed(_ place: (Int) -> Int) -> Self {
    Self(invariant: invariant, card: place(card), isLasting: isLasting, route: route.map(place), first: first)
  }
}
