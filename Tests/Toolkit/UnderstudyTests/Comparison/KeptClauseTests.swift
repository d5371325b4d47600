import Foundation
import Testing
import UnderstudyTesting

@testable import Understudy

/// Clauses as comparisons printed them: each passes on the right implementation and fails on the wrong one.
@Suite(.stallLimit()) struct KeptClauseTests {
  // swift-format-ignore: NeverForceUnwrap
  private static let clauses: [(Mistake, Clause<any ShelfService>)] = [
    (
      .comparesCanonically,
      Clause("shelf.add.live", "…") { trial in
        let shelf = trial.subject
        _ = try await shelf.add(Draft(title: "e\u{301}", note: nil, pages: 1))
        // in-memory: threw ShelfError.taken(title: "\u{e9}")
        // live: Book(id: UUID(uuidString: "F893A2EE-FB32-455E-B1C1-8690EE42C90B")!, title: "\u{e9}", note: nil, pages: 1)
        _ = try await trial.require("to succeed") {
          try await shelf.add(Draft(title: "\u{e9}", note: nil, pages: 1))
        }
      }
    ),
    (
      .allowsDuplicates,
      Clause("shelf.add.live", "…") { trial in
        let shelf = trial.subject
        _ = try await shelf.add(Draft(title: "a", note: nil, pages: 1))
        await trial.expect(throws: ShelfError.taken(title: "a")) {
          try await shelf.add(Draft(title: "a", note: nil, pages: 1))
        }
      }
    ),
    (
      .composesTitles,
      Clause("shelf.add.live", "…") { trial in
        let shelf = trial.subject
        let add1 = try await shelf.add(Draft(title: "e\u{301}", note: nil, pages: 1))
        trial.expect(
          add1.title.unicodeScalars.map(\.value), equals: "e\u{301}".unicodeScalars.map(\.value))
      }
    ),
    (
      .emptiesNotes,
      Clause("shelf.add.live", "…") { trial in
        let shelf = trial.subject
        let add1 = try await shelf.add(Draft(title: "a", note: nil, pages: 1))
        trial.expect(add1.note, equals: nil)
      }
    ),
    (
      .newestFirst,
      Clause("shelf.books.live", "…") { trial in
        let shelf = trial.subject
        let add1 = try await shelf.add(Draft(title: "a", note: "", pages: 1))
        let add2 = try await shelf.add(Draft(title: " ", note: nil, pages: 1))
        trial.expect(
          try await shelf.books(),
          equals: [
            Book(id: add1.id, title: "a", note: "", pages: 1),
            Book(id: add2.id, title: " ", note: nil, pages: 1),
          ])
      }
    ),
    (
      .removesBeforeItFails,
      Clause("shelf.first.live", "…") { trial in
        let shelf = trial.subject
        let add1 = try await shelf.add(Draft(title: "a", note: "", pages: 1))
        _ = try? await shelf.remove([UUID(uuidString: "09090909-0909-4009-8009-090909090909")!, add1.id])
        trial.expect(
          try await shelf.first(1), equals: [Book(id: add1.id, title: "a", note: "", pages: 1)])
      }
    ),
    (
      .reportsInReverse,
      Clause("shelf.changes.live", "…") { trial in
        let shelf = trial.subject
        let add1 = try await shelf.add(Draft(title: "a", note: nil, pages: 1))
        let changes2 = await ReceivedEvents { shelf.changes() }
        let books3 = try await shelf.books()
        let add4 = try await shelf.add(Draft(title: "A", note: nil, pages: 1))
        try await shelf.remove([books3[0].id, add4.id])
        trial.expect(
          await changes2.after(2).text(naming: ["add1.id": add1.id, "add4.id": add4.id]),
          equals:
            "[.added(Book(id: add4.id, title: \"A\", note: nil, pages: 1)), .removed(ids: [add1.id, add4.id])], open"
        )
      }
    ),
    (
      .reportsFailedUpdates,
      Clause("shelf.changes.live", "…") { trial in
        let shelf = trial.subject
        let changes1 = await ReceivedEvents { shelf.changes() }
        _ = try? await shelf.update(
          Book(id: UUID(uuidString: "09090909-0909-4009-8009-090909090909")!, title: "", note: nil, pages: 0))
        trial.expect(await changes1.settled().text(), equals: "[], open")
      }
    ),
  ]

  @Test(arguments: clauses.indices) func aClauseTellsRightFromWrong(_ index: Int) async throws {
    let (mistake, clause) = Self.clauses[index]
    let contract = Contract("kept") { clause }
    // At once, because one of them waits until the whole process is idle.
    async let outcomes = withTaskGroup { group in
      for firstID: UInt64 in 0..<3 {
        group.addTask { await contract.checks(of: .shelf(firstID: firstID))[0].outcome() }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    async let wrong = contract.checks(of: .shelf(mistake))[0].outcome()
    #expect(await outcomes == Array(repeating: .passed, count: 3), "\(mistake)")
    #expect(await wrong.name == "failed", "\(mistake)")
  }

  // MARK: - Values as Swift code

  // swift-format-ignore: NoLeadingUnderscores
  private struct Opaque { private let _value = 1 }
  private final class Reference {}
  private enum Nested { case a(Int, label: String), b(value: Int?), c }

  @Test func valuesAreSpelled() {
    #expect(SwiftText.of(ShelfError.network(.offline), isTyped: false) == "ShelfError.network(.offline)")
    #expect(
      SwiftText.of([Nested.a(1, label: "x"), .b(value: nil), .c])
        == "[.a(1, label: \"x\"), .b(value: nil), .c]")
    let date = Date(timeIntervalSinceReferenceDate: 0.1 + 0.2)
    #expect(SwiftText.of(date) == "Date(timeIntervalSinceReferenceDate: 0.30000000000000004)")
    #expect(SwiftText.of(Int.min) == "-9223372036854775808")
    #expect(SwiftText.of(Double.nan) == "Double.nan")
    #expect(SwiftText.of("a\0\r\n\"\\e\u{301}") == "\"a\\u{0}\\r\\n\\\"\\\\e\\u{301}\"")
    #expect(SwiftText.of(["k": 1]) == "[\"k\": 1]")
    #expect(SwiftText.of(Opaque()) == nil)
    #expect(SwiftText.of(Reference()) == nil)
  }
}
