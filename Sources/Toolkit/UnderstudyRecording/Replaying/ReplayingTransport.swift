import Foundation
package import Understudy
public import UnderstudyHTTP

/// A transport that responds to requests from a recording, without network access.
///
/// - Different requests may arrive in any order and concurrently (default: ``Order/unordered``). Equal requests
///   receive their responses in recorded order. If they were recorded with different header fields, such as that of a
///   tenant, a request with one of the recorded values receives the response of an entry with this value.
/// - A body has its recorded chunks and end: a lost connection is lost again at the same byte. An exchange without a
///   response throws the recorded `TransportError`.
/// - Secrets are compared by their placeholders. A placeholder in a replayed response must be sent unchanged. For a
///   client's own secret (a password, an API key), the first secret sent in place of a placeholder is the expected one
///   from then on, and no other placeholder of its session represents it. A request that equals several recorded ones
///   except for such a secret has no response until the secret is known: by a request that only its owner sends, or
///   because the others are known.
/// - A request without a recorded response throws `.invalidRequest`, because retrying does not help. The message
///   contains the nearest recorded request, the differences and the remedy.
/// - Entries are decoded on demand, so that a replay of a long recording starts immediately.
public final class ReplayingTransport: HTTPTransport {
  /// The order in which requests are expected.
  public enum Order: Sendable, Hashable {
    /// Different requests may arrive in any order.
    case unordered
    /// Requests must arrive in recorded order; one that arrives too early has no response.
    case ordered
  }

  /// The behaviour for a request that occurs more often than it was recorded.
  public enum Repetition: Sendable, Hashable {
    /// The request has no response.
    case fails
    /// The last response is repeated.
    case repeatsLast
  }

  let keying: RequestKeying
  let advice: ReplayAdvice
  let pauses: Time?
  /// Changes a recorded response before it is returned.
  let beforeReplaying: RecordingOptions.ResponseEdit?
  let state: Locked<ReplayState>
  /// Receives the message of each request and WebSocket message without a match, when it fails.
  let explain: @Sendable (String) -> Void

  package init(
    _ archive: IndexedArchive, matching: RequestMatching = RequestMatching(), order: Order = .unordered,
    repetition: Repetition = .fails, redaction: Redaction = .standard,
    remedy: String = "re-record the session", namesOptions: Bool = true, pauses: Time? = nil,
    beforeReplaying: RecordingOptions.ResponseEdit? = nil,
    explain: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.explain = explain
    keying = RequestKeying(matching, SecretScanner(redaction, judgingValues: false))
    advice = ReplayAdvice(remedy: remedy, namesOptions: namesOptions)
    self.pauses = pauses
    self.beforeReplaying = beforeReplaying
    state = Locked(ReplayState(ReplayIndex(archive, keying), order, repetition))
  }

  /// Creates a replay of a recording.
  ///
  /// - Parameters:
  ///   - archive: The recording, of any tool.
  ///   - matching: The rules for matching requests.
  ///   - order: The order in which requests are expected.
  ///   - repetition: The behaviour for a request that occurs more often than it was recorded.
  ///   - redaction: The rules for secrets; those with which the recording was made.
  ///   - remedy: How to re-record, in the imperative, for the message of a request without a response; a command, if
  ///     one exists.
  ///   - pauses: The clock for the recorded pauses; `nil` skips them. If set, `request.timeout` applies too.
  package convenience init(
    _ archive: HTTPArchive, matching: RequestMatching = RequestMatching(), order: Order = .unordered,
    repetition: Repetition = .fails, redaction: Redaction = .standard,
    remedy: String = "re-record the session", pauses: Time? = nil
  ) {
    self.init(
      IndexedArchive(archive), matching: matching, order: order, repetition: repetition,
      redaction: redaction, remedy: remedy, pauses: pauses)
  }

  /// The recording.
  package var archive: IndexedArchive { state.withLock { $0.index.archive } }

  /// Returns the recorded response.
  ///
  /// - Throws: `TransportError` with `.invalidRequest` if no entry matches, or the recorded error.
  public func send(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
    let asked = AskedRequest(request, keying, asksForWebSocket: false)
    return try await response(of: try entry(for: asked), to: request)
  }

