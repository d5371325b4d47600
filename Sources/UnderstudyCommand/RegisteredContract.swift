public import UnderstudyContracts

/// A contract with the implementations that a command line tries under it.
public struct RegisteredContract: Sendable {
  let name: String
  let implementations: [String]
  let report:
    @Sendable (
      _ isWanted: @Sendable (String) -> Bool, _ seed: UInt64, _ progress: @Sendable (String) -> Void
    ) async -> ConformanceReport.Section

  /// A contract, and at least one implementation of its service.
  public init<Subject: Sendable>(
    _ contract: Contract<Subject>, _ implementation: Implementation<Subject>,
    _ others: Implementation<Subject>...
  ) {
    let all = [implementation] + others
    name = contract.name
    implementations = all.map(\.name)
    report = { isWanted, seed, progress in
      await contract.report(on: all.filter { isWanted($0.name) }, seed: seed) { check, _ in
        progress(check.description)
      }
    }
  }
}
