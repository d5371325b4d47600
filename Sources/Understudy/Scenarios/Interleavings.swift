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

  /// The interruptions of one call, and its late answer.
  static func all(at seen: SeenPoint, by names: [String]) -> [FaultSchedule.Entry] {
    let names = (seen.action == "" ? [ScenarioRun.cancelling, ScenarioRun.restarting] : []) + names
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
        + (isFollowing ? [FaultSchedule.Entry(seen.point, .late)] : [])
    }
  }
}
