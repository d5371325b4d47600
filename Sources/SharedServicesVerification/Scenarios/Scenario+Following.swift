import Foundation
import Observation
import SharedServices
import SharedServicesContracts
import SharedServicesDoubles
public import Understudy
import UnderstudyHTTP
import UnderstudySupabase
import SharedServicesViewModels

extension Scenario {
  /// A parent looks at the children while they change on another device, and opens the screen again if that fails.
  public static let following: Scenario = Scenario(
    "following",
    "A parent looks at the children while another device changes them, and looks again if that fails."
  ) { run in
    let backend = InMemorySharedServices.signedIn(seed: run.seed, time: run.time)
    let user = InMemoryChildrenService.sampleUserID
    @MainActor func store(_ name: String) async throws -> Child {
      try await backend.children.createChild(
        NewChild(userID: user, name: name, age: 8, birthday: CalendarDate(run.time.now, in: .gmt)))
    }
    let robin = try await store("Robin")
    let sam = try await store("Sam")
    let model = ProfileViewModel(
      auth: AuthViewModel(service: run.intercepted(backend.auth, as: "auth")),
      children: run.intercepted(backend.children, as: "children"),
      realtime: run.intercepted(backend.realtime, as: "realtime"))
    run.watch(model) { FollowedScreen($0) }
    let visit = Visit(model)

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
      run.expect(
        "errors.shown", failures.isEmpty ? model.errorMessage == nil : true,
        "the message is \(model.errorMessage ?? "missing"), and nothing has failed")
      run.expect(
        "errors.shown", visit.isOpen || isCancelled || model.errorMessage != nil,
        "the children are not followed, nothing is reported, and what failed is \(failures)")
      let stored = try await backend.children.fetchChildren(userID: user)
      run.expect(
        "screen.matches.store",
        model.children == stored || isCancelled || run.alters || model.errorMessage != nil,
        "it shows \(model.children.map(\.name)), and \(stored.map(\.name)) are stored")
      run.expect(
        "nothing.twice", Set(model.children.map(\.id)).count == model.children.count,
        "it shows \(model.children.map(\.name))")
    }

    try await follow {
      _ = try await backend.children.updateChild(robin.renamed("Alex"))
      await settle()
      _ = try await store("Kim")
      await settle()
      try await backend.children.deleteChild(id: sam.id)
      await settle()
      // This device changes a child too, and receives the echo.
      await run.holdingEvents { await model.updateChild(robin.renamed("Bo")) }
    }
    if !visit.isOpen { try await follow { _ = try await store("Pat") } }
    await visit.leave()
    await run.wait { backend.database.changeFeedCount == 0 }
    run.expectLoadingEnded(model.isLoading)
    try await run.withoutFaults {
      await model.loadChildren()
      let stored = try await backend.children.fetchChildren(userID: user)
      run.expect(
        "screen.matches.store", model.children == stored,
        "it shows \(model.children.map(\.name)), and \(stored.map(\.name)) are stored")
    }
  }
}

/// A user's visit to the profile.
@MainActor @Observable private final class Visit {
  @ObservationIgnored private let model: ProfileViewModel
  @ObservationIgnored private var following: Task<Void, Never>?
  /// Whether the children are being followed.
  private(set) var isOpen = false

  init(_ model: ProfileViewModel) {
    self.model = model
  }

  func open() {
    isOpen = true
    following = Task {
      await model.followChanges()
      isOpen = false
    }
  }

  func leave() async {
    following?.cancel()
    await following?.value
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
