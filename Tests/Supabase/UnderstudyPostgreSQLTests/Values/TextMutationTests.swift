import TestSupport
import Testing

@testable import UnderstudyPostgreSQL

/// Texts of values with random changes: input never traps, and what is read is written so that it is read again.
@Suite struct TextMutationTests {
  /// Returns a text with one to three changes.
  private static func mutated(_ text: String, _ random: () -> UInt64) -> String {
    let pieces =
      Array("0123456789-+:./ ,{}[]()\"\\eETZPaAbBnN'").map(String.init) + [
        "BC", "am", "day", "infinity", "NULL", "é", "99999",
      ]
    var characters = Array(text).map(String.init)
    for _ in 0...(random() % 3) {
      let place = characters.isEmpty ? 0 : Int(random() >> 8 % UInt64(characters.count))
      let piece = pieces[Int(random() >> 8 % UInt64(pieces.count))]
      switch random() >> 8 % 3 {
      case 0 where !characters.isEmpty: characters.remove(at: place)
      case 1 where !characters.isEmpty: characters[place] = piece
      default: characters.insert(piece, at: place)
      }
    }
    return characters.joined()
  }

  private static func mutations(count: Int, seed: UInt64) -> [(DataType, String)] {
    var state = seed
    let random = { () -> UInt64 in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state >> 11
    }
    return ValueSamples.all.flatMap { type, texts in
      (0..<count).map { _ in (type, mutated(texts[Int(random() >> 8 % UInt64(texts.count))], random)) }
    }
  }

  @Test func textsThatAreWrittenAreReadAgain() throws {
    let session = TestSession(timeZone: .named("America/New_York"))
    for (type, text) in Self.mutations(count: 200, seed: 7) {
      guard let value = try? type.value(from: text, context: session) else { continue }
      let written = try type.text(of: value, context: session)
      // Offsets of POSIX's notation are wider than those of a time, as in PostgreSQL.
      if type == .timetz, written.contains("-"), (try? type.value(from: written, context: session)) == nil {
        continue
      }
      let again = try type.value(from: written, context: session)
      guard type.isComparable else { continue }
      #expect(Comparator(type).areEqual(value, again), "\(type): \(text) is written as \(written)")
    }
  }

  #if os(macOS) || os(Linux)
    @Test(.enabled(if: PostgreSQLServer.isNamed, PostgreSQLServer.absence))
    func mutatedTextsAgree() async throws {
      var agreement = Agreement()
      let session = TestSession()
      for (type, text) in Self.mutations(count: 150, seed: 1) {
        // The server's clock is another.
        if ["now", "today", "tom", "yest"].contains(where: text.lowercased().contains) { continue }
        agreement.add("SELECT \(PostgreSQLServer.quoted(text))::\(type.sql)", type, session) {
          () throws(PostgreSQLError) in
          try type.value(from: text, context: session)
        }
      }
      // What differs are texts that the server reads by accident: zones such as `europ9e/berlin`, units without numbers.
      try await agreement.check(share: 0.98)
    }
  #endif
}
