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
    tables[Kind(interaction: seen.interaction, injectionPoint: seen.injectionPoint)] ?? []
  }

  private struct Kind: Hashable {
    let interaction: Fault.Interaction
    let injectionPoint: InjectionPoint
  }

  private static let tables: [Kind: [Fault]] = {
    var tables: [Kind: [Fault]] = [:]
    for interaction in [Fault.Interaction.call, .stream, .webSocket] {
      for injectionPoint in InjectionPoint.allCases {
        tables[Kind(interaction: interaction, injectionPoint: injectionPoint)] =
          Fault.all(of: interaction).filter { $0.applies(to: injectionPoint) }
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