  /// Returns the recorded response; `nil` if no entry matches, which does not count as unanswered.
  package func responseIfRecorded(to request: HTTP.Request) async throws(TransportError) -> HTTP.Response? {
    guard let found = try entryIfRecorded(for: AskedRequest(request, keying, asksForWebSocket: false)) else {
      return nil
    }
    return try await response(of: found, to: request)
  }

  /// Marks all entries that match a request as used, because a new response replaces them.
  func supersede(_ request: HTTP.Request, asksForWebSocket: Bool) {
    state.withLock { $0.takeAll(AskedRequest(request, keying, asksForWebSocket: asksForWebSocket)) }
  }

  /// The entries that were not requested, in recorded order, with their indices in the recording.
  package var unusedEntries: [(index: Int, entry: HTTPArchive.Entry)] {
    let (archive, isUsed) = state.withLock { ($0.index.archive, $0.isUsed) }
    return isUsed.indices.filter { !isUsed[$0] }.map { ($0, archive.entry(at: $0)) }
  }

  /// The error messages of requests and WebSocket messages without a match; of more than 1,000 the first ones, and the
  /// number of the others.
  package var unansweredRequests: [String] {
    state.withLock { $0.unanswered.messages }
  }

  func response(
    of found: ReplayState.Found, to request: HTTP.Request
  ) async throws(TransportError) -> HTTP.Response {
    try await pass(.milliseconds(recorded: found.entry.timings.wait), within: request.timeout)
    let response = try recordedResponse(of: found, within: request.timeout)
    guard let beforeReplaying else { return response }
    return try await edited(response, to: request, by: beforeReplaying)
  }

  private func recordedResponse(
    of found: ReplayState.Found, within timeout: Duration?
  ) throws(TransportError) -> HTTP.Response {
    if let response = found.response { return response }
    if let failure = found.entry.response.failure { throw failure }
    let response = try ReplayedBody.response(
      found.entry, number: found.number, pauses: pauses, timeout: timeout)
    // With pauses, the body depends on the timeout of its request.
    if pauses == nil { state.withLock { $0.keep(response, of: found) } }
    return response
  }

  /// Returns a recorded response as a closure changes it.
  private func edited(
    _ recorded: HTTP.Response, to request: HTTP.Request, by edit: RecordingOptions.ResponseEdit
  ) async throws(TransportError) -> HTTP.Response {
    var response = recorded
    do {
      try await edit(request, &response)
    } catch let error where error is TransportError || error is CancellationError {
      throw TransportError(wrapping: error)
    } catch {
      // Not the whole URL, which may contain secrets.
      let message = "The closure beforeReplaying failed for \(request.method) \(request.url.path()): \(error)"
      explain(message)
      throw TransportError(.invalidRequest, message)
    }
    let removed = recorded.placeholders.subtracting(response.placeholders)
    if !removed.isEmpty { state.withLock { $0.secrets.renew(removed) } }
    return response
  }
}

extension ReplayingTransport {
  /// Takes the entry that matches a request.
  ///
  /// - Throws: `.invalidRequest` if no entry matches, which counts as unanswered.
  func entry(for asked: AskedRequest) throws(TransportError) -> ReplayState.Found {
    let result: Result<ReplayState.Found, TransportError> = state.withLock { state in
      if keying.problem == nil, let found = state.take(asked) { return .success(found) }
      let message =
        keying.problem ?? Mismatch(asked, &state, keying, advice).message
      state.unanswered.append(message)
      return .failure(TransportError(.invalidRequest, message))
    }
    if case .failure(let error) = result { explain(error.message) }
    return try result.get()
  }

  /// Takes the entry that matches a request; `nil` if no entry matches.
  func entryIfRecorded(for asked: AskedRequest) throws(TransportError) -> ReplayState.Found? {
    if let problem = keying.problem { throw TransportError(.invalidRequest, problem) }
    return state.withLock { $0.take(asked) }
  }

  /// Waits for a recorded pause.
  func pass(_ pause: @autoclosure () -> Duration, within timeout: Duration?) async throws(TransportError) {
    do {
      try Task.checkCancellation()
      try await pauses?.pass(pause(), within: timeout)
    } catch {
      throw TransportError(wrapping: error)
    }
  }
}
