/// Every single fault at every call that is made without a fault.
struct SingleFaults: Sendable {
  /// The entries, ordered by call, then as in the catalogue.
  let all: [FaultSchedule.Entry]
  /// The calls.
  let points: Set<FaultPoint>
  /// The indices in ``all`` of the catalogue's entries, which pairs use.
  let catalogued: [Int]

  /// - Parameter seen: The calls of the run without a fault.
  init(of seen: [SeenPoint]) {
    var all: [FaultSchedule.Entry] = []
    var catalogued: [Int] = []
    for seen in seen.sorted(by: { $0.point < $1.point }) {
      catalogued += all.count..<(all.count + Self.catalogue(for: seen).count)
      all += Self.all(at: seen)
    }
    self.all = all
    self.catalogued = catalogued
    points = Set(seen.map(\.point))
  }

  /// The faults of one call: those of the catalogue first.
  static func all(at seen: SeenPoint) -> [FaultSchedule.Entry] {
    let faults = catalogue(for: seen)
    return (faults + atEveryEvent(of: seen, besides: faults)).map { FaultSchedule.Entry(seen.point, $0) }
  }

  /// The faults of the catalogue that have an effect on a call.
  static func catalogue(for seen: SeenPoint) -> [Fault] {
    seen.interaction.flatMap {
      tables[Kind(interaction: $0, injectionPoint: seen.injectionPoint, form: seen.form)]
    } ?? []
  }

  private struct Kind: Hashable {
    let interaction: Fault.Interaction
    let injectionPoint: InjectionPoint
    let form: CallForm
  }

  private static let tables: [Kind: [Fault]] = {
    var tables: [Kind: [Fault]] = [:]
    for interaction in [Fault.Interaction.call, .stream, .webSocket] {
      for injectionPoint in InjectionPoint.allCases {
        for form in CallForm.allCases {
          tables[Kind(interaction: interaction, injectionPoint: injectionPoint, form: form)] =
            Fault.all(of: interaction).filter { $0.applies(to: injectionPoint) && form.takes($0) }
        }
      }
    }
    return tables
  }()

  /// The maximum number of events of a stream at which faults are tried, starting at the first.
  static let eventLimit = 12

  /// The stream faults at each event, where the catalogue has them at only one.
  private static func atEveryEvent(of seen: SeenPoint, besides known: [Fault]) -> [Fault] {
    guard seen.interaction != .call, seen.events > 0 else { return [] }
    let count = min(seen.events, eventLimit)
    var faults = (0..<count).flatMap { place -> [Fault] in
      [.dropStream(afterEvents: place), .endStream(afterEvents: place), .stallStream(afterEvents: place)]
    }
    faults += (1...count).flatMap { number -> [Fault] in
      [.corruptEvent(number), .duplicateEvent(number), .reorderEvent(number)]
    }
    return faults.filter { !known.contains($0) }
  }
}

/// Every single interruption, and every late answer, of the calls that are made without a fault.
struct Interleavings: Sendable {
  /// The entries, ordered by call.
  let all: [FaultSchedule.Entry]
  private let points: Set<FaultPoint>

  /// - Parameters:
  ///   - seen: The calls of the run without a fault.
  ///   - names: The names of the scenario's interruptions.
  init(of seen: [SeenPoint], by names: [String]) {
    all = seen.sorted { $0.point < $1.point }.flatMap { Self.all(at: $0, by: names) }
    points = Set(seen.map(\.point))
  }

  /// The interruptions of one call, and its late answer; or the interruptions before a timer fires.
  static func all(at seen: SeenPoint, by names: [String]) -> [FaultSchedule.Entry] {
    // Nothing can happen during it.
    if seen.form == .synchronous { return [] }
    let names = (seen.action == "" ? [ScenarioRun.cancelling, ScenarioRun.restarting] : []) + names
    if seen.interaction == nil {
      guard seen.point.call <= SingleFaults.eventLimit else { return [] }
      return names.map { FaultSchedule.Entry(seen.point, .interruption($0, .request)) }
    }
    var moments: [FaultSchedule.Moment] = [.request, .answer]
    if seen.interaction != .call, seen.events > 0 {
      moments += (1...min(seen.events, SingleFaults.eventLimit)).map { .event($0) }
    }
    return moments.flatMap { moment in
      names.map { FaultSchedule.Entry(seen.point, .interruption($0, moment)) }
    } + [FaultSchedule.Entry(seen.point, .late)]
  }

  /// The entries with which an interruption is tried a second time, each by itself: the interrupted call fails; a call of
  /// the interruption, or one that is made because of it, fails; and such a call is late, so that the interrupted action
  /// ends first.
  ///
  /// - Parameter seen: The calls of the run with the interruption alone.
  func variants(of entry: FaultSchedule.Entry, seen: [SeenPoint]) -> [FaultSchedule.Entry] {
    guard case .interruption(let name, let moment) = entry.disturbance else { return [] }
    return seen.sorted { $0.point < $1.point }.flatMap { seen -> [FaultSchedule.Entry] in
      let isFollowing =
        name == ScenarioRun.restarting && seen.isRestarted || seen.action == name
        || !points.contains(seen.point)
      guard isFollowing || (seen.point == entry.point && moment != .answer) else { return [] }
      let failure = SingleFaults.catalogue(for: seen).first { $0.symptom == .serverError }
      return (failure.map { [FaultSchedule.Entry(seen.point, $0)] } ?? [])
        + (isFollowing && seen.interaction != nil ? [FaultSchedule.Entry(seen.point, .late)] : [])
    }
  }
}
