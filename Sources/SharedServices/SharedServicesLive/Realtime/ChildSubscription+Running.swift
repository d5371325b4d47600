import Foundation
import SharedServices
import UnderstudyTransport

/// The tasks of an established subscription, which run independently of its reader.
extension ChildSubscription {
  /// The way in which a subscription ends.
  private enum Ending: Sendable {
    case left
    case failed(AppError)

    var error: AppError? { if case .failed(let error) = self { error } else { nil } }
  }

  /// Runs until the consumer leaves, the session ends or the connection breaks.
  ///
  /// - Parameter stay: Ends when the consumer leaves.
  func run(
    for continuation: AsyncThrowingStream<ChildChange, any Error>.Continuation, while stay: AsyncStream<Never>
  ) async {
    await withTaskGroup(of: Ending.self) { group in
      group.addTask { await self.read(for: continuation) }
      group.addTask { await self.sendHeartbeats() }
      group.addTask { await self.keepTokenGood() }
      group.addTask {
        for await _ in stay {}
        return .left
      }
      let ending = await group.next() ?? .left
      continuation.finish(throwing: ending.error)
      await sayGoodbye()
      group.cancelAll()
    }
    await client.sessions.stop(watch)
  }

  private func read(for continuation: AsyncThrowingStream<ChildChange, any Error>.Continuation) async
    -> Ending
  {
    guard tellEarly(to: continuation) else { return .failed(.network(.connectionLost)) }
    do throws(AppError) {
      while true {
        let message = try await nextMessage()
        switch message.content {
        case .reply: noteReply(to: message.ref)
        case .change(let change):
          // If the consumer is too slow, its subscription ends rather than losing a change.
          guard tell(change, to: continuation) else { return .failed(.network(.connectionLost)) }
        case .system(_, isOK: false, let message): lastWord = ChannelRefusal(message: message)
        case .end: return .failed(await meaningOfEnd())
        case .system, .other: break
        }
      }
    } catch {
      return .failed(error)
    }
  }

  /// Returns the error for the end of the channel: the end of the session if the token was refused and cannot be
  /// exchanged.
  ///
  /// With another token the channel could be joined again, but changes in between would be missed.
  private func meaningOfEnd() async -> AppError {
    guard lastWord?.concernsToken == true else { return .network(.connectionLost) }
    guard let session = watch.session else { return .network(.unauthorized) }
    do throws(AppError) {
      _ = try await client.sessions.replacement(for: session)
      return .network(.connectionLost)
    } catch {
      return error == .network(.unauthorized) ? error : .network(.connectionLost)
    }
  }

  private func sendHeartbeats() async -> Ending {
    // Sent in a separate task: a server that does not read must not delay detection of an unanswered heartbeat.
    await withTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      while (try? await time.sleep(inBackgroundFor: Self.heartbeatInterval)) != nil {
        guard let heartbeat = nextHeartbeat() else { break }
        group.addTask { try? await self.send(heartbeat) }
      }
      return .failed(.network(.connectionLost))
    }
  }

  /// Sends each new token to the server, and exchanges a token before it expires.
  private func keepTokenGood() async -> Ending {
    var exchange: Task<Void, Never>?
    defer { exchange?.cancel() }
    for await session in watch.sessions {
      do throws(AppError) { try await send(token: session.accessToken) } catch { return .failed(error) }
      exchange?.cancel()
      exchange = Task { await self.exchangeToken(of: session) }
    }
    return .failed(.network(.unauthorized))
  }

  /// Exchanges the token when it is about to expire, and again after a failure.
  private func exchangeToken(of session: SignedInSession) async {
    var wait = session.expiresAt.timeIntervalSince(time.now) - SignedInSession.margin
    do {
      while true {
        try await time.sleep(inBackgroundFor: .seconds(max(1, wait.rounded(.up))))
        do throws(AppError) {
          guard try await client.sessions.fresh().accessToken == session.accessToken else { return }
        } catch .network(.unauthorized), .authentication {
          return
        } catch {
          // Another attempt may succeed until the server shuts the channel down.
        }
        wait = 10
      }
    } catch {
      // Another token has arrived, or the subscription has ended.
    }
  }

  /// Leaves the channel and closes the socket, ignoring errors.
  private func sayGoodbye() async {
    try? await time.withTimeout(Self.heartbeatInterval) {
      try await self.send("phx_leave", EmptyPayload(), ref: self.nextRef())
      await self.close()
    }
  }
}
