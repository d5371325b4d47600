import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudySupabase
import UnderstudyTesting

@Suite(.stallLimit()) struct AtomicityTests {
  /// Random statements of several rows, about half of which are refused: a refused statement changes no row and no
  /// order, and a lookup in an index always equals a scan of all rows.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func refusedStatementsLeaveRowsAndIndexesAlone(seed: UInt64) throws {
    let project = try TodoProject(seed: seed)
    let database = project.database
    var generator = SeededGenerator(seed: seed)
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
    func row() -> [String: ColumnValue] {
      [
        "id": .integer(number(0...14)), "name": .text("n\(number(0...14))"),
        "rank": .integer(number(-5...99)),
      ]
    }
    var refusals = 0
    let rounds = Effort.times(20)
    for round in 0..<rounds {
      let before = try database.select(from: "items")
      do throws(PostgRESTError) {
        let some = DatabaseFilter.among("id", (0...number(0...6)).map { .integer($0) })
        switch number(0...4) {
        case 0: try database.insert((0..<number(1...4)).map { _ in row() }, into: "items")
        case 1: try database.upsert([row(), row()], into: "items", onConflict: ["id"])
        case 2: try database.upsert([row(), row()], into: "items", onConflict: ["name"])
        case 3: try database.update("items", set: ["name": .text("n\(number(0...14))")], where: some)
        default: try database.delete(from: "items", where: some)
        }
      } catch {
        refusals += 1
        #expect(try database.select(from: "items") == before, "seed \(seed), round \(round): \(error)")
      }
      let rows = try database.select(from: "items")
      for key in 0...14 {
        for (column, value) in [("id", ColumnValue.integer(key)), ("name", .text("n\(key)"))] {
          let found = try database.select(from: "items", where: .equals(column, value))
          #expect(
            found == rows.filter { $0[column] == value }, "seed \(seed), round \(round), \(column) \(value)")
          #expect(found.count <= 1)
        }
      }
    }
    #expect(
      (rounds * 3 / 20...rounds * 17 / 20).contains(refusals),
      "seed \(seed): \(refusals) of \(rounds) statements were refused")
  }
}
