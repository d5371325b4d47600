import Foundation
import SharedServices
import SharedServicesContracts
import SharedServicesDoubles
import SharedServicesViewModels
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudySupabase
import UnderstudyTesting

/// Children that change on another device.
@MainActor @Suite(.stallLimit()) struct FollowingTests {
  typealias Shown = ProfileViewModelTests.Shown

  private static let lost = "The connection was lost. Please try again."

  private func timeline(
    _ services: Services, _ realtime: (any RealtimeService)? = nil
  ) -> StateTimeline<ProfileViewModel, Shown> {
    let model = ProfileViewModel(
      auth: services.holder(), children: services.children, realtime: realtime ?? services.backend.realtime)
    return StateTimeline(of: model) { Shown($0) }
  }

  @Test func childrenOfAnotherDeviceAppearChangeAndDisappear() async throws {
    let services = try await Services()
    let robin = try await services.store("Robin")
    let timeline = timeline(services)
    let following = Task { await timeline.subject.followChanges() }
    try await timeline.wait(for: Shown(["Robin"]))
    let kim = try await services.store("Kim")
    try await timeline.wait(for: Shown(["Kim", "Robin"]))
    _ = try await services.backend.children.updateChild(robin.named("Alex"))
    try await timeline.wait(for: Shown(["Kim", "Alex"]))
    try await services.backend.children.deleteChild(id: kim.id)
    try await timeline.wait(for: Shown(["Alex"]))
    following.cancel()
    await following.value
    #expect(timeline.states.last == Shown(["Alex"]))
    // The task that waited for the next change may still release the stream.
    for _ in 1...10_000 where services.backend.backend.subscriptionCount > 0 { await Task.yield() }
    #expect(services.backend.backend.subscriptionCount == 0)
  }

  @Test func ownChangesAppearOnce() async throws {
    let services = try await Services()
    let realtime = ScriptedRealtime()
    let robin = try await services.store("Robin")
    try await services.store("Sam")
    let timeline = timeline(services, realtime)
    let model = timeline.subject
    let following = Task { await model.followChanges() }
    try await timeline.wait(for: Shown(["Sam", "Robin"]))
    await model.updateChild(robin.named("Kim"))
    let kim = try #require(model.children.last)
    await model.updateChild(kim.named("Alex"))
    await model.deleteChild(id: robin.id)
    // The echoes come late: none changes the name back, and none restores the child.
    realtime.tell(.inserted(robin))
    realtime.tell(.updated(kim))
    let sam = try #require(model.children.first)
    realtime.tell(.inserted(sam))
    realtime.tell(.deleted(id: robin.id))
    realtime.tell(.updated(sam.named("Last")))
    try await timeline.wait(for: Shown(["Last"]))
    #expect(!timeline.states.dropFirst(4).contains { Set($0.names).count < $0.names.count })
    #expect(!timeline.states.suffix(2).contains { $0.names.contains("Robin") || $0.names.contains("Kim") })
    following.cancel()
    await following.value
  }

  @Test func anEchoOfAnOlderChangeDoesNotUndoANewerOne() async throws {
    let services = try await Services()
    let realtime = ScriptedRealtime()
    let robin = try await services.store("Robin")
    let timeline = timeline(services, realtime)
    let model = timeline.subject
    let following = Task { await model.followChanges() }
    try await timeline.wait(for: Shown(["Robin"]))
    await model.updateChild(robin.named("Kim"))
    realtime.tell(.updated(robin))
    realtime.tell(.inserted(try await services.store("Sam")))
    try await timeline.wait(for: Shown(["Sam", "Kim"]))
    #expect(timeline.states.filter { $0.names.contains("Robin") }.allSatisfy { $0.names == ["Robin"] })
    following.cancel()
    await following.value
  }

  /// What changed between the break and the renewal is not delivered by any subscription.
  @Test func afterABreakTheListIsLoadedAgain() async throws {
    let services = try await Services()
    let realtime = ScriptedRealtime()
    let timeline = timeline(services, realtime)
    let following = Task { await timeline.subject.followChanges() }
    await realtime.waitForSubscription(1)
    try await services.store("Robin")
    realtime.breakOff()
    try await timeline.wait(for: Shown(["Robin"]))
    await realtime.waitForSubscription(2)
    #expect(timeline.subject.errorMessage == nil)
    following.cancel()
    await following.value
  }

  @Test func aSubscriptionThatStaysBrokenIsReportedAndCanBeRepeated() async throws {
    let services = try await Services()
    let realtime = ScriptedRealtime()
    try await services.store("Robin")
    let timeline = timeline(services, realtime)
    let following = Task { await timeline.subject.followChanges() }
    await realtime.waitForSubscription(1)
    try await timeline.wait(for: Shown(["Robin"]))
    realtime.refuse(.network(.connectionLost))
    realtime.breakOff()
    await following.value
    #expect(timeline.states.last == Shown(["Robin"], message: Self.lost))
    realtime.refuse(nil)
    let again = Task { await timeline.subject.followChanges() }
    await realtime.waitForSubscription(3)
    try await timeline.wait(for: Shown(["Robin"]))
    again.cancel()
    await again.value
  }

  /// Renewing again and again at once would keep the device and the server busy.
  @Test func aRenewedSubscriptionThatBreaksAtOnceStaysBroken() async throws {
    let services = try await Services()
    let realtime = ScriptedRealtime(breaksAtOnce: true)
    let timeline = timeline(services, realtime)
    await timeline.subject.followChanges()
    #expect(timeline.states.last == Shown(message: Self.lost))
    #expect(realtime.count == 2)
  }

  @Test func withoutASubscriptionTheListIsLoaded() async throws {
    let services = try await Services()
    let realtime = ScriptedRealtime()
    realtime.refuse(.network(.serverError))
    try await services.store("Robin")
    let timeline = timeline(services, realtime)
    await timeline.subject.followChanges()
    #expect(timeline.states.last == Shown(["Robin"], message: "Server error. Please try again later."))
  }

  @Test func aChangeIsNotTheListThatCouldNotBeLoaded() async throws {
    let services = try await Services(failingWith: .serverError)
    let realtime = ScriptedRealtime()
    let timeline = timeline(services, realtime)
    let following = Task { await timeline.subject.followChanges() }
    let failed = Shown(message: "Server error. Please try again later.")
    try await timeline.wait(for: failed)
    realtime.tell(.inserted(try await services.store("Robin")))
    realtime.breakOff()
    await realtime.waitForSubscription(2)
    #expect(timeline.subject.children == [])
    following.cancel()
    await following.value
  }

  @Test func theSubscriptionEndsWhenTheUserSignsOut() async throws {
    let services = try await Services()
    try await services.store("Robin")
    let auth = services.holder()
    let realtime = ScriptedRealtime()
    let model = ProfileViewModel(auth: auth, children: services.children, realtime: realtime)
    let timeline = StateTimeline(of: model) { Shown($0) }
    let following = Task { await model.followChanges() }
    try await timeline.wait(for: Shown(["Robin"]))
    await auth.signOut()
    await following.value
    await realtime.waitForEnd(1)
    #expect(timeline.states.last == Shown())
  }

  @Test func aSecondCallDuringTheFirstIsNoSubscription() async throws {
    let services = try await Services()
    let realtime = ScriptedRealtime()
    let timeline = timeline(services, realtime)
    let following = Task { await timeline.subject.followChanges() }
    await realtime.waitForSubscription(1)
    await timeline.subject.followChanges()
    #expect(realtime.count == 1)
    // A screen that is left and opened again at once takes over.
    following.cancel()
    let again = Task { await timeline.subject.followChanges() }
    await following.value
    await realtime.waitForSubscription(2)
    again.cancel()
    await again.value
  }
}

