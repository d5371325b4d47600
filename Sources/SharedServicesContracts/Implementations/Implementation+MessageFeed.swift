public import SharedServices
import SharedServicesInMemory
import SharedServicesLive
public import UnderstudyContracts
import UnderstudyDoubles
import UnderstudyTransport
import UnderstudyTrials

/// The way from a live feed service to a server in memory.
public enum FeedRoute: Sendable, Hashable, CaseIterable {
  /// Straight to the emulator.
  case emulator
  /// To the emulator on a socket.
  case socket
  /// To the emulator through a transport that injects every failure.
  case faults

  fileprivate var name: String { "live-over-\(self)" }
}

extension Implementation where Subject == any MessageHistoryService {
  /// `InMemoryMessageHistoryService` behind an `Intercepted`.
  public static var inMemory: Self {
    Implementation("in-memory") { trial in
      let backend = FeedBackend(seed: trial.seed)
      let injector = Injector<InMemoryMessageHistoryService>(time: backend.time)
      return Stage(
        injector.intercept(backend.server.history),
        provisions: backend.provisions + injector.failuresOnTheWay
          + [
            injector.provision(.serverFails, .serverError), injector.tooManyRequests, injector.callsAreHeld,
          ])
    }
  }

  /// `HTTPMessageHistoryService` over HTTP.
  public static func live(over route: FeedRoute) -> Self {
    Implementation(route.name) { trial in
      switch route {
      case .emulator: FeedRig<MessageFeedEmulator>(seed: trial.seed).historyStage
      case .socket: try await FeedRig<MessageFeedEmulator>(onSocketWith: trial.seed).historyStage
      case .faults: FeedRig<InProcessTransport<MessageFeedEmulator>>(seed: trial.seed).historyStage
      }
    }
  }
}

extension Implementation where Subject == any MessageStreamService {
  /// `InMemoryMessageStreamService` behind an `Intercepted`.
  public static var inMemory: Self {
    Implementation("in-memory") { trial in
      let backend = FeedBackend(seed: trial.seed, leavesAtOnce: true)
      let injector = Injector<InMemoryMessageStreamService>(time: backend.time)
      let reason = "there are no frames between a service in memory and its server"
      return Stage(
        injector.intercept(backend.server.stream),
        provisions: backend.provisions + injector.failuresOnTheWay
          + [
            injector.tooManyRequests, injector.callsAreHeld,
            .unavailable(.nextConnectionDrops, because: reason),
            .unavailable(.nextConnectionIsClosed, because: reason),
            .unavailable(.nextConnectionIsCorrupt, because: reason),
          ])
    }
  }

  /// `WebSocketMessageStreamService` over a WebSocket, and HTTP beside it.
  public static func live(over route: FeedRoute) -> Self {
    Implementation(route.name) { trial in
      switch route {
      case .emulator: FeedRig<MessageFeedEmulator>(seed: trial.seed).streamStage
      case .socket: try await FeedRig<MessageFeedEmulator>(onSocketWith: trial.seed).streamStage
      case .faults: FeedRig<InProcessTransport<MessageFeedEmulator>>(seed: trial.seed).streamStage
      }
    }
  }
}

extension FeedRig {
  fileprivate var historyStage: Stage<any MessageHistoryService> {
    Stage(history(over: transport), provisions: provisions, tearDown: { _ in await close() })
  }

  fileprivate var streamStage: Stage<any MessageStreamService> {
    Stage(
      stream(over: transport), provisions: streamProvisions,
      tearDown: { _ in await close() })
  }
}
