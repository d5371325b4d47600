import Foundation

/// How long answers take: delays that are drawn from a seed.
public struct LatencyDistribution: Hashable, Sendable, CustomStringConvertible {
  private enum Shape: Hashable, Sendable {
    case uniform(ClosedRange<Duration>)
    case logNormal(median: Duration, ninetyNinth: Duration)
  }

  private let shape: Shape

  /// Anything between two durations, evenly spread.
  public static func uniform(_ range: ClosedRange<Duration>) -> LatencyDistribution {
    LatencyDistribution(shape: .uniform(range))
  }

  /// The long tail of a network: half of the answers are faster than the median, one in a hundred slower than the last.
  ///
  /// - Parameters:
  ///   - median: More than nothing; else every delay is `ninetyNinth`.
  ///   - ninetyNinth: The 99th percentile; below the median it counts as the median.
  public static func logNormal(median: Duration, ninetyNinth: Duration) -> LatencyDistribution {
    LatencyDistribution(shape: .logNormal(median: median, ninetyNinth: max(median, ninetyNinth)))
  }

  /// A telephone on the way: 80 ms as often as not, and 600 ms for one answer in a hundred.
  public static let mobileNetwork: LatencyDistribution = .logNormal(
    median: .milliseconds(80), ninetyNinth: .milliseconds(600))

  /// The delay that half of the answers stay below.
  public var median: Duration {
    switch shape {
    case .uniform(let range): range.lowerBound + (range.upperBound - range.lowerBound) / 2
    case .logNormal(let median, _): median
    }
  }

  /// The shortest and the longest delay, where they are evenly spread.
  var range: ClosedRange<Duration>? {
    if case .uniform(let range) = shape { range } else { nil }
  }

  /// The distribution in words.
  public var description: String {
    switch shape {
    case .uniform(let range): "\(range.lowerBound) to \(range.upperBound)"
    case .logNormal(let median, let ninetyNinth): "median \(median), 99th percentile \(ninetyNinth)"
    }
  }

  func next(using generator: inout SeededGenerator) -> Duration {
    switch shape {
    case .uniform(let range):
      guard range.lowerBound < range.upperBound else { return range.lowerBound }
      return range.lowerBound
        + (range.upperBound - range.lowerBound) * Double.random(in: 0...1, using: &generator)
    case .logNormal(let median, let ninetyNinth):
      guard median > .zero else { return ninetyNinth }
      // ln X is normal; its 99th percentile lies 2.326 deviations above its mean.
      let deviation = log(ninetyNinth / median) / 2.326_347_874
      // The Box–Muller transform; the logarithm of zero is not asked for.
      let radius = (-2 * log(Double.random(in: 0.000_000_1...1, using: &generator))).squareRoot()
      let angle = 2 * Double.pi * Double.random(in: 0..<1, using: &generator)
      return median * exp(deviation * radius * cos(angle))
    }
  }
}