/// Changes as a test reports them.
final class ScriptedRealtime: RealtimeService {
  private struct State: Sendable {
    var refusal: AppError?
    var count = 0
    var current: AsyncThrowingStream<ChildChange, any Error>.Continuation?
  }

  private let state = Locked(State())
  private let breaksAtOnce: Bool
  private let subscriptions = AsyncStream.makeStream(of: Int.self)
  private let ends = AsyncStream.makeStream(of: Int.self)

  init(breaksAtOnce: Bool = false) {
    self.breaksAtOnce = breaksAtOnce
  }

  /// The number of subscriptions so far, and of those that were refused.
  var count: Int { state.withLock { $0.count } }

  func childChanges() async throws(AppError) -> AsyncThrowingStream<ChildChange, any Error> {
    let (stream, continuation) = AsyncThrowingStream<ChildChange, any Error>.makeStream()
    let (count, refusal) = state.withLock { state in
      state.count += 1
      state.current = continuation
      return (state.count, state.refusal)
    }
    if let refusal { throw refusal }
    continuation.onTermination = { [ends] _ in ends.continuation.yield(count) }
    if breaksAtOnce { continuation.finish(throwing: AppError.network(.connectionLost)) }
    subscriptions.continuation.yield(count)
    return stream
  }

  func refuse(_ refusal: AppError?) { state.withLock { $0.refusal = refusal } }

  func tell(_ change: ChildChange) { _ = state.withLock { $0.current }?.yield(change) }

  func breakOff() { state.withLock { $0.current }?.finish(throwing: AppError.network(.connectionLost)) }

  func waitForSubscription(_ number: Int) async {
    for await count in subscriptions.stream where count >= number { return }
  }

  func waitForEnd(_ number: Int) async {
    for await count in ends.stream where count >= number { return }
  }
}
