import SharedServices
import SharedServicesContracts
import Testing
import UnderstudyContracts
import UnderstudyTesting

struct NormalizerContractTests {
  @Test(arguments: Contract.messageNormalizer.checks(of: .standard))
  func honours(_ check: ContractCheck<any MessageNormalizing>) async throws { try await check.run() }

  @Test func nothingIsSkipped() async {
    let report = ConformanceReport(
      contracts: [await Contract.messageNormalizer.report(on: [.standard])], seed: 0)
    #expect(report.summary.skipped == 0)
    #expect(report.contracts[0].clauses.count >= 12)
  }

  private static let mistakes: [(WrongMessageNormalizer.Mistake, String, String)] = [
    (.takesUnknownRolesForSystem, "normalizer.role.unknown", "to be failure(Expected one of the roles"),
    (.knowsRolesInAnyCase, "normalizer.role.unknown", "to be failure(Expected one of the roles"),
    (
      .takesUnknownMomentsForNow, "normalizer.timestamp.unknown",
      "to be failure(Expected a moment with its zone"
    ),
    (
      .takesGreenwichForGranted, "normalizer.timestamp.unknown",
      "to be failure(Expected a moment with its zone"
    ),
    (.keepsWrappers, "normalizer.content.repaired", "Expected the content of AnyCodableValue("),
    (.hidesRepairs, "normalizer.content.repaired", "Expected the warnings of"),
    (.guessesWhatWasCutOff, "normalizer.content.corrupted", "to be failure(Expected whole content"),
    (.trimsContent, "normalizer.content.kept", "Expected the content of"),
    (.unwrapsOnce, "normalizer.content.again", "Expected the content, again"),
    (.makesUpToolIDs, "normalizer.tools.without-id", "Expected the ids to be [nil, nil]"),
    (.losesToolIDs, "normalizer.tools.page", "Expected the ids to be"),
    (.hidesMissingToolIDs, "normalizer.tools.without-id", "Expected the warnings to be"),
    (.showsHeartbeats, "normalizer.stream.none", "Expected what becomes of control"),
    (
      .dropsWhatItCannotRead, "normalizer.stream.unreadable",
      "failure(Expected an event or a message with an id as JSON"
    ),
    (.takesDeltasForWholes, "normalizer.stream.delta", "Expected a message that is still to come."),
    (.namesEachPiece, "normalizer.stream.id", "Expected the ids to be"),
    (.keepsWrappers, "normalizer.any.page", "Expected message(role:"),
  ]

  @Test(arguments: mistakes) func aWrongNormalizerIsCaught(
    _ mistake: WrongMessageNormalizer.Mistake, _ clause: String, _ message: String
  ) async throws {
    let mutant = Implementation.standard.wrapping(as: mistake.rawValue) { _ in
      WrongMessageNormalizer(mistake: mistake)
    }
    try await expect(Contract.messageNormalizer, toCatch: mutant, in: clause, saying: message)
  }

  @Test func everyGroupOfClausesCatchesAMutant() {
    let caught = Set(Self.mistakes.map { $0.1.split(separator: ".").dropLast().joined(separator: ".") })
    #expect(Set(Contract.messageNormalizer.clauses.map(\.group)) == caught)
  }
}
