import Foundation
import UnderstudyText

/// The checks of one call of ``Contract/checks(of:_:)``, to notice what none of them could test.
///
/// A check does not know whether a skipped clause is tested elsewhere. The groups of a process do: the arguments of
/// all tests are made before the first test runs. A group whose checks are released without having run does not count.
package final class CheckGroup: Sendable {
  /// The result of the end of a check for the other checks.
  package struct Result: Sendable, Hashable {
    /// The failure if no implementation could be tested under the clause, or, once all checks of the group have ended,
    /// if no check used what its implementation intercepts.
    package var failure: String?
    /// The skipped checks of the group, once all of its checks have ended.
    package var summary: String?
  }

  /// A check in the order of the group.
  struct Member: Sendable {
    let clause: ClauseKey
    let implementation: String
  }

  /// A clause; two contracts may use the same name.
  struct ClauseKey: Sendable, Hashable {
    let id: String
    let fileID: String
    let line: Int
  }

  fileprivate struct Progress {
    let contract: String
    let members: [Member]
    /// The outcomes of the checks that have ended; `nil` for a check that a filter left out.
    var outcomes: [Int: Outcome?] = [:]
    /// The checks that have ended in any run.
    var ended: Set<Int> = []
    /// Whether the checks that passed made a call of what their implementation intercepts, if it intercepts anything.
    var haveCalls: [Int: Bool] = [:]
  }

  /// The groups of the process.
  private static let groups = Locked<[ObjectIdentifier: Progress]>([:])

  /// What prints a line when the group is released, wherever that happens: a task of a check may end after it.
  private let print = CheckGroup.print

  init(contract: String, members: [Member]) {
    Self.groups.withLock {
      $0[ObjectIdentifier(self)] = Progress(contract: contract, members: members)
    }
  }

  // The arguments of a test live as long as the process. A list of which some checks were chosen does not.
  deinit {
    let progress = Self.groups.withLock { $0.removeValue(forKey: ObjectIdentifier(self)) }
    if let gap = progress?.gap { print(gap) }
  }

  /// Prints a line about a list of which some checks did not run; tests replace it.
  @TaskLocal package static var print: @Sendable (String) -> Void = { line in
    FileHandle.standardError.write(Data("\(line)\n".utf8))
  }

  /// The identifiers of all clauses that the process may check.
  package static var clauses: Set<String> {
    groups.withLock { groups in Set(groups.values.flatMap { $0.members.map(\.clause.id) }) }
  }

  /// Notes whether a check that passed made a call of what its implementation intercepts.
  func note(_ place: Int, hasCalls: Bool) {
    Self.groups.withLock { $0[ObjectIdentifier(self)]?.haveCalls[place] = hasCalls }
  }

  /// Notes the end of a check.
  ///
  /// - Parameters:
  ///   - place: The check's place in the group.
  ///   - outcome: Its outcome; `nil` if a filter left it out.
  package func end(_ place: Int, _ outcome: Outcome?) -> Result {
    Self.groups.withLock { groups in
      guard var own = groups[ObjectIdentifier(self)] else { return Result() }
      // A test may run again with the same checks.
      if own.outcomes[place] != nil { own.outcomes = [:] }
      own.outcomes[place] = .some(outcome)
      own.ended.insert(place)
      groups[ObjectIdentifier(self)] = own
      var result = Result()
      if own.outcomes.count == own.members.count {
        result.summary = own.summary
        result.failure = own.unusedInterceptions
      }
      guard case .skipped? = outcome else { return result }
      let key = own.members[place].clause
      let all = groups.values.flatMap { group in
        group.members.indices.filter { group.members[$0].clause == key }.map { (group, $0) }
      }
      let reasons = all.compactMap { group, place -> String? in
        guard case .skipped(let reason)?? = group.outcomes[place] else { return nil }
        return "  - \(group.members[place].implementation): \(reason)"
      }
      if reasons.count == all.count {
        result.failure = """
          No implementation could be tested under \(key.id), so the clause checks nothing:
          \(reasons.sorted().joined(separator: "\n"))
          Set up the condition in one of them with trial.on(…), add an implementation that can, or delete the clause.
          """
      }
      return result
    }
  }
}

extension CheckGroup.Progress {
  /// The checks that did not run beside others that did; `nil` if all ran, or none.
  fileprivate var gap: String? {
    let rest = members.indices.filter { !ended.contains($0) }
    guard !ended.isEmpty, !rest.isEmpty else { return nil }
    let names = rest.map { "\(members[$0].clause.id) · \(members[$0].implementation)" }
    return """
      \(contract): \(rest.count) of \(members.count) checks of a list did not run: \(Words.list(names)). Pass the whole \
      list as the arguments of a test.
      """
  }

  /// The implementations whose service does not call what they intercept; `nil` if all are used.
  fileprivate var unusedInterceptions: String? {
    var used: [String: Bool] = [:]
    for (place, member) in members.enumerated() {
      switch outcomes[place] {
      case .passed??:
        if let hasCalls = haveCalls[place] {
          used[member.implementation] = used[member.implementation] == true || hasCalls
        }
      case .skipped??: break
      // A clause that failed, or that a filter left out, may make the calls.
      case .failed??, .some(nil), nil: used[member.implementation] = true
      }
    }
    let unused = used.filter { !$0.value }.keys.sorted()
    guard !unused.isEmpty else { return nil }
    return """
      No clause of \(contract) made a call of the transport or the double that these intercept: \
      \(unused.joined(separator: ", ")). So their conditions, faults and recordings had no effect. In the closure, \
      make the service with the value that it receives, and return that service.
      """
  }

  /// The skipped checks by reason; `nil` if none was skipped.
  fileprivate var summary: String? {
    var places: [String: [String]] = [:]
    for (place, member) in members.enumerated() {
      guard case .skipped(let reason)?? = outcomes[place] else { continue }
      places["\(member.implementation): \(reason)", default: []].append(member.clause.id)
    }
    guard !places.isEmpty else { return nil }
    let count = places.values.reduce(0) { $0 + $1.count }
    let lines = places.sorted { $0.key < $1.key }.map { reason, clauses in
      "  \(reason) (\(clauses.joined(separator: ", ")))"
    }
    return "\(contract): \(count) of \(members.count) checks skipped.\n" + lines.joined(separator: "\n")
  }
}
