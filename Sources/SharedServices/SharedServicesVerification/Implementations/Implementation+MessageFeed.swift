public import SharedServices
import SharedServicesContracts
import SharedServicesBackends
import SharedServicesDoubles
import SharedServicesLive
public import Understudy
import UnderstudyHTTP
public import UnderstudyRecording

extension Implementation where Subject == any MessageHistoryService {
  /// `InMemoryMessageHistoryService` behind an `Intercepted`.
  public static var inMemory: Self {
    Implementation("in-memory") { trial in
      let feed = FeedTrial<MessageFeedServer>(trial)
      let history = trial.intercept(feed.server.history)
      trial.setUpFailures(of: history)
      feed.setUpConditions()
      return trial.countRequests(to: history)
    }
  }

  /// `HTTPMessageHistoryService` over HTTP.
  public static func live(over route: LiveRoute) -> Self {
    Implementation("live-over-\(route)") { trial in
      let feed = FeedTrial<MessageFeedEmulator>(trial)
      let connection = try await feed.connection(over: route)
      feed.setUpConditions()
      return connection.history()
    }
  }

  /// The live service over a replay, with a recording for each clause.
  public static func recorded(in folder: RecordingFolder) -> Self {
    .recorded(in: folder) { transport, trial in
      // As for the stream: a speaker cannot be recorded.
      FeedTrial<MessageFeedEmulator>(trial, on: TestClock(startingAt: trial.time.now).time).setUpConditions()
      return HTTPMessageHistoryService(
        MessageFeedConfiguration.ofTrial(), over: transport, now: trial.time.date)
    }
  }

  /// The live service over a replay of this package's recordings.
  public static var recorded: Self { recorded(in: .sharedServices()) }

  /// The live service over the emulator, which writes a recording of each clause that passes.
  public static func recording(into folder: RecordingFolder) -> Self {
    .recording(into: folder) { trial in
      let feed = FeedTrial<MessageFeedEmulator>(trial)
      let connection = try await feed.connection(over: .emulator)
      feed.setUpConditions()
      return (connection.transport, { connection.history(over: $0) })
    }
  }
}

extension Implementation where Subject == any MessageStreamService {
  /// `InMemoryMessageStreamService` behind an `Intercepted`.
  public static var inMemory: Self {
    Implementation("in-memory") { trial in
      let feed = FeedTrial<MessageFeedServer>(trial)
      let stream = trial.intercept(feed.server.stream)
      trial.setUpFailures(of: stream)
      let reason = "there are no frames between a service in memory and its server"
      trial.unavailable(.nextConnectionDrops, because: reason)
      trial.unavailable(.nextConnectionIsClosed, because: reason)
      trial.unavailable(.nextConnectionIsCorrupt, because: reason)
      feed.setUpConditions()
      return stream
    }
  }

  /// `WebSocketMessageStreamService` over a WebSocket, and HTTP beside it.
  public static func live(over route: LiveRoute) -> Self {
    Implementation("live-over-\(route)") { trial in
      let feed = FeedTrial<MessageFeedEmulator>(trial)
      let connection = try await feed.connection(over: route)
      feed.setUpConditions()
      return connection.stream()
    }
  }

  /// The live service over a replay, with a recording for each clause.
  ///
  /// The speaker uses a server with the recorded seed, to which no client connects, so that the messages have the
  /// recorded ids.
  public static func recorded(in folder: RecordingFolder) -> Self {
    .recorded(in: folder) { transport, trial in
      // A separate clock: a replay reports a lost connection at once, so its delays precede the messages that follow.
      FeedTrial<MessageFeedEmulator>(trial, on: TestClock(startingAt: trial.time.now).time).setUpConditions()
      trial.unavailable(
        .followersAreCounted, because: "a replay has no server whose followers could be counted")
      let (configuration, open) = (MessageFeedConfiguration.ofTrial(), OpenEndedTransport(base: transport))
      return WebSocketMessageStreamService(
        configuration, over: open,
        history: HTTPMessageHistoryService(configuration, over: open, now: trial.time.date),
        clock: trial.time.clock, now: trial.time.date)
    }
  }

  /// The live service over a replay of this package's recordings.
  public static var recorded: Self { recorded(in: .sharedServices()) }

  /// The live service over the emulator, which writes a recording of each clause that passes.
  public static func recording(into folder: RecordingFolder) -> Self {
    .recording(into: folder) { trial in
      let feed = FeedTrial<MessageFeedEmulator>(trial)
      let connection = try await feed.connection(over: .emulator)
      feed.setUpConditions()
      return (connection.transport, { connection.stream(over: $0) })
    }
  }
}

/// A replay whose WebSockets stay open without further messages where the recorded client left them.
///
/// A clause ends before its client closes the connections, so the recording lacks the end of the last ones.
private struct OpenEndedTransport<Base: HTTPTransport & WebSocketTransport>: HTTPTransport, WebSocketTransport
{
  let base: Base

  func send(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
    try await base.send(request)
  }

  func connect(to request: HTTP.Request) async throws(TransportError) -> any WebSocketConnection {
    OpenEndedConnection(base: try await base.connect(to: request))
  }
}

private struct OpenEndedConnection: WebSocketConnection {
  let base: any WebSocketConnection

  var subprotocol: String? { base.subprotocol }
  var closure: WebSocketClosure? { base.closure }

  func send(_ message: WebSocketMessage) async throws(TransportError) { try await base.send(message) }

  func receive() async throws(TransportError) -> WebSocketMessage? {
    do throws(TransportError) {
      return try await base.receive()
    } catch {
      // A replay throws this error where the recording has no end.
      guard error.code == .unknown else { throw error }
      let (silence, continuation) = AsyncStream<Never>.makeStream()
      for await _ in silence {}
      withExtendedLifetime(continuation) {}
      throw TransportError(.cancelled, "The task was cancelled.")
    }
  }

  func ping() async throws(TransportError) { try await base.ping() }
  func close(_ closure: WebSocketClosure) async { await base.close(closure) }
}
