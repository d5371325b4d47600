import UnderstudyText

/// A map as it is drawn: of many cards at one step, the rarest are one.
struct DrawnMap {
  struct Card {
    let step: Int
    let isOnPath: Bool
    let kind: String
    let role: ShownState.Role
    let states: [ScreenMap.State]
    /// The number of runs that showed it; `nil` for several cards in one.
    let runs: Int?
    /// The number of runs that ended in it.
    var ends = 0
    var violations: [ScreenMap.Violation] = []

    /// What is under way, or what the card is.
    var heading: String {
      runs == nil ? "other states" : !kind.isEmpty ? kind : role == .message ? "message" : "content"
    }
    /// The heading, after the number of a step of the path.
    var name: String { isOnPath ? "\(step + 1) \(heading)" : heading }
    /// What it shows, or an example.
    var body: String {
      guard let first = states.max(by: { $0.times < $1.times })?.state else { return "" }
      if runs == nil { return Words.list(Set(states.map(\.state.kind)).filter { !$0.isEmpty }.sorted()) }
      let body = first.message ?? first.data
      return (messages > 1 || first.message == nil && contents > 1) && !body.isEmpty ? "e.g. \(body)" : body
    }
    /// How many messages and contents it has.
    var note: String {
      [(messages, "message"), (contents, "content")].filter { $0.0 > 1 }.map { Words.count($0.0, $0.1) }
        .joined(separator: ", ")
    }
    private var messages: Int { Set(states.compactMap(\.state.message)).count }
    private var contents: Int { Set(states.map(\.state.data)).count }
  }

  struct Arrow {
    let from: Int
    let to: Int
    var runs = 0
    var causes: [ScreenMap.Occurrence] = []
    /// The cause in the run without a fault, if that takes the arrow.
    var usual: ScreenMap.Cause?
    var isBroken = false

    var isOnPath: Bool { usual != nil }
    /// What led to it, by kind, the most frequent first.
    var labels: [CauseLabel] { usual.map { [CauseLabel([$0])] } ?? CauseLabel.all(of: causes) }
    /// The class of its colour.
    var style: String { isBroken ? "bad" : isOnPath ? "path" : labels.first?.style ?? "answer" }
  }

  /// By step, the one of the path first, then the most frequent.
  private(set) var cards: [Card] = []
  private(set) var arrows: [Arrow] = []

  /// The number of cards beside a step of the path, of which the last may stand for several.
  static let mostAtStep = 5

  init(_ map: ScreenMap) {
    var places: [Int: Int] = [:]
    let broken = Set(map.violations.map(\.card))
    let order = map.cards.indices.sorted { one, other in
      let (a, b) = (map.cards[one], map.cards[other])
      return (a.step, a.isOnPath ? 0 : 1, broken.contains(one) ? 0 : 1, -a.runs, one)
        < (b.step, b.isOnPath ? 0 : 1, broken.contains(other) ? 0 : 1, -b.runs, other)
    }
    for (step, all) in Dictionary(grouping: order, by: { map.cards[$0].step }).sorted(by: { $0.key < $1.key })
    {
      let path = all.filter { map.cards[$0].isOnPath }
      let others = all.filter { !map.cards[$0].isOnPath }
      let most = others.count > Self.mostAtStep ? Self.mostAtStep - 1 : others.count
      for card in path + others.prefix(most) {
        places[card] = cards.count
        let old = map.cards[card]
        cards.append(
          Card(
            step: step, isOnPath: old.isOnPath, kind: old.kind, role: old.states[0].state.role,
            states: old.states, runs: old.runs))
      }
      let rest = others.dropFirst(most)
      guard let first = rest.first else { continue }
      for card in rest { places[card] = cards.count }
      cards.append(
        Card(
          step: step, isOnPath: false, kind: "", role: map.cards[first].states[0].state.role,
          states: rest.flatMap { map.cards[$0].states }, runs: nil))
    }
    for violation in map.violations { places[violation.card].map { cards[$0].violations.append(violation) } }
    add(map.arrows, places)
    for violation in map.violations {
      for (from, to) in zip(violation.route, violation.route.dropFirst()) {
        guard let place = arrows.firstIndex(where: { $0.from == places[from] && $0.to == places[to] }) else {
          continue
        }
        arrows[place].isBroken = true
      }
    }
  }

  private mutating func add(_ all: [ScreenMap.Arrow], _ places: [Int: Int]) {
    for arrow in all {
      guard let from = places[arrow.from] else { continue }
      guard let to = arrow.to.flatMap({ places[$0] }) else {
        cards[from].ends += arrow.runs
        continue
      }
      if from == to { continue }
      let known = arrows.firstIndex { $0.from == from && $0.to == to }
      let place = known ?? arrows.count
      if known == nil { arrows.append(Arrow(from: from, to: to)) }
      arrows[place].runs += arrow.runs
      arrows[place].causes += arrow.causes
      if arrow.isOnPath { arrows[place].usual = arrow.causes.first { $0.first.number == 0 }?.cause }
    }
  }
}

/// Causes of one kind in a few words.
struct CauseLabel {
  let kind: ScreenMap.Cause.Kind
  let words: String
  var times = 0

  /// The labels of causes, the most frequent first.
  static func all(of causes: [ScreenMap.Occurrence]) -> [CauseLabel] {
    Dictionary(grouping: causes, by: { $0.cause.kind }).map { _, all in
      var label = CauseLabel(all.sorted { ($1.times, $0.first) < ($0.times, $1.first) }.map(\.cause))
      label.times = all.reduce(0) { $0 + $1.times }
      return label
    }.sorted { ($1.times, $0.words) < ($0.times, $1.words) }
  }

  /// - Parameter causes: Causes of one kind, the most frequent first.
  init(_ causes: [ScreenMap.Cause]) {
    let kind = causes[0].kind
    self.kind = kind
    var names: [String] = []
    for cause in causes {
      let name = cause.name.split(separator: ".").last.map(String.init) ?? "the scenario"
      if !names.contains(name) { names.append(name) }
    }
    let list = names.prefix(2).joined(separator: ", ") + (names.count > 2 ? " +\(names.count - 2)" : "")
    switch kind {
    case .answer:
      words = names.count > 1 ? "\(names[0]) +\(names.count - 1) answers" : "\(list) answers"
    case .event: words = "event of \(list)"
    case .timer: words = "a timer fires"
    case .fault:
      let faults = Set(causes.compactMap(\.fault))
      let what = faults.count == 1 ? faults.first ?? "" : Words.count(faults.count, "fault")
      words = "\(what) at \(names.count > 1 ? "\(names.count) calls" : list)"
    case .failure: words = "\(list) fails"
    case .cancellation: words = "cancelled: \(list)"
    case .action, .interruption: words = list
    case .late: words = "late: \(list)"
    case .check: words = "without faults"
    }
  }

  /// A sign for those who do not see the colour.
  var sign: String {
    switch kind {
    case .action: "▸"
    case .answer: "✓"
    case .event: "≈"
    case .timer: "◷"
    case .fault: "⚡\u{FE0E}"
    case .failure: "✕"
    case .cancellation, .interruption, .late: "‖"
    case .check: "↻"
    }
  }

  /// The class of its colour.
  var style: String {
    switch kind {
    case .action: "action"
    case .answer, .event, .timer, .check: "answer"
    case .fault, .failure: "fault"
    case .cancellation, .interruption, .late: "interruption"
    }
  }
}
