/// A part of the schedules of a sweep: every so many of them, so that each part has of all kinds.
public struct SweepShard: Hashable, Sendable, Codable, CustomStringConvertible {
  /// Which part, from one.
  public let number: Int
  /// How many parts there are.
  public let count: Int

  /// All schedules.
  public static let whole: SweepShard = SweepShard(unchecked: 1, of: 1)

  /// More parts than machines are a mistake, and a report of what is missing names each.
  private static let mostParts = 10_000

  /// A part; `nil` if the number is none from one to the count, or there are more than ten thousand.
  public init?(_ number: Int, of count: Int) {
    guard 1...Self.mostParts ~= count, 1...count ~= number else { return nil }
    self.init(unchecked: number, of: count)
  }

  /// Reads a part.
  ///
  /// - Throws: `DecodingError` if the number is none from one to the count.
  public init(from decoder: any Decoder) throws {
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

  /// A part as people type it: `2/8`.
  public init?(typed text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let number = parts[0], let count = parts[1] else { return nil }
    self.init(number, of: count)
  }

  private init(unchecked number: Int, of count: Int) {
    self.number = number
    self.count = count
  }

  /// Whether a schedule with this number is one of the part's.
  func contains(_ schedule: Int) -> Bool { schedule % count == number - 1 }

  /// The part as people type it: `2/8`.
  public var description: String { "\(number)/\(count)" }
}
