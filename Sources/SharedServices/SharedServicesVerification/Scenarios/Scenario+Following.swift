import Foundation
import Observation
import SharedServices
import SharedServicesContracts
import SharedServicesDoubles
public import Understudy
import SharedServicesViewModels

extension Scenario {
  /// A parent looks at the children while they change on another device, and opens the screen again if that fails.
  public static let following: Scenario = Scenario(
    "following",
    "A parent looks at the children while another device changes them, and looks again if that fails."
  ) { run in
    let backend = InMemorySharedServices.signedIn(seed: run.seed, time: run.time)
    let user = InMemorySharedServices.sampleUserID
    @MainActor func store(_ name: String) async throws -> Child {
      try await backend.children.createChild(
        NewChild(userID: user, name: name, age: 8, birthday: CalendarDate(run.time.now, in: .gmt)))
    }
    let robin = try await store("Robin")
    let sam = try await store("Sam")
    let auth = AuthViewModel(service: run.intercepted(backend.auth, as: "auth"))
    let model = ProfileViewModel(
      auth: auth,
      children: run.intercepted(backend.children, as: "children"),
      realtime: run.intercepted(backend.realtime, as: "realtime"))
    let last = Locked<FollowedScreen?>(nil)
    run.watch(model) { last.withLock(\.self) ?? FollowedScreen($0) }
    let visit = Visit(model)
    try run.interruptByUsers(of: auth, on: backend)
    run.interruption("leave") { await visit.leave() }
    run.interruption("return") { await visit.leaveAndReturn() }
    run.interruption("reload") { await model.loadChildren() }
    run.interruption("deletion") {
      if let last = model.children.last { await model.deleteChild(id: last.id) }
    }
    run.interruption("other-device") {
      guard let last = backend.sampleChildren.last else { return }
      _ = try? await backend.children.updateChild(last.renamed("Pat"))
      _ = try? await store("Max")
    }
    run.expectOwnChildren(model, of: auth) { $0.children }

    /// Waits until every change has been shown, so that the order of calls and changes is the same each time.
    @MainActor func settle() async {
      await run.waitForReader { !visit.isOpen }
    }
    @MainActor func follow(_ changes: () async throws -> Void) async throws {
      model.dismissMessage()
      let failures = try await run.failures {
        visit.open()
        await settle()
        try await changes()
        await settle()
      }
      let isCancelled = failures.contains(where: \.isCancellation)
      run.expectLoadingEnded(model.isLoading)
      let isWanted = run.signOuts == 0 && !run.interruptions.contains("leave")
      run.expect(
        "errors.shown", visit.isOpen || isCancelled || !isWanted || model.errorMessage != nil,
        "the children are not followed, nothing is reported, and what failed is \(failures)")
      guard run.signOuts == 0 else { return }
      let stored = backend.sampleChildren
      // The message of a list that was not loaded goes when another action begins.
      let isLoaded = !failures.contains {
        ["auth.currentUserID", "children.fetchChildren"].contains($0.operation)
      }
      run.expect(
        "screen.matches.store",
        model.children == stored || isCancelled || !isWanted || run.altersEvents || !isLoaded
          || model.errorMessage != nil,
        "it shows \(model.children.map(\.name)), and \(stored.map(\.name)) are stored")
      guard run.isUndisturbed else { return }
      run.expect(
        "errors.shown", failures.isEmpty ? model.errorMessage == nil : true,
        "the message is \(model.errorMessage ?? "missing"), and nothing has failed")
    }

    try await follow {
      // If the user has been signed out, the other device cannot change anything either.
      _ = try? await backend.children.updateChild(robin.renamed("Alex"))
      await settle()
      _ = try? await store("Kim")
      await settle()
      try? await backend.children.deleteChild(id: sam.id)
      await settle()
      // This device changes a child too, and receives the echo.
      await run.holdingEvents { await model.updateChild(robin.renamed("Bo")) }
    }
    if !visit.isOpen { try await follow { _ = try? await store("Pat") } }
    await visit.leave()
    await run.wait { backend.backend.subscriptionCount == 0 }
    run.expectLoadingEnded(model.isLoading)
    // Whatever happened before, the next visit shows everything.
    await run.withoutFaults {
      await run.signInAgain(with: auth)
      model.dismissMessage()
      // The subscription and the load are not ordered here, and the report needs no more states.
      last.withLock { $0 = FollowedScreen(model) }
      visit.open()
      await run.wait { backend.backend.subscriptionCount > 0 || !visit.isOpen }
      await model.loadChildren()
      let stored = backend.sampleChildren
      run.expect(
        "screen.matches.store", visit.isOpen && model.children == stored && model.errorMessage == nil,
        "it shows \(FollowedScreen(model)), and \(stored.map(\.name)) are stored")
      await visit.leave()
    }
  }
}

/// A user's visit to the profile.
@MainActor @Observable private final class Visit {
  @ObservationIgnored private let model: ProfileViewModel
  @ObservationIgnored private var following: Task<Void, Never>?
  @ObservationIgnored private var visits = 0
  /// Whether the children are being followed.
  private(set) var isOpen = false

  init(_ model: ProfileViewModel) {
    self.model = model
  }

  func open() {
    visits += 1
    let visit = visits
    isOpen = true
    following = Task {
      await model.followChanges()
      if visit == visits { isOpen = false }
    }
  }

  func leave() async {
    following?.cancel()
    await following?.value
  }

  /// Leaves and comes back at once.
  func leaveAndReturn() async {
    let left = following
    left?.cancel()
    open()
    await left?.value
  }
}

/// The content of the profile.
private struct FollowedScreen: Equatable, Sendable, CustomStringConvertible {
  let names: [String]
  let isLoading: Bool
  let message: String?

  @MainActor init(_ model: ProfileViewModel) {
    names = model.children.map(\.name)
    isLoading = model.isLoading
    message = model.errorMessage
  }

  var description: String {
    let names = names.isEmpty ? "no children" : names.joined(separator: ", ")
    return (isLoading ? "loading: " : message.map { "failed: \($0): " } ?? "shown: ") + names
  }
}
