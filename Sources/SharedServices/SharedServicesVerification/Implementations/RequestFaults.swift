import Foundation
import Understudy
import UnderstudyHTTP
import SharedServicesContracts
import UnderstudySupabase

/// A fault for requests to a path, for any connection to a backend.
struct RequestFault: Sendable {
  var method: HTTP.Method?
  let path: String
  /// The number of the request, from 1; `nil` for all.
  var call: Int?
  /// The requests that count; `nil` for all.
  var condition: (@Sendable (HTTP.Request) -> Bool)?
  let fault: Fault
  /// Whether the condition has its effect without it too.
  var isOptional = false

  fileprivate func rule<Base>(for base: Base.Type) -> FaultPlan<Base>.Rule {
    let operation = Intercepted<Base>.Operation(
      OperationCore.pattern(method: method?.rawValue, PathPattern(path, at: nil)))
    var matches: (@Sendable (Intercepted<Base>.Call) -> Bool)?
    if let condition { matches = { $0.arguments(as: HTTP.Request.self).map(condition) ?? false } }
    let rule: FaultPlan<Base>.Rule =
      if let call { .on(operation, call: call, when: matches, fault) } else {
        .on(operation, when: matches, fault)
      }
    return isOptional ? rule.optional : rule
  }
}

/// The requests of one trial, at a handler, at a transport or on a socket.
protocol InterceptedRequests: Sendable {
  /// Injects faults into requests while a condition holds.
  func on<Fixture: Sendable>(
    _ condition: Condition<Fixture>, _ faults: [RequestFault],
    _ fixture: @escaping @Sendable () async throws -> Fixture)

  /// Injects a fault into every request while a condition holds.
  func on<Fixture: Sendable>(
    _ condition: Condition<Fixture>, all fault: Fault,
    _ fixture: @escaping @Sendable () async throws -> Fixture)
}

struct RequestsOfBase<Base: Sendable>: InterceptedRequests {
  let trial: TrialEnvironment
  let base: Intercepted<Base>

  func on<Fixture: Sendable>(
    _ condition: Condition<Fixture>, _ faults: [RequestFault],
    _ fixture: @escaping @Sendable () async throws -> Fixture
  ) {
    trial.on(condition, failing: base, faults.map { $0.rule(for: Base.self) }, fixture)
  }

  func on<Fixture: Sendable>(
    _ condition: Condition<Fixture>, all fault: Fault,
    _ fixture: @escaping @Sendable () async throws -> Fixture
  ) {
    trial.on(condition, failing: base, [.on(.any, fault)], fixture)
  }
}

extension InterceptedRequests {
  /// Refuses the token of the first request as expired, whenever it is used.
  func expireToken(
    _ condition: Condition<Refreshes> = .tokenExpired, on paths: [String],
    refreshes: @escaping @Sendable () -> Refreshes
  ) {
    let refused = Locked<String?>(nil)
    let matches: @Sendable (HTTP.Request) -> Bool = { request in
      let token = request.fields["Authorization"] ?? ""
      return refused.withLock { refused in
        if refused == nil { refused = token }
        return refused == token
      }
    }
    on(condition, paths.map { RequestFault(path: $0, condition: matches, fault: .unauthorized) }) {
      refused.withLock { $0 = nil }
      return refreshes()
    }
  }

  /// Refuses the token, and then its exchange.
  func endSession(on paths: [String]) {
    on(
      .sessionEnded,
      paths.map { RequestFault(path: $0, fault: .unauthorized) }
        + [RequestFault(method: .post, path: "/auth/v1/token", fault: .refusal(.refreshTokenNotFound))]
    ) {}
  }

  /// Injects faults in the middle of every streamed answer.
  func breakStreams(afterChunks count: Int = 3) {
    let broken = BrokenStream(afterChunks: count)
    on(.streamDrops, all: .dropStream(afterEvents: broken.chunks)) { broken }
    on(.streamDropsAtOnce, all: .dropStream(afterEvents: 0)) { BrokenStream(afterChunks: 0) }
    on(.streamStalls, all: .stallStream(afterEvents: broken.chunks)) { broken }
    on(.streamIsCorrupt, all: .corruptEvent(broken.chunks + 1)) { broken }
    on(.streamEndsEarly, all: .endStream(afterEvents: broken.chunks)) { broken }
  }

  /// Injects faults into every subscription, in place of its second change.
  ///
  /// - Parameters:
  ///   - count: The number of messages before the first change.
  ///   - path: The path of the WebSocket; `nil` for a call of a service.
  func breakSubscriptions(messagesBefore count: Int, on path: String? = nil) {
    let broken = BrokenSubscription(afterChanges: 1)
    let messages = count + broken.changes
    let faults: [(Condition<BrokenSubscription>, Fault)] = [
      (.subscriptionDrops, .abortWebSocket(afterMessages: messages)),
      (.subscriptionIsClosed, .closeWebSocket(afterMessages: messages)),
      (.subscriptionIsCorrupt, .badFrame(afterMessages: messages)),
    ]
    for (condition, fault) in faults {
      if let path {
        on(condition, [RequestFault(method: .get, path: path, fault: fault)]) { broken }
      } else {
        on(condition, all: fault) { broken }
      }
    }
  }

  /// Injects a fault into the next connection, in place of its fourth frame.
  func breakNextConnection(on path: String) {
    // The first two frames confirm that the stream is established.
    let broken = BrokenSubscription(afterChanges: 1)
    let faults: [(Condition<BrokenSubscription>, Fault)] = [
      (.nextConnectionDrops, .abortWebSocket(afterMessages: 3)),
      (.nextConnectionIsClosed, .closeWebSocket(afterMessages: 3)),
      (.nextConnectionIsCorrupt, .corruptEvent(4)),
    ]
    for (condition, fault) in faults {
      on(condition, [RequestFault(method: .get, path: path, call: 1, fault: fault)]) { broken }
    }
  }
}
