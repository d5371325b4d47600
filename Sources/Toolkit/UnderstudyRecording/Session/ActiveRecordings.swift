import Foundation
import Understudy
import UnderstudyHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The recordings of the tests that are running, for requests of `URLSession.shared` and of sessions that the app makes
/// itself.
///
/// Such a request belongs to the recording of the task that starts it, where the platform shows that task: on Linux, but
/// not on Apple platforms. Otherwise it belongs to the only active recording. If several are active, it fails, and so do
/// their tests, because any of them could have sent it. A test without a recording is not affected on Linux.
///
/// This state is global, because these sessions are.
package enum ActiveRecordings {
  private struct State: Sendable {
    var sessions: [RecordingSession] = []
    /// Returns whether the current task is that of a test.
    var isInTest: @Sendable () -> Bool = { false }
  }

  /// What sent a request.
  private enum Origin: Sendable {
    case session(RecordingSession)
    /// A test without a recording, or a recording that sends a request upstream.
    case elsewhere
    case unknown
  }

  private static let state = Locked(State())

  /// Sets how a test is recognized that has no recording.
  package static func recognizeTests(by isInTest: @escaping @Sendable () -> Bool) {
    state.withLock { $0.isInTest = isInTest }
  }

  /// Adds the session of a test, until it ends.
  package static func add(_ session: RecordingSession) {
    SessionInterception.install(
      SessionInterception.Rules {
        origin
      } transport: { request, origin in
        transport(for: request, from: origin as? Origin ?? .unknown)
      } refusal: { request, origin in
        refuse(request, from: origin as? Origin ?? .unknown)
      })
    state.withLock { $0.sessions.append(session) }
  }

  static func remove(_ session: RecordingSession) {
    state.withLock { state in state.sessions.removeAll { $0 === session } }
  }

  private static var origin: Origin {
    if RecordingSession.isSendingUpstream { return .elsewhere }
    if let session = RecordingSession.current { return .session(session) }
    return state.withLock { $0.isInTest }() ? .elsewhere : .unknown
  }

  private static func transport(for request: URLRequest, from origin: Origin) -> (any HTTPTransport)? {
    guard let url = request.url, ["http", "https", "ws", "wss"].contains(url.scheme?.lowercased()) else {
      return nil
    }
    let host = url.host()?.lowercased() ?? ""
    switch origin {
    case .elsewhere: return nil
    case .session(let session): return session.options.passthroughHosts.contains(host) ? nil : session
    case .unknown:
      let active = state.withLock { $0.sessions }.filter { !$0.options.passthroughHosts.contains(host) }
      return active.count < 2 ? active.first : UnattributedRequest(host: host, sessions: active)
    }
  }
}

extension ActiveRecordings {
  /// Explains that a session of the app cannot use a recording.
  private static func refuse(_ request: URLRequest, from origin: Origin) {
    let sessions =
      if case .session(let session) = origin { [session] } else { state.withLock { $0.sessions } }
    let host = request.url?.host() ?? ""
    for session in sessions {
      session.explain(
        """
        The request \(request.httpMethod ?? "GET") to \(host) was cancelled, because the recording \
        \(session.place.name) cannot answer or record it.
          It comes from a URLSession that the app makes itself, which cannot be intercepted on Linux.
        To use the recording, pass the app the transport .recorded, URLSession(configuration: .over(.recorded)) or \
        URLSession.shared.
        To send it past the recording: RecordingOptions(passthroughHosts: ["\(host)"])
        """)
    }
  }
}

/// A transport that fails requests that could belong to several recordings.
private struct UnattributedRequest: HTTPTransport {
  let host: String
  let sessions: [RecordingSession]

  func send(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
    let message = """
      The request \(request.method) to \(host) could belong to \(sessions.count) recordings, so it was not sent.
        active: \(sessions.map(\.place.name).sorted().joined(separator: ", "))
        It comes from URLSession.shared, or a session that the app makes itself, outside of the task of a test.
      To attribute it, pass the app the transport .recorded or URLSession(configuration: .over(.recorded)), or run the \
      tests one at a time with the trait .serialized.
      To send it past the recordings: RecordingOptions(passthroughHosts: ["\(host)"])
      """
    for session in sessions { session.explain(message) }
    throw TransportError(.invalidRequest, message)
  }
}

/// The list of the recordings that tests use, for `understudy recordings --unused-by`.
///
/// It is the file in the environment variable `UNDERSTUDY_USED_RECORDINGS`. Several processes may append to it.
enum UsedRecordings {
  private struct Line: Hashable {
    let list: String
    let recording: String
  }

  private static let written = Locked<Set<Line>>([])

  /// Appends a recording to the list, once in a process.
  ///
  /// - Throws: ``RecordingError`` if the list cannot be written, because its recordings would seem unused.
  static func note(
    _ recording: URL, environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(RecordingError) {
    guard let list = environment["UNDERSTUDY_USED_RECORDINGS"], !list.isEmpty else { return }
    let line = Line(list: list, recording: recording.standardizedFileURL.path(percentEncoded: false))
    guard written.withLock({ $0.insert(line).inserted }) else { return }
    let descriptor = open(list, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      let number = errno
      throw RecordingError(
        .inaccessible,
        "The file \(list) of UNDERSTUDY_USED_RECORDINGS cannot be opened: \(String(cString: strerror(number))).",
        cause: RecordingError.systemError(number))
    }
    defer { close(descriptor) }
    // One call, so that the lines of two processes are not mixed.
    try Array((line.recording + "\n").utf8).writeAll(to: descriptor, URL(filePath: list))
  }
}
