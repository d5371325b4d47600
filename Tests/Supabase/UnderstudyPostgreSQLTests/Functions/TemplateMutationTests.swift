import TestSupport
import Testing

@testable import UnderstudyPostgreSQL

/// Templates made of random patterns: neither they nor the texts they read trap.
@Suite struct TemplateMutationTests {
  private struct Source {
    var state: UInt64

    mutating func next(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }

    mutating func joined(_ pieces: [String], upTo count: Int) -> String {
      (0...next(count)).map { _ in pieces[next(pieces.count)] }.joined()
    }
  }

  private static let datePieces =
    DateTemplate.Pattern.allCases.map(\.rawValue)
    + ["FM", "TM", "th", "TH", "-", " ", "/", "\"x\"", "é", "Month", "day", "\\", "9"]
  private static let numberPieces = [
    "9", "9", "9", "0", "0", ".", ",", "FM", "S", "MI", "PL", "SG", "PR", "L", "D", "G", "V", "th", "RN",
    "EEEE", "\"x\"", " ", "B",
  ]

  @Test func randomTemplatesDoNotTrap() throws {
    var source = Source(state: 3)
    let session = TestSession()
    let moment = try DataType.timestamp.value(from: "2024-02-29 13:05:06.5", context: session)
    let interval = try DataType.interval.value(
      from: "-1 year -2 months -3 days -04:05:06.789", context: session)
    for _ in 0..<Effort.times(300) {
      let template = Value.text(source.joined(Self.datePieces, upTo: 5))
      let text = Value.text(
        source.joined(
          ["2024", "02", "9", "-", " ", "Feb", "pm", "bc", "13", "+", "99999999999", "é", "1,234", "XII"],
          upTo: 6))
      let number = Value.text(source.joined(Self.numberPieces, upTo: 7))
      for function in Functions.templates {
        guard case .scalar(let call) = function.body else { continue }
        let first: Value =
          switch function.parameters[0] {
          case .timestamp, .timestamptz: moment
          case .interval: interval
          case .integer, .bigint: .integer(-1234)
          case .numeric: .numeric(try Numeric(parsing: "-1234.5678"))
          case .real, .double: .double(1234.5)
          default: text
          }
        let isOfNumber = [.integer, .bigint, .numeric, .real, .double].contains(function.parameters[0])
        _ = try? call([first, isOfNumber || function.name == "to_number" ? number : template], session)
      }
    }
  }

  #if os(macOS) || os(Linux)
    @Test(.enabled(if: PostgreSQLServer.isNamed, PostgreSQLServer.absence))
    func randomTemplatesAgree() async throws {
      var agreement = Agreement()
      var source = Source(state: 5)
      let session = TestSession()
      let samples: [DataType: [String]] = [
        .timestamp: ["2024-02-29 13:05:06.5", "0044-03-15 BC"],
        .interval: ["1 year 2 months 3 days 04:05:06.789"],
        .numeric: ["-1234.5678", "0.5", "12", "0"], .integer: ["-485", "7", "0", "12345"],
        .double: ["1234.5", "-0.25"],
        .text: ["2024-02-29 13:05", "12 Feb 1999", "1,234.5-", "-485"],
      ]
      for _ in 0..<300 {
        for function in Functions.templates {
          guard let texts = samples[function.parameters[0]] else { continue }
          let isOfNumber =
            [.integer, .numeric, .double].contains(function.parameters[0]) || function.name == "to_number"
          let template = source.joined(isOfNumber ? Self.numberPieces : Self.datePieces, upTo: 5)
          agreement.add(
            function,
            [
              Literal(type: function.parameters[0], text: texts[source.next(texts.count)]),
              Literal(type: .text, text: template),
            ], session)
        }
      }
      // What differs are templates without sense, such as `RN` with digits or `th` without.
      try await agreement.check(share: 0.98)
    }
  #endif
}
