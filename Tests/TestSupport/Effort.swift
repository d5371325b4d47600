import Foundation
package import Testing
import Understudy

/// How much of their inputs the tests with many of them try: `UNDERSTUDY_EFFORT`, from 1 to 20 (default: 1).
///
/// A default run tries a sample, so that it takes seconds. The parts `inputs` and `sweeps` of `.ci/night` try everything,
/// with an effort of 20. Every number between tries so many times the sample. This is the only place that reads the
/// variable for the tests of the package. A run prints at its end how many of how many inputs it tried.
package enum Effort {
  private static let factor =
    ProcessInfo.processInfo.environment["UNDERSTUDY_EFFORT"].flatMap(UInt16.init).map { max(1, Int($0)) } ?? 1
  private static let everything = 20

  /// Whether a test tries all that it can.
  package static var isFull: Bool { factor >= everything }

  /// The condition of a test that runs only with full effort, because the other tests try the same in samples.
  package static var needsAll: ConditionTrait {
    .enabled(if: isFull, "Set UNDERSTUDY_EFFORT=20 to run it; a default run tries the same in other tests.")
  }

  /// The number of inputs to generate, from that of a default run.
  package static func times(
    _ count: Int, fileID: String = #fileID, line: Int = #line
  ) -> Int {
    // As many as the night generates are all; with more effort, there are more.
    let tried = count * factor
    TriedInputs.add(tried, of: max(tried, count * everything), at: "\(fileID):\(line)")
    return tried
  }

  /// A number of inputs from `sample`, in a default run, to `all`.
  package static func number(
    _ sample: Int, of all: Int, fileID: String = #fileID, line: Int = #line
  ) -> Int {
    let tried = isFull ? all : min(all, sample * factor)
    TriedInputs.add(tried, of: all, at: "\(fileID):\(line)")
    return tried
  }

  /// A limit from `sample`, in a default run, to none.
  package static func limit(_ sample: Int) -> Int? { isFull ? nil : sample * factor }

  /// Every `step`th element in a default run, the first of them at the offset `first`.
  package static func some<Elements: RandomAccessCollection>(
    of elements: Elements, every step: Int, from first: Int = 0, fileID: String = #fileID, line: Int = #line
  ) -> [Elements.Element] {
    let step = isFull ? 1 : max(1, step / factor)
    let tried = elements.enumerated().filter { ($0.offset - first).isMultiple(of: step) }.map(\.element)
    TriedInputs.add(tried.count, of: elements.count, at: "\(fileID):\(line)")
    return tried
  }

  /// The elements in the sample; all with full effort.
  package static func some<Elements: Collection>(
    of elements: Elements, where isInSample: (Elements.Element) -> Bool, fileID: String = #fileID,
    line: Int = #line
  ) -> [Elements.Element] {
    let tried = elements.filter { isFull || isInSample($0) }
    TriedInputs.add(tried.count, of: elements.count, at: "\(fileID):\(line)")
    return tried
  }
}

/// How many of how many inputs each test has tried.
///
/// Printed when the process ends.
private enum TriedInputs {
  private static let places: Locked<[String: (tried: Int, all: Int)]> = {
    atexit { TriedInputs.summarize() }
    return Locked([:])
  }()

  static func add(_ tried: Int, of all: Int, at place: String) {
    places.withLock {
      let before = $0[place] ?? (0, 0)
      $0[place] = (before.tried + tried, before.all + all)
    }
  }

  private static func summarize() {
    let places = places.withLock { $0 }
    var lines: [String] = []
    if ProcessInfo.processInfo.environment["UNDERSTUDY_TRIED"] != nil {
      lines = places.sorted { $0.key < $1.key }.map {
        "\($0.value.tried) of \($0.value.all) inputs: \($0.key)"
      }
    }
    let tried = places.values.reduce(0) { $0 + $1.tried }
    let all = places.values.reduce(0) { $0 + $1.all }
    let more = tried < all ? " UNDERSTUDY_EFFORT=20 tries all; UNDERSTUDY_TRIED=1 lists them." : ""
    lines.append("Of tests with many inputs, \(places.count) tried \(tried) of \(all) inputs.\(more)")
    print(lines.joined(separator: "\n"))
  }
}
