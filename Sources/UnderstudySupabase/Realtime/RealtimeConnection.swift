import Foundation
import Understudy
import UnderstudyHTTP

/// One client of Realtime: its socket, and the channels that it has joined.
///
/// One task reads; what each channel has to tell is sent by a task of its own, which waits for a client that is slow.
final class RealtimeConnection: Sendable {
  typealias Job = @Sendable () async -> Void

  static let prefix = "realtime:"
  /// How long a client may say nothing (`timeout` of `Phoenix.Transports.WebSocket`).
  static let longestSilence: Duration = .seconds(60)
  /// How many changes are kept for a client that is slow; then its channel fails.
  private static let bufferSize = 10_000

  let tokens: RealtimeTokens
  let database: InMemoryDatabase
  private let socket: any WebSocketConnection
  private let version: PhoenixVersion
  private let time: Time
  private let channels = Locked<[String: RealtimeChannel]>([:])
  private let jobs: AsyncStream<Job>
  private let newJobs: AsyncStream<Job>.Continuation
  private let lastHeard: Locked<Date>

  init(
    _ socket: any WebSocketConnection, _ version: PhoenixVersion, _ tokens: RealtimeTokens,
    _ database: InMemoryDatabase, _ time: Time
  ) {
    self.socket = socket
    self.version = version
    self.tokens = tokens
    self.database = database
    self.time = time
    (jobs, newJobs) = AsyncStream.makeStream()
    lastHeard = Locked(time.now)
  }

  /// Serves the client until the socket is closed, by whomever.
  func run() async {
    // It forgets what has been done: a client may join and leave for hours.
    await withDiscardingTaskGroup { group in
      group.addTask { await self.read() }
      group.addTask { await self.listen() }
      for await job in jobs { group.addTask { await job() } }
      group.cancelAll()
    }
    for channel in channels.withLock({ $0.values.map { $0 } }) { close(channel) }
  }

  private func read() async {
    defer { newJobs.finish() }
    do {
      while let message = try await socket.receive() {
        lastHeard.withLock { $0 = time.now }
        switch message {
        case .text(let text): if let message = version.message(from: text) { try await handle(message) }
        case .binary:
          return await socket.close(
            WebSocketClosure(.unsupportedData, "This emulator reads no binary messages."))
        }
      }
    } catch {
      // The client has gone.
    }
  }

  /// Closes the socket of a client that sends no heartbeats.
  private func listen() async {
    do {
      while true {
        let silence = Duration.seconds(max(0, time.now.timeIntervalSince(lastHeard.withLock { $0 })))
        if silence >= Self.longestSilence { break }
        try await time.sleep(inBackgroundFor: Self.longestSilence - silence)
      }
      await socket.close()
      newJobs.finish()
    } catch {
      // The client has gone.
    }
  }

  func send(_ message: PhoenixMessage) async throws {
    try await socket.send(.text(version.text(of: message)))
  }

  // MARK: - Channels

  func channel(of topic: String) -> RealtimeChannel? {
    channels.withLock { $0[topic] }
  }

  /// Subscribes to what the bindings ask for.
  ///
  /// - Returns: `nil` if nothing is asked for.
  func subscribe(
    _ bindings: [RealtimeBinding], as role: DatabaseRole
  ) throws(RealtimeBinding.Refusal) -> RealtimeChannel.Feed? {
    guard !bindings.isEmpty else { return nil }
    var tables: Set<Int> = []
    for binding in bindings {
      let own = try binding.tables(among: database.tables)
      if let refusal = database.refusal(ofSelectingFrom: own) { throw binding.refusal(refusal) }
      tables.formUnion(own)
    }
    let (changes, continuation) = AsyncThrowingStream<RowChange, any Error>.makeStream(
      bufferingPolicy: .bufferingOldest(Self.bufferSize))
    let id = database.withState { [tables] in
      $0.feeds.add(
        to: tables, as: role, tellingEveryRemoval: true, Self.bufferSize, continuation.listener { $0 })
    }
    return RealtimeChannel.Feed(id: id, changes: changes)
  }

  /// Adds a channel whose subscription is in force.
  func add(_ channel: RealtimeChannel) {
    channels.withLock { $0[channel.topic] = channel }
  }

  /// Begins to tell a channel's changes, and to look after its token.
  func start(_ channel: RealtimeChannel) {
    if let feed = channel.feed { newJobs.yield { await self.tell(feed, to: channel) } }
    watchToken(of: channel)
  }

  /// Ends a channel's subscription.
  ///
  /// - Returns: Whether it was not over already.
  @discardableResult func close(_ channel: RealtimeChannel) -> Bool {
    let isFirst = channel.isOver.withLock { isOver in
      defer { isOver = true }
      return !isOver
    }
    if isFirst {
      channels.withLock { if $0[channel.topic] === channel { $0[channel.topic] = nil } }
      if let feed = channel.feed { database.removeFeed(feed.id) }
    }
    return isFirst
  }

  /// Ends a channel that its token does not carry any more, or that the server gives up (`shutdown_response`).
  func shutDown(_ channel: RealtimeChannel, _ message: String) async throws {
    guard close(channel) else { return }
    try await send(channel.system("error", from: "system", message))
    try await send(channel.ending("phx_close"))
  }

  private func tell(_ feed: RealtimeChannel.Feed, to channel: RealtimeChannel) async {
    do {
      for try await change in feed.changes {
        for message in channel.messages(for: change) {
          if channel.isOver.withLock({ $0 }) { return }
          try await send(message)
        }
      }
    } catch {
      // The feed was broken, or its client was too slow: a channel that fails says so.
      if close(channel) { try? await send(channel.ending("phx_error")) }
    }
  }

  /// Looks at the token of a channel when its time is over, and at least every five minutes.
  func watchToken(of channel: RealtimeChannel) {
    newJobs.yield {
      do {
        while !channel.isOver.withLock({ $0 }) {
          let current = channel.credentials.withLock { $0 }
          try await self.tokens.emulator.auth.waitForExpiry(
            of: current.token, current.grant, atMost: .seconds(300))
          // Another job looks after a token that took its place.
          guard channel.credentials.withLock({ $0.token }) == current.token else { return }
          do throws(RealtimeTokens.Refusal) {
            _ = try self.tokens.grant(for: current.token)
          } catch {
            return try await self.shutDown(channel, error.message)
          }
        }
      } catch {
        // The client has gone.
      }
    }
  }
}

extension InMemoryDatabase {
  /// What selecting from one of these tables would be refused with at the moment, if anything.
  fileprivate func refusal(ofSelectingFrom places: Set<Int>) -> PostgRESTError? {
    withState { state in
      for place in places.sorted() {
        if let mistake = state.tables[place].mistake { return mistake }
      }
      return state.refusal.flatMap { refusal in
        places.contains { refusal.concerns(.select, on: self.tables[$0].name) } ? refusal.error : nil
      }
    }
  }
}
