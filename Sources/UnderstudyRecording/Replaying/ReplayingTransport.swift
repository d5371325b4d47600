import Foundation
import UnderstudyPrimitives
public import UnderstudyTransport

/// Answers requests from a recording, and never touches the network.
///
/// - Requests that differ may come in any order and at once. Identical ones are answered in recorded order.
/// - A body comes in its recorded chunks and ends as it did: a connection that was lost is lost again, at the same
///   byte. An exchange that had no answer throws the recorded `TransportError`.
/// - Secrets are compared by their placeholders. One that a replayed answer handed out must be sent as it is. For one
///   that the client has by itself (a password, an API key) the recording has a placeholder, and the first secret that
///   comes in its place stands for it from then on.
/// - A request that the recording has no answer for is `.invalidRequest`, since no retry can help; the message says
///   what is nearest, what differs, and what to do.
public final class ReplayingTransport: HTTPTransport {
  /// What happens when a request comes more often than it was recorded.
  public enum Repetition: Sendable, Hashable {
    /// It has no answer.
    case fails
    /// The last answer comes again.
    case repeatsLast
  }

  private struct State: Sendable {
    /// How many entries of each line were given out.
    var used: [Int]
    var secrets: ReplaySecrets
    var unanswered: [String] = []
  }

  private let index: ReplayIndex
  private let matching: RequestMatching
  private let scanner: SecretScanner
  private let repetition: Repetition
  private let pauses: Time?
  private let state: Locked<State>

  /// A replay of a recording.
  ///
  /// - Parameters:
  ///   - archive: The recording, which may be any tool's.
  ///   - matching: What must be the same for an answer to be found.
  ///   - repetition: What happens when a request comes more often than it was recorded.
  ///   - redaction: What is a secret; the rules that the recording was made with.
  ///   - pauses: The time on which the recorded pauses pass; `nil` leaves them out. With it `request.timeout` counts
  ///     too.
  public init(
    _ archive: HTTPArchive, matching: RequestMatching = RequestMatching(), repetition: Repetition = .fails,
    redaction: Redaction = .standard, pauses: Time? = nil
  ) {
    self.matching = matching
    self.repetition = repetition
    self.pauses = pauses
    let scanner = SecretScanner(redaction)
    self.scanner = scanner
    index = ReplayIndex(archive, matching: matching, scanner: scanner)
    state = Locked(
      State(
        used: Array(repeating: 0, count: index.lines.count),
        secrets: ReplaySecrets(archive.log.placeholders)))
  }

  /// Answers with the recorded response.
  public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    let keyed = KeyedRequest(request, matching: matching, scanner: scanner)
    let number = try number(for: keyed)
    let entry = index.entries[number]
    do {
      try Task.checkCancellation()
      let wait = Duration.milliseconds(recorded: entry.timings.wait)
      try await pauses?.pass(wait, within: request.timeout)
    } catch {
      throw TransportError(wrapping: error)
    }
    if let failure = entry.response.failure { throw failure }
    return try ReplayedBody.response(entry, number: number, pauses: pauses, timeout: request.timeout)
  }

  /// The entries that nobody asked for, in recorded order, by their numbers in the recording.
  public var unusedEntries: [(index: Int, entry: HTTPArchive.Entry)] {
    let used = state.withLock { $0.used }
    var unused: [Int] = index.keys.indices.filter { index.keys[$0] == nil }
    for (line, count) in zip(index.lines, used) { unused += line.entries.dropFirst(count) }
    return unused.sorted().map { ($0, index.entries[$0]) }
  }

  /// What was asked in vain: the messages of the errors that were thrown.
  public var unansweredRequests: [String] {
    state.withLock { $0.unanswered }
  }

  private func number(for keyed: KeyedRequest) throws(TransportError) -> Int {
    try state.withLock { (state) throws(TransportError) in
      if let number = next(for: keyed, &state) { return number }
      let mismatch = Mismatch(keyed, index: index, isUsed: { isUsed($0, state) }, secrets: state.secrets)
      state.unanswered.append(mismatch.message)
      throw TransportError(.invalidRequest, mismatch.message)
    }
  }

  private func next(for keyed: KeyedRequest, _ state: inout State) -> Int? {
    let known = state.secrets.recorded(keyed.secrets)
    if let line = index.line(of: keyed.key, known) { return take(line, &state) }
    // Secrets that were not seen before: the first recorded request that they can be taken for.
    for line in index.linesOfKey[keyed.key] ?? [] {
      guard state.secrets.bind(keyed.secrets, to: index.lines[line].secrets) else { continue }
      return take(line, &state)
    }
    return nil
  }

  private func take(_ line: Int, _ state: inout State) -> Int? {
    let entries = index.lines[line].entries
    guard state.used[line] < entries.count else { return repetition == .repeatsLast ? entries.last : nil }
    defer { state.used[line] += 1 }
    return entries[state.used[line]]
  }

  private func isUsed(_ number: Int, _ state: State) -> Bool {
    zip(index.lines, state.used).contains { line, count in line.entries.prefix(count).contains(number) }
  }
}
