/// A part of the schedules of a sweep: every nth schedule, so that each part has all kinds.
package struct SweepShard: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The number of the part, starting at one.
  package let number: Int
  /// The total number of parts.
  package let count: Int

  /// The part that contains all schedules.
  package static let whole: SweepShard = SweepShard(unchecked: 1, of: 1)

  /// A larger number is a mistake, and a report lists each missing part.
  private static let mostParts = 10_000

  /// Creates a part; `nil` if the number is not between one and the count, or the count exceeds 10,000.
  package init?(_ number: Int, of count: Int) {
    guard 1...Self.mostParts ~= count, 1...count ~= number else { return nil }
    self.init(unchecked: number, of: count)
  }

  /// Decodes a part.
  ///
  /// - Throws: `DecodingError` if the number is not between one and the count.
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let number = try values.decode(Int.self, forKey: .number)
    let count = try values.decode(Int.self, forKey: .count)
    guard let shard = SweepShard(number, of: count) else {
      throw DecodingError.dataCorruptedError(
        forKey: .number, in: values, debugDescription: "shard \(number)/\(count) does not exist")
    }
    self = shard
  }

  private enum CodingKeys: String, CodingKey {
    case number, count
  }

  /// Creates a part from text: `2/8`.
  package init?(typed text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let number = parts[0], let count = parts[1] else { return nil }
    self.init(number, of: count)
  }

  private init(unchecked number: Int, of count: Int) {
    self.number = number
    self.count = count
  }

  /// Whether the part contains the schedule with this number.
  func contains(_ schedule: Int) -> Bool { schedule % count == number - 1 }

  /// The part as text: `2/8`.
  package var description: String { "\(number)/\(count)" }
}
