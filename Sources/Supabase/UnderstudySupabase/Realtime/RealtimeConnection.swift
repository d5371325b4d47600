import Foundation
import Understudy
import UnderstudyHTTP
import UnderstudyPostgreSQL

/// A client of Realtime: its socket and the channels that it has joined.
///
/// One task reads; each channel sends its changes in a task of its own, which waits for a slow client.
final class RealtimeConnection: Sendable {
  typealias Job = @Sendable () async -> Void

  static let prefix = "realtime:"
  /// The time after which a silent client is disconnected (`timeout` of `Phoenix.Transports.WebSocket`).
  static let longestSilence: Duration = .seconds(60)
  /// The number of changes kept for a slow client; with more, its channel fails.
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

  /// Serves the client until either side closes the socket.
  func run() async {
    // A discarding group frees finished tasks: a client may join and leave for hours. It is not in macOS 13 and iOS 16.
    if #available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *) {
      await withDiscardingTaskGroup { group in
        group.addTask { await self.read() }
        group.addTask { await self.listen() }
        for await job in jobs { group.addTask { await job() } }
        group.cancelAll()
      }
    } else {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await self.read() }
        group.addTask { await self.listen() }
        for await job in jobs { group.addTask { await job() } }
        group.cancelAll()
      }
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
        case .binary(let frame):
          guard version == .two, let message = PhoenixMessage(frame: frame) else {
            return await socket.close(
              WebSocketClosure(
                .unsupportedData, "Binary messages are only supported for broadcasts of version 2.0.0."))
          }
          try await handle(message)
        }
      }
    } catch {
      // The client has disconnected.
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
      // The client has disconnected.
    }
  }

  func send(_ message: PhoenixMessage) async throws {
    try await socket.send(.text(version.text(of: message)))
  }

  // MARK: - Channels

  func channel(of topic: String) -> RealtimeChannel? {
    channels.withLock { $0[topic] }
  }

  /// Subscribes to the tables of the bindings.
  ///
  /// - Returns: `nil` if there are no bindings.
  func subscribe(
    _ bindings: [RealtimeBinding], as role: DatabaseRole
  ) throws(RealtimeBinding.Refusal) -> RealtimeChannel.Feed? {
    guard !bindings.isEmpty else { return nil }
    var tables: Set<QualifiedName> = []
    for binding in bindings {
      let own = try database.tables(of: binding, as: role)
      tables.formUnion(own)
    }
    let (changes, continuation) = AsyncThrowingStream<RowChange, any Error>.makeStream(
      bufferingPolicy: .bufferingOldest(Self.bufferSize))
    let id = database.withFeeds { [tables] in
      $0.add(
        to: tables, as: role, reportingEveryDeletion: true, Self.bufferSize, continuation.listener { $0 })
    }
    return RealtimeChannel.Feed(id: id, changes: changes)
  }

  /// Adds a channel that is already subscribed.
  func add(_ channel: RealtimeChannel) {
    channels.withLock { $0[channel.topic] = channel }
  }

  /// Starts to send a channel's changes and to check its token.
  func start(_ channel: RealtimeChannel) {
    if let feed = channel.feed { newJobs.yield { await self.send(feed, to: channel) } }
    newJobs.yield { await self.sendPushes(to: channel) }
    watchToken(of: channel)
  }

  /// Ends a channel's subscription.
  ///
  /// - Returns: Whether the channel was still open.
  @discardableResult func close(_ channel: RealtimeChannel) -> Bool {
    let isFirst = channel.isOver.withLock { isOver in
      defer { isOver = true }
      return !isOver
    }
    if isFirst {
      channels.withLock { if $0[channel.topic] === channel { $0[channel.topic] = nil } }
      if let feed = channel.feed { database.removeFeed(feed.id) }
      database.topics.end(channel.subscription)
    }
    return isFirst
  }

  /// Ends a channel whose token is no longer valid, or that the server shuts down (`shutdown_response`).
  func shutDown(_ channel: RealtimeChannel, _ message: String) async throws {
    guard close(channel) else { return }
    try await send(channel.system("error", from: "system", message))
    try await send(channel.ending("phx_close"))
  }

  private func send(_ feed: RealtimeChannel.Feed, to channel: RealtimeChannel) async {
    do {
      for try await change in feed.changes {
        for message in channel.messages(for: change) {
          if channel.isOver.withLock({ $0 }) { return }
          try await send(message)
        }
      }
    } catch {
      // The feed was interrupted, or its client was too slow: the channel reports that it failed.
      if close(channel) { try? await send(channel.ending("phx_error")) }
    }
  }

  private func sendPushes(to channel: RealtimeChannel) async {
    do {
      for await push in channel.subscription.pushes {
        if channel.isOver.withLock({ $0 }) { return }
        guard channel.receives(push), let message = version.message(of: push, topic: channel.topic) else {
          continue
        }
        try await socket.send(message)
      }
      try Task.checkCancellation()
      // Its client was too slow: the channel reports that it failed.
      if close(channel) { try await send(channel.ending("phx_error")) }
    } catch {
      // The client has disconnected.
    }
  }

  /// Checks the token of a channel when it expires, and at least every five minutes.
  func watchToken(of channel: RealtimeChannel) {
    newJobs.yield {
      do {
        while !channel.isOver.withLock({ $0 }) {
          let current = channel.credentials.withLock { $0 }
          try await self.tokens.emulator.auth.waitForExpiry(
            of: current.token, current.grant, atMost: .seconds(300))
          // A replaced token is checked by another job.
          guard channel.credentials.withLock({ $0.token }) == current.token else { return }
          do throws(RealtimeTokens.Refusal) {
            _ = try self.tokens.grant(for: current.token)
          } catch {
            return try await self.shutDown(channel, error.message)
          }
        }
      } catch {
        // The client has disconnected.
      }
    }
  }
}

extension InMemoryDatabase {
  /// Returns the tables that a role subscribes to with a binding.
  ///
  /// - Throws: A refusal if no published table matches, or if a select from one of them currently fails.
  fileprivate func tables(
    of binding: RealtimeBinding, as role: DatabaseRole
  ) throws(RealtimeBinding.Refusal) -> Set<QualifiedName> {
    let result: Result<Set<QualifiedName>, RealtimeBinding.Refusal>
    do throws(PostgRESTError) {
      result = try transaction(as: role, .read) { (session) throws(PostgRESTError) in
        let names: Set<QualifiedName>
        do throws(RealtimeBinding.Refusal) {
          names = try binding.tables(of: session)
        } catch {
          return .failure(error)
        }
        for name in names.sorted(by: { $0.description < $1.description }) {
          if let refusal = refusal(of: .select, on: name.name) { throw refusal }
          try session.checkSelection(from: name)
        }
        return .success(names)
      }
    } catch {
      throw binding.refusal(error)
    }
    return try result.get()
  }
}
