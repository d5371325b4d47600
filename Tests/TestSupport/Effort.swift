import Foundation
package import Testing

/// How much the tests with generated inputs try: `UNDERSTUDY_EFFORT`, or 1.
///
/// A default run tries a sample, so that it takes seconds. `.ci/night inputs` tries everything, with an effort of 20.
package enum Effort {
  private static let factor =
    ProcessInfo.processInfo.environment["UNDERSTUDY_EFFORT"].flatMap(UInt16.init).map(Int.init) ?? 1

  /// Whether a test tries all that it can, such as every position of a document, instead of a sample.
  package static var isFull: Bool { factor >= 20 }

  /// The condition of a test that runs only with full effort.
  package static var needsAll: ConditionTrait {
    .enabled(if: isFull, "Set UNDERSTUDY_EFFORT=20 to run it; a default run tries the same in other tests.")
  }

  /// The number of inputs to generate, from that of a default run.
  package static func times(_ count: Int) -> Int { count * max(1, factor) }

  /// All elements with full effort; otherwise every `step`th, from the first.
  package static func some<Elements: RandomAccessCollection>(
    of elements: Elements, every step: Int
  ) -> [Elements.Element] {
    isFull ? Array(elements) : elements.enumerated().filter { $0.offset.isMultiple(of: step) }.map(\.element)
  }
}
