public import Foundation
public import Understudy

/// A contract with the implementations for `verify`, for any type of service.
///
/// ```swift
/// RegisteredContract(
///   .todoService, .inMemory, .live, recordings: .todosInSources,
///   replaying: { .recorded(in: .todos(at: $0)) }, recording: { .recording(into: .todos(at: $0)) },
///   mutants: Mutant.all)
/// ```
public struct RegisteredContract: Sendable {
  typealias Report =
    @Sendable (
      _ choice: Choice, _ seed: UInt64, _ progress: @Sendable (String) -> Void
    ) async -> ContractReport
  typealias TryMutants =
    @Sendable (
      _ scope: KillScope, _ seed: UInt64, _ stallLimit: Duration, _ progress: @Sendable (String) -> Void
    ) async -> KillMatrix

  typealias DeriveMutants =
    @Sendable (
      _ seed: UInt64, _ shard: SweepShard, _ progress: @Sendable (String) -> Void
    ) async -> DerivedMutantReport

  /// The choice of implementations to try.
  struct Choice: Sendable {
    /// The names of implementations; empty for all.
    var names: [String] = []
    /// The prefix of the identifiers of the clauses to try.
    var clause = ""
    /// The folder of recordings to read or to write; `nil` for the default.
    var recordings: URL?
    /// Whether recordings are made, so that no other implementation is tried.
    var records = false
    /// The server to try instead of the implementations, with its keys by name.
    var server: (url: URL, keys: [String: String])?
  }

  let name: String
  let implementations: [String]
  /// The identifiers of the clauses.
  let clauses: [String]
  /// The default folder for recordings; `nil` without a recorded implementation.
  let recordings: URL?
  /// Whether the contract can be tried on a remote server.
  let runsRemotely: Bool
  let report: Report
  /// The function that tries the mutants; `nil` without mutants.
  let tryMutants: TryMutants?
  /// The function that makes mutants of the first implementation and tries them.
  let deriveMutants: DeriveMutants?

  /// Creates a contract with its implementations.
  ///
  /// - Parameters:
  ///   - contract: The contract.
  ///   - implementations: The implementations of its service.
  ///   - remote: The implementation on the server that `verify --against` names, from its URL and its keys by name.
  ///   - mutants: The deliberately wrong implementations that the contract must detect.
  ///   - operations: The operations of the service, for `mutants --derived`; see
  ///     `Contract.survivors(of:through:equivalents:seed:)`.
  ///   - equivalents: The names of mutants of the first implementation that are not wrong, each with the reason.
  public init<Subject: Sendable>(
    _ contract: Contract<Subject>, _ implementations: Implementation<Subject>...,
    remote: (@Sendable (URL, [String: String]) -> Implementation<Subject>)? = nil,
    mutants: [Mutant<Subject>] = [], through operations: ServiceOperations<Subject>? = nil,
    equivalents: KeyValuePairs<String, String> = [:]
  ) {
    self.init(
      contract, implementations, recorded: nil, remote: remote, mutants: mutants, operations, equivalents)
  }

  /// Creates a contract with its implementations, one of which has a recording for each clause.
  ///
  /// - Parameters:
  ///   - contract: The contract.
  ///   - implementations: The implementations of its service, without the recorded one.
  ///   - recordings: The folder of the checkout where `verify --record` writes recordings by default.
  ///   - replaying: The implementation that replays the recordings in a folder (`nil` for the bundled ones).
  ///   - recording: The implementation that makes the recordings in a folder. Both have the same name.
  ///   - remote: The implementation on the server that `verify --against` names, from its URL and its keys by name.
  ///   - mutants: The deliberately wrong implementations that the contract must detect.
  ///   - operations: The operations of the service, for `mutants --derived`; see
  ///     `Contract.survivors(of:through:equivalents:seed:)`.
  ///   - equivalents: The names of mutants of the first implementation that are not wrong, each with the reason.
  public init<Subject: Sendable>(
    _ contract: Contract<Subject>, _ implementations: Implementation<Subject>..., recordings: URL,
    replaying: @escaping @Sendable (URL?) -> Implementation<Subject>,
    recording: @escaping @Sendable (URL) -> Implementation<Subject>,
    remote: (@Sendable (URL, [String: String]) -> Implementation<Subject>)? = nil,
    mutants: [Mutant<Subject>] = [], through operations: ServiceOperations<Subject>? = nil,
    equivalents: KeyValuePairs<String, String> = [:]
  ) {
    self.init(
      contract, implementations, recorded: (recordings, replaying, recording), remote: remote,
      mutants: mutants, operations, equivalents)
  }

  private typealias Recorded<Subject> = (
    folder: URL, replaying: @Sendable (URL?) -> Implementation<Subject>,
    recording: @Sendable (URL) -> Implementation<Subject>
  )

  private init<Subject: Sendable>(
    _ contract: Contract<Subject>, _ live: [Implementation<Subject>], recorded: Recorded<Subject>?,
    remote: (@Sendable (URL, [String: String]) -> Implementation<Subject>)?, mutants: [Mutant<Subject>],
    _ operations: ServiceOperations<Subject>?, _ equivalents: KeyValuePairs<String, String>
  ) {
    name = contract.name
    implementations = (live + (recorded.map { [$0.replaying(nil)] } ?? [])).map(\.name)
    clauses = contract.clauses.map(\.id)
    recordings = recorded?.folder
    runsRemotely = remote != nil
    let tryMutants: TryMutants = { scope, seed, stallLimit, progress in
      await contract.killMatrix(
        of: mutants, under: scope, seed: seed, stallLimit: stallLimit, progress: progress)
    }
    self.tryMutants = mutants.isEmpty ? nil : tryMutants
    deriveMutants = live.first.map { implementation in
      { @Sendable seed, shard, progress in
        await contract.derivedMutants(
          of: implementation, through: operations, equivalents: equivalents, seed: seed, shard: shard,
          progress: progress)
      }
    }
    report = { choice, seed, progress in
      var all = live
      if let recorded {
        if choice.records {
          all = [recorded.recording(choice.recordings ?? recorded.folder)]
        } else {
          all.append(recorded.replaying(choice.recordings))
        }
      }
      if let server = choice.server { all = remote.map { [$0(server.url, server.keys)] } ?? [] }
      let chosen = all.filter { choice.names.isEmpty || choice.names.contains($0.name) }
      let narrowed =
        choice.clause.isEmpty
        ? contract
        : Contract(contract.name) { contract.clauses.filter { $0.id.hasPrefix(choice.clause) } }
      return await narrowed.report(on: chosen, seed: seed) { check, _ in progress(check.description) }
    }
  }
}
