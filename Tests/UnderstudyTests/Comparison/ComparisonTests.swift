import Foundation
import Testing
import UnderstudyTesting

@testable import Understudy

@Suite(.stallLimit()) struct ComparisonTests {
  private static let live = Implementation<any ShelfService>.shelf(named: "live", firstID: 1)

  private static func compare(
    _ one: Implementation<any ShelfService>, with other: Implementation<any ShelfService> = live,
    under conditions: [Condition<Void>] = [.offline], freedoms: [Freedom] = [], seed: UInt64 = 0,
    size: ComparisonSize = .standard
  ) async throws -> ComparisonReport {
    try await Contract.shelfService.comparison(
      of: one, with: other, through: .shelfService, under: conditions, freedoms: freedoms, seed: seed, size: size)
  }

  @Test func rightTwinsAgree() async throws {
    let report = try await Self.compare(.shelf(), seed: 1)
    #expect(report.failure == nil, "\(report.failure ?? "")")
    #expect(report.calls > 2_000)
    #expect(report.answers > report.calls)
    #expect(report.neverCalled == [])
    let errors = Set(report.outcomes.values.flatMap(\.keys))
    #expect(
      errors.isSuperset(of: [
        "ShelfError.network(.offline)", "ShelfError.taken", "ShelfError.notFound", "ShelfError.invalid",
      ]))
  }

  @Test(arguments: Mistake.allCases) func aMistakeIsFound(_ mistake: Mistake) async throws {
    for seed: UInt64 in 0..<3 {
      let report = try await Self.compare(.shelf(mistake), seed: seed)
      let clause = try #require(report.clause, "\(mistake)")
      print(mistake, report.programs, report.shrinkings, seed == 0 ? clause : "")
      #expect(try #require(report.stepsOfDifference) <= 6, "\(clause)")
    }
  }
}
