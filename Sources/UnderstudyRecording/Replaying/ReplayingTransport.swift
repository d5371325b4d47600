import Foundation
public import Understudy
public import UnderstudyHTTP

/// Answers requests from a recording, and never touches the network.
///
/// - Requests that differ may come in any order and at once, unless ``Order/ordered`` says otherwise. Identical ones
///   are answered in recorded order.
/// - A body comes in its recorded chunks and ends as it did: a connection that was lost is lost again, at the same
///   byte. An exchange that had no answer throws the recorded `TransportError`.
/// - Secrets are compared by their placeholders. One that a replayed answer handed out must be sent as it is. For one
///   that the client has by itself (a password, an API key) the recording has a placeholder, and the first secret that
///   comes in its place stands for it from then on.
/// - A request that the recording has no answer for is `.invalidRequest`, since no retry can help; the message says
///   what is nearest, what differs, and what to do.
/// - An entry is decoded when it is asked for, so that a replay of a long recording starts at once.
public final class ReplayingTransport: HTTPTransport {
  /// Whether requests must come as they were recorded.
  public enum Order: Sendable, Hashable {
    /// Requests that differ come in any order.
    case unordered
    /// Requests come in the order in which they were recorded; one that comes too early has no answer.
    case ordered
  }

  /// What happens when a request comes more often than it was recorded.
  public enum Repetition: Sendable, Hashable {
    /// It has no answer.
    case fails
    /// The last answer comes again.
    case repeatsLast
  }

  let keying: RequestKeying
  let remedy: String
  let pauses: Time?
  let state: Locked<ReplayState>

  /// A replay of a recording.
  ///
  /// - Parameters:
  ///   - archive: The recording, which may be any tool's.
  ///   - matching: What must be the same for an answer to be found.
  ///   - order: Whether requests must come as they were recorded.
  ///   - repetition: What happens when a request comes more often than it was recorded.
  ///   - redaction: What is a secret; the rules that the recording was made with.
  ///   - remedy: How the recording is made anew, as an order, for whoever reads that a request has no answer; the
  ///     command, where there is one.
  ///   - pauses: The time on which the recorded pauses pass; `nil` leaves them out. With it `request.timeout` counts
  ///     too.
  public init(
    _ archive: IndexedArchive, matching: RequestMatching = RequestMatching(), order: Order = .unordered,
    repetition: Repetition = .fails, redaction: Redaction = .standard,
    remedy: String = "record the session again", pauses: Time? = nil
  ) {
    keying = RequestKeying(matching, SecretScanner(redaction))
    self.remedy = remedy
    self.pauses = pauses
    state = Locked(ReplayState(ReplayIndex(archive, keying), order, repetition))
  }

  /// A replay of a recording that is in memory; the parameters are those of the other initialiser.
  public convenience init(
    _ archive: HTTPArchive, matching: RequestMatching = RequestMatching(), order: Order = .unordered,
    repetition: Repetition = .fails, redaction: Redaction = .standard,
    remedy: String = "record the session again", pauses: Time? = nil
  ) {
    self.init(
      IndexedArchive(archive), matching: matching, order: order, repetition: repetition,
      redaction: redaction, remedy: remedy, pauses: pauses)
  }

  /// The recording.
  public var archive: IndexedArchive { state.withLock { $0.index.archive } }

  /// Answers with the recorded response.
  public func send(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
    let asked = AskedRequest(request, keying, asksForWebSocket: false)
    return try await response(of: try entry(for: asked), to: request)
  }

  /// Answers with the recorded response; `nil` where there is none, which does not count as asked in vain.
  package func responseIfRecorded(to request: HTTP.Request) async throws(TransportError) -> HTTP.Response? {
    guard let found = try entryIfRecorded(for: AskedRequest(request, keying, asksForWebSocket: false)) else {
      return nil
    }
    return try await response(of: found, to: request)
  }

  /// Counts every answer to a request as used, because another takes its place.
  func supersede(_ request: HTTP.Request, asksForWebSocket: Bool) {
    state.withLock { $0.takeAll(AskedRequest(request, keying, asksForWebSocket: asksForWebSocket)) }
  }

  /// The entries that nobody asked for, in recorded order, by their numbers in the recording.
  public var unusedEntries: [(index: Int, entry: HTTPArchive.Entry)] {
    let (archive, isUsed) = state.withLock { ($0.index.archive, $0.isUsed) }
    return isUsed.indices.filter { !isUsed[$0] }.map { ($0, archive.entry(at: $0)) }
  }

  /// What was asked in vain, and the messages of WebSockets that were sent in vain: the messages of the errors that
  /// were thrown.
  public var unansweredRequests: [String] {
    state.withLock { $0.unanswered }
  }

  func response(
    of found: ReplayState.Found, to request: HTTP.Request
  ) async throws(TransportError) -> HTTP.Response {
    try await pass(.milliseconds(recorded: found.entry.timings.wait), within: request.timeout)
    if let failure = found.entry.response.failure { throw failure }
    return try ReplayedBody.response(
      found.entry, number: found.number, pauses: pauses, timeout: request.timeout)
  }
}

extension ReplayingTransport {
  /// Takes the entry that answers a request.
  ///
  /// - Throws: `.invalidRequest` if there is none; then it counts as asked in vain.
  func entry(for asked: AskedRequest) throws(TransportError) -> ReplayState.Found {
    try state.withLock { (state) throws(TransportError) in
      if keying.problem == nil, let found = state.take(asked) { return found }
      let message =
        keying.problem ?? Mismatch(asked, &state, keying, remedy: remedy).message
      state.unanswered.append(message)
      throw TransportError(.invalidRequest, message)
    }
  }

  /// Takes the entry that answers a request, if there is one.
  func entryIfRecorded(for asked: AskedRequest) throws(TransportError) -> ReplayState.Found? {
    if let problem = keying.problem { throw TransportError(.invalidRequest, problem) }
    return state.withLock { $0.take(asked) }
  }

  /// Lets a recorded pause pass.
  func pass(_ pause: Duration, within timeout: Duration?) async throws(TransportError) {
    do {
      try Task.checkCancellation()
      try await pauses?.pass(pause, within: timeout)
    } catch {
      throw TransportError(wrapping: error)
    }
  }
}
