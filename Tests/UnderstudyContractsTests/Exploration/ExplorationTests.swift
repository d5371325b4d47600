import Testing
import UnderstudyContracts

struct ExplorationTests {
  @Test(arguments: [0, 1, 2] as [UInt64])
  func whatIsRightIsExploredToTheEnd(_ seed: UInt64) async throws {
    let report = try await Exploration.tally.explore(.right, seed: seed)
    #expect(report.finding == nil, "\(report.finding?.description ?? "")")
    #expect(report.programs == 300)
    #expect(report.commands > 3_000)
  }

  // MARK: - One planted bug of each kind, with the default settings

  @Test(arguments: [0, 1, 2, 3] as [UInt64])
  func aLostUpdateIsFound(_ seed: UInt64) async throws {
    let finding = try #require(try await Exploration.tally.explore(.losesUpdates, seed: seed).finding)
    #expect(finding.program.before == [])
    #expect(finding.program.together == [[.add(1)], [.add(1)]])
    #expect(finding.program.after == [.number])
  }

  @Test(arguments: [0, 1, 2, 3] as [UInt64])
  func aStaleReadIsFound(_ seed: UInt64) async throws {
    let finding = try #require(try await Exploration.tally.explore(.readsFromACache, seed: seed).finding)
    #expect(finding.program == ExplorationProgram(before: [.number, .add(1), .number]))
    #expect(finding.defect == .wrongAnswer(command: ".number", expected: "1", found: "0"))
  }

  @Test(arguments: [0, 1, 2, 3] as [UInt64])
  func aDoubleDeliveryIsFound(_ seed: UInt64) async throws {
    let finding = try #require(try await Exploration.tally.explore(.deliversTwice, seed: seed).finding)
    #expect(finding.program.before == [.send])
    #expect(finding.program.together == [[.receive], [.receive]])
    #expect(finding.program.after == [])
  }

  @Test func argumentsAreSimplifiedWithoutLosingTheFailure() async throws {
    let finding = try #require(try await Exploration.tally.explore(.stopsAtThree).finding)
    #expect(finding.program == ExplorationProgram(before: [.add(4), .number]))
  }
}
