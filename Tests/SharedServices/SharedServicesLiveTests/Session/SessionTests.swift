import Foundation
import SharedServices
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudySupabase
import UnderstudyTesting

@testable import SharedServicesLive

/// When tokens are exchanged, for whom, and what happens to the session.
@Suite(.stallLimit()) struct SessionTests {
  private static let unauthorized = PostgRESTError.tokenExpired.response(isAuthenticated: false)

  private func fetch(_ bench: Bench) async -> AppError? {
    await failure { () throws(AppError) in try await bench.children.fetchChildren(userID: Sample.user) }
  }

  private func isSignedIn(_ bench: Bench) async -> Bool {
    await failure { () throws(AppError) in try await bench.auth.currentUserID() } == nil
  }

  // MARK: When

  @Test(arguments: [(69, false), (70, true), (100, true), (1000, true)])
  func aTokenIsExchangedThirtySecondsBeforeItExpires(elapsed: Int, isExchanged: Bool) async throws {
    let bench = try await Bench.signedIn(tokenLifetime: 100) { request, _ in
      request.isExchange ? .tokens("2") : .json("[]")
    }
    bench.clock.advance(by: .seconds(elapsed))
    #expect(await fetch(bench) == nil)
    #expect(bench.calls.map(\.token) == (isExchanged ? ["the-key", "access-2"] : ["access-1"]))
  }

  @Test func a401IsTriedAgainOnceWithNewTokens() async throws {
    let bench = try await Bench.signedIn { request, _ in
      if request.isExchange { return .tokens("2") }
      return request.token == "access-1" ? Self.unauthorized : .json(Sample.row(), status: 201)
    }
    let stored = try await bench.children.createChild(Sample.newChild())
    #expect(stored.name == "Emma")
    #expect(bench.calls.map(\.token) == ["access-1", "the-key", "access-2"])
    #expect(bench.calls.first?.body == bench.calls.last?.body)
  }

  @Test func aSecond401IsReported() async throws {
    let bench = try await Bench.signedIn { request, _ in request.isExchange ? .tokens("2") : Self.unauthorized
    }
    #expect(await fetch(bench) == .network(.unauthorized))
    #expect(bench.calls.count == 3, "One call, one exchange, one more call.")
  }

  // MARK: Together

  @Test func aHundredCallsShareOneExchange() async throws {
    let (refused, exchange) = (Gate(), Gate())
    let bench = try await Bench.signedIn { request, _ in
      if request.isExchange {
        await exchange.pass()
        return .tokens("2")
      }
      guard request.token == "access-1" else { return .json("[]") }
      await refused.pass()
      return Self.unauthorized
    }
    await withTaskGroup(of: AppError?.self) { group in
      for _ in 0..<100 { group.addTask { await fetch(bench) } }
      // Every call has been sent with the old token before the first learns that it is refused.
      await refused.arrivals(100)
      refused.open()
      await exchange.arrivals(1)
      exchange.open()
      for await thrown in group { #expect(thrown == nil) }
    }
    #expect(bench.calls.filter(\.isExchange).count == 1)
    #expect(bench.calls.filter { $0.token == "access-2" }.count == 100)
  }

  @Test func aHundredCallsWithAnExpiredTokenShareOneExchange() async throws {
    let exchange = Gate()
    let bench = try await Bench.signedIn(tokenLifetime: 10) { request, _ in
      guard request.isExchange else { return .json("[]") }
      await exchange.pass()
      return .tokens("2")
    }
    await withTaskGroup(of: AppError?.self) { group in
      for _ in 0..<100 { group.addTask { await fetch(bench) } }
      await exchange.arrivals(1)
      exchange.open()
      for await thrown in group { #expect(thrown == nil) }
    }
    #expect(bench.calls.filter(\.isExchange).count == 1)
    #expect(bench.calls.count == 101)
  }

  @Test func aTokenThatIsReplacedAlreadyIsNotExchangedAgain() async throws {
    let late = Gate()
    let bench = try await Bench.signedIn { request, number in
      if request.isExchange { return .tokens("2") }
      if request.token == "access-1" {
        await late.pass()
        return Self.unauthorized
      }
      return .json("[]")
    }
    async let slow = fetch(bench)
    await late.arrivals(1)
    try await bench.auth.refresh()
    late.open()
    #expect(await slow == nil)
    #expect(bench.calls.map(\.token) == ["access-1", "the-key", "access-2"])
  }

  @Test func aCallerThatLeavesDoesNotEndTheExchange() async throws {
    let exchange = Gate()
    let bench = try await Bench.signedIn(tokenLifetime: 10) { request, _ in
      guard request.isExchange else { return .json("[]") }
      await exchange.pass()
      try Task.checkCancellation()
      return .tokens("2")
    }
    let first = Task { await fetch(bench) }
    await exchange.arrivals(1)
    let second = Task { await fetch(bench) }
    first.cancel()
    #expect(await first.value == .cancelled, "It leaves while the exchange is still under way.")
    exchange.open()
    #expect(await second.value == nil)
    #expect(bench.calls.filter(\.isExchange).count == 1)
  }

  // MARK: How it ends

  @Test(arguments: [
    AuthAPIError.sessionNotFound, .sessionExpired, .refreshTokenNotFound, .refreshTokenAlreadyUsed, .badToken,
  ]) func theServerHasEndedTheSession(refusal: AuthAPIError) async throws {
    let bench = try await Bench.signedIn { request, _ in
      request.isExchange ? refusal.response(version: AuthAPIError.newerVersion) : Self.unauthorized
    }
    #expect(await fetch(bench) == .network(.unauthorized))
    #expect(await fetch(bench) == .authentication(.notSignedIn))
    #expect(bench.calls.count == 2)
  }

  @Test func refreshingLearnsThatTheSessionIsOver() async throws {
    let bench = try await Bench.signedIn { _, _ in AuthAPIError.sessionExpired.response(version: nil) }
    let thrown = await failure { () throws(AppError) in try await bench.auth.refresh() }
    #expect(thrown == .network(.unauthorized))
    #expect(await !isSignedIn(bench))
  }

  @Test func aRefusedCallOfAnOldSessionDoesNotEndTheNewOne() async throws {
    let late = Gate()
    let bench = try await Bench.signedIn { _, _ in
      await late.pass()
      return AuthAPIError.sessionNotFound.response(version: nil)
    }
    async let old = fetch(bench)
    await late.arrivals(1)
    _ = try await bench.auth.signIn(email: "a@b.c", password: "secret")
    late.open()
    #expect(await old == .network(.unauthorized))
    #expect(await isSignedIn(bench))
  }

  @Test func aCallLearnsThatTheSessionIsOver() async throws {
    let bench = try await Bench.signedIn { _, _ in AuthAPIError.sessionNotFound.response(version: nil) }
    #expect(await fetch(bench) == .network(.unauthorized))
    #expect(await fetch(bench) == .authentication(.notSignedIn))
  }

  @Test(
    arguments: [
      (.failure(.offline), .network(.noConnection)),
      (.failure(.timedOut), .network(.timeout)),
      (.success(500), .network(.serverError)),
      (.success(429), .network(.rateLimited(retryAfter: nil))),
      (.success(200), .network(.unreadableAnswer)),
    ] as [(Result<Int, BrokenExchange>, AppError)])
  func anyOtherFailureLeavesTheSession(
    outcome: Result<Int, BrokenExchange>, expected: AppError
  ) async throws {
    let isBroken = Locked(true)
    let bench = try await Bench.signedIn(tokenLifetime: 10) { request, _ in
      guard request.isExchange else { return .json("[]") }
      guard isBroken.withLock({ $0 }) else { return .tokens("2") }
      switch outcome {
      case .success(let status): return HTTP.Response(status: status)
      case .failure(let broken): throw TransportError(broken.code, "broken")
      }
    }
    #expect(await fetch(bench) == expected)
    #expect(bench.calls.count == 1, "An exchange of tokens is a write: it is not tried again by itself.")
    #expect(await isSignedIn(bench))
    isBroken.withLock { $0 = false }
    #expect(await fetch(bench) == nil)
  }

  @Test func anOldExchangeDoesNotOverwriteANewSignIn() async throws {
    let exchange = Gate()
    let bench = try Bench(answersSignIn: false) { request, number in
      if request.isSignIn {
        return number == 0 ? .tokens("1", expiresIn: 10) : .tokens("other", user: Sample.otherUser)
      }
      guard request.isExchange else { return .json("[]") }
      await exchange.pass()
      return .tokens("2")
    }
    _ = try await bench.auth.signIn(email: "a@b.c", password: "secret")
    async let old = fetch(bench)
    await exchange.arrivals(1)
    _ = try await bench.auth.signIn(email: "b@c.d", password: "secret")
    exchange.open()
    #expect(await old == .network(.unauthorized), "A call never goes on as another user.")
    #expect(try await bench.auth.currentUserID() == Sample.otherUser)
    #expect(await fetch(bench) == nil)
    #expect(bench.calls.last?.token == "access-other")
  }

  @Test func anOldExchangeDoesNotBringBackASessionThatWasEnded() async throws {
    let exchange = Gate()
    let bench = try await Bench.signedIn(tokenLifetime: 10) { request, _ in
      guard request.isExchange else { return HTTP.Response(status: 204) }
      await exchange.pass()
      return .tokens("2")
    }
    async let old = fetch(bench)
    await exchange.arrivals(1)
    try await bench.auth.signOut()
    exchange.open()
    #expect(await old == .network(.unauthorized))
    #expect(await !isSignedIn(bench))
  }

  @Test(arguments: [true, false])
  func aRefreshThatIsOvertakenEndsAsIfItHadComeFirstOrLast(_ isSignIn: Bool) async throws {
    let exchange = Gate()
    let bench = try Bench(answersSignIn: false) { request, number in
      if request.isSignIn {
        return number == 0 ? .tokens("1", expiresIn: 10) : .tokens("other", user: Sample.otherUser)
      }
      guard request.isExchange else { return HTTP.Response(status: 204) }
      await exchange.pass()
      return AuthAPIError.refreshTokenNotFound.response(version: nil)
    }
    _ = try await bench.auth.signIn(email: "a@b.c", password: "secret")
    async let thrown = failure { () throws(AppError) in try await bench.auth.refresh() }
    await exchange.arrivals(1)
    if isSignIn {
      _ = try await bench.auth.signIn(email: "b@c.d", password: "secret")
    } else {
      try await bench.auth.signOut()
    }
    exchange.open()
    #expect(await thrown == (isSignIn ? nil : .authentication(.notSignedIn)))
    #expect(await isSignedIn(bench) == isSignIn)
  }
}

/// A transport error as an argument of a test.
struct BrokenExchange: Error {
  let code: TransportError.Code

  static let offline = BrokenExchange(code: .offline)
  static let timedOut = BrokenExchange(code: .timedOut)
}
