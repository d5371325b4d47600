import Foundation

/// A distribution of delays, drawn from a seed.
public struct LatencyDistribution: Hashable, Sendable, CustomStringConvertible {
  private enum Shape: Hashable, Sendable {
    case uniform(ClosedRange<Duration>)
    case logNormal(median: Duration, ninetyNinth: Duration)
  }

  private let shape: Shape

  /// A uniform distribution between two durations.
  public static func uniform(_ range: ClosedRange<Duration>) -> LatencyDistribution {
    LatencyDistribution(shape: .uniform(range))
  }

  /// A log-normal distribution, with the long tail of a network.
  ///
  /// - Parameters:
  ///   - median: The median, greater than zero; otherwise every delay is `ninetyNinth`.
  ///   - ninetyNinth: The 99th percentile; a value below the median is replaced by the median.
  public static func logNormal(median: Duration, ninetyNinth: Duration) -> LatencyDistribution {
    LatencyDistribution(shape: .logNormal(median: median, ninetyNinth: max(median, ninetyNinth)))
  }

  /// The distribution of a mobile network: a median of 80 ms, and a 99th percentile of 600 ms.
  public static let mobileNetwork: LatencyDistribution = .logNormal(
    median: .milliseconds(80), ninetyNinth: .milliseconds(600))

  /// The median delay.
  package var median: Duration {
    switch shape {
    case .uniform(let range): range.lowerBound + (range.upperBound - range.lowerBound) / 2
    case .logNormal(let median, _): median
    }
  }

  /// The shortest and the longest delay of a uniform distribution.
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
      // ln X is normal; its 99th percentile is 2.326 deviations above its mean.
      let deviation = log(ninetyNinth / median) / 2.326_347_874
      // The Box–Muller transform; the lower bound avoids the logarithm of zero.
      let radius = (-2 * log(Double.random(in: 0.000_000_1...1, using: &generator))).squareRoot()
      let angle = 2 * Double.pi * Double.random(in: 0..<1, using: &generator)
      return median * exp(deviation * radius * cos(angle))
    }
  }
}
