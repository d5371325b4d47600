@testable import UnderstudyPostgreSQL

/// A session with a frozen time, one enumeration, one composite type and one domain.
final class TestSession: FunctionContext {
  let patterns = PatternCache()
  /// 2024-05-17 13:45:30.123456 UTC.
  var transactionTime: Int64 = 769_268_730_123_456
  var statementTime: Int64 { transactionTime }
  var clockTime: Int64 { transactionTime }
  var timeZone: TimeZoneRule = .utc
  var collation: Collation { .codePoints }
  var currentUser: String { "postgres" }
  private var state: UInt64 = 1
  private var settings: [String: String] = [:]
  private var sequences: [String: Int64] = [:]

  init(timeZone: TimeZoneRule = .utc) { self.timeZone = timeZone }

  /// What a server needs for the same types.
  static let setup = """
    CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
    CREATE TYPE pair AS (number integer, word text);
    CREATE DOMAIN positive AS integer;
    CREATE EXTENSION citext;
    """
  static let mood = DataType.enumeration(QualifiedName("mood"))
  static let pair = DataType.composite(QualifiedName("pair"))
  static let positive = DataType.domain(QualifiedName("positive"))

  func random() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state
  }

  func setting(_ name: String) -> String? { settings[name] }
  func set(_ name: String, to value: String, isLocal: Bool) { settings[name] = value }

  func nextValue(of sequence: String) throws(PostgreSQLError) -> Int64 {
    sequences[sequence, default: 0] += 1
    return sequences[sequence, default: 0]
  }

  func currentValue(of sequence: String) throws(PostgreSQLError) -> Int64 { sequences[sequence] ?? 0 }

  func lastValue() throws(PostgreSQLError) -> Int64 { sequences.values.max() ?? 0 }

  func setValue(of sequence: String, to value: Int64, isCalled: Bool) throws(PostgreSQLError) {
    sequences[sequence] = isCalled ? value : value - 1
  }

  func labels(of enumeration: QualifiedName) throws(PostgreSQLError) -> [(name: String, order: Float)] {
    [("sad", 1), ("ok", 2), ("happy", 3)]
  }

  func columns(of composite: QualifiedName) throws(PostgreSQLError) -> [(name: String, type: DataType)] {
    [("number", .integer), ("word", .text)]
  }

  func base(of domain: QualifiedName) throws(PostgreSQLError) -> DataType { .integer }
}
