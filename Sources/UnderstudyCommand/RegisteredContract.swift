public import Foundation
public import UnderstudyContracts

/// A contract with the implementations that a command line tries under it.
public struct RegisteredContract: Sendable {
  typealias Report =
    @Sendable (
      _ choice: Choice, _ seed: UInt64, _ progress: @Sendable (String) -> Void
    ) async -> ContractReport
  typealias TryMutants =
    @Sendable (
      _ scope: KillScope, _ seed: UInt64, _ timeLimit: Duration, _ progress: @Sendable (String) -> Void
    ) async -> KillMatrix

  /// Which implementations are tried.
  struct Choice: Sendable {
    /// By their names; all if it is empty.
    var names: [String] = []
    /// What the identifiers of the clauses begin with that are tried.
    var clause = ""
    /// Where recordings are read, if not where the package has them.
    var recordings: URL?
    /// Whether recordings are made, and nothing else is tried.
    var records = false
    /// The one server that is tried, and nothing else.
    var server: RemoteServer?
  }

  let name: String
  let implementations: [String]
  /// The identifiers of its clauses.
  let clauses: [String]
  /// Where recordings are made unless somebody says otherwise; `nil` if there are none.
  let recordings: URL?
  /// Whether it can be tried on a server somewhere else.
  let runsRemotely: Bool
  let report: Report
  /// Tries its mutants; `nil` if there are none.
  let tryMutants: TryMutants?

  /// A contract, and at least one implementation of its service.
  ///
  /// - Parameters:
  ///   - contract: The contract.
  ///   - implementation: The first implementation.
  ///   - others: Further ones.
  ///   - recorded: The implementation that replays, and how its recordings are made.
  ///   - remote: The implementation against a server somewhere else.
  ///   - mutants: Deliberately wrong implementations, which the contract must notice.
  public init<Subject: Sendable>(
    _ contract: Contract<Subject>, _ implementation: Implementation<Subject>,
    _ others: Implementation<Subject>..., recorded: RecordedImplementation<Subject>? = nil,
    remote: (@Sendable (RemoteServer) -> Implementation<Subject>)? = nil,
    mutants: [Mutant<Subject>] = []
  ) {
    let live = [implementation] + others
    name = contract.name
    implementations = (live + (recorded.map { [$0.replaying(nil)] } ?? [])).map(\.name)
    clauses = contract.clauses.map(\.id)
    recordings = recorded?.folder
    runsRemotely = remote != nil
    let tryMutants: TryMutants = { scope, seed, timeLimit, progress in
      await contract.killMatrix(
        of: mutants, under: scope, seed: seed, timeLimit: timeLimit, progress: progress)
    }
    self.tryMutants = mutants.isEmpty ? nil : tryMutants
    report = { choice, seed, progress in
      var all = live
      if let recorded {
        if choice.records {
          all = [recorded.recording(choice.recordings ?? recorded.folder)]
        } else {
          all.append(recorded.replaying(choice.recordings))
        }
      }
      if let server = choice.server { all = remote.map { [$0(server)] } ?? [] }
      let chosen = all.filter { choice.names.isEmpty || choice.names.contains($0.name) }
      let narrowed =
        choice.clause.isEmpty
        ? contract
        : Contract(contract.name) { contract.clauses.filter { $0.id.hasPrefix(choice.clause) } }
      return await narrowed.report(on: chosen, seed: seed) { check, _ in progress(check.description) }
    }
  }
}

/// A server somewhere else, and what opens it.
public struct RemoteServer: Sendable {
  /// Its root.
  public let url: URL
  /// Its keys, by the names under which they were given.
  public let keys: [String: String]
}

/// An implementation with a recording for each clause, as a command line makes and reads them.
public struct RecordedImplementation<Subject: Sendable>: Sendable {
  let folder: URL
  let replaying: @Sendable (URL?) -> Implementation<Subject>
  let recording: @Sendable (URL) -> Implementation<Subject>

  /// A recorded implementation.
  ///
  /// - Parameters:
  ///   - folder: Where recordings are made: a folder of the checkout.
  ///   - replaying: The implementation that replays the recordings of a folder; `nil` is where the package has them.
  ///   - recording: The implementation that makes recordings in a folder. Both have the same name.
  public init(
    madeIn folder: URL, replaying: @escaping @Sendable (URL?) -> Implementation<Subject>,
    recording: @escaping @Sendable (URL) -> Implementation<Subject>
  ) {
    self.folder = folder
    self.replaying = replaying
    self.recording = recording
  }
}
