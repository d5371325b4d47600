import Foundation
import SharedServices
import SharedServicesContracts
import SharedServicesDoubles
public import Understudy
import SharedServicesViewModels

extension Scenario {
  /// A parent loads the children, renames one, deletes another, and loads them again.
  public static let profile: Scenario = Scenario(
    "profile", "A parent looks at the children, renames one, removes another, and looks again."
  ) { run in
    let backend = InMemorySharedServices.signedIn(seed: run.seed, time: run.time)
    let user = InMemorySharedServices.sampleUserID
    for name in ["Kim", "Robin", "Sam"] {
      _ = try await backend.children.createChild(
        NewChild(userID: user, name: name, age: 8, birthday: CalendarDate(run.time.now, in: .gmt)))
    }
    let before = try await backend.children.fetchChildren(userID: user)
    guard let renamed = before.first, let removed = before.last else { return }
    let auth = AuthViewModel(service: run.intercepted(backend.auth, as: "auth"))
    let model = ProfileViewModel(
      auth: auth,
      children: run.intercepted(backend.children, as: "children"))
    run.watch(model) { ProfileScreen($0) }
    try run.interruptByUsers(of: auth, on: backend)
    run.interruption("reload") { await model.loadChildren() }
    run.interruption("deletion") {
      if let last = model.children.last { await model.deleteChild(id: last.id) }
    }
    run.interruption("renaming") {
      if let first = model.children.first { await model.updateChild(first.renamed("Max")) }
    }
    run.interruption("other-device") {
      guard let first = backend.sampleChildren.first else { return }
      _ = try? await backend.children.updateChild(first.renamed("Pat"))
    }
    run.expectOwnChildren(model, of: auth) { $0.children }

    // If the response to a change was lost, the screen may differ from the store until the next load.
    var (hasLoaded, mayDiffer) = (false, false)
    @MainActor func act(
      _ name: String, _ action: @escaping @MainActor () async -> Void
    ) async throws -> Bool {
      let failures = await run.act(named: name, action)
      mayDiffer = mayDiffer || failures.contains(where: \.mayHaveWorked)
      run.expectLoadingEnded(model.isLoading)
      guard run.isUndisturbed else { return failures.isEmpty }
      // A message belongs to what failed last: each action removes that of the one before.
      run.expectMessage(model.errorMessage, after: failures)
      run.expectSession(auth, after: failures)
      run.expect(
        "success.shown", (model.successMessage != nil) == (failures.isEmpty && name != "load"),
        "the message is \(model.successMessage ?? "missing") after \(failures)")
      return failures.isEmpty
    }
    @MainActor func compare() async throws {
      guard run.isUndisturbed else { return }
      let stored = backend.sampleChildren
      run.expect(
        "screen.matches.store", mayDiffer || model.children == (hasLoaded ? stored : []),
        "it shows \(model.children.map(\.name)), and \(stored.map(\.name)) are stored")
      let kept = stored.map(\.id)
      run.expect(
        "nothing.lost", before.allSatisfy { kept.contains($0.id) || $0.id == removed.id },
        "of \(before.map(\.name)) only \(stored.map(\.name)) are stored")
      let shown = model.children.map(\.id)
      run.expect(
        "nothing.twice", Set(shown).count == shown.count && Set(kept).count == kept.count,
        "it shows \(model.children.map(\.name)), and \(stored.map(\.name)) are stored")
    }
    @MainActor func load() async throws {
      if try await act("load", model.loadChildren) { (hasLoaded, mayDiffer) = (true, false) }
      try await compare()
    }

    try await load()
    if !hasLoaded { try await load() }
    if var child = model.children.first(where: { $0.id == renamed.id }) {
      child.name = "Alex"
      let isStored = try await act("update") { await model.updateChild(child) }
      let name = model.children.first { $0.id == child.id }?.name
      if run.isUndisturbed {
        run.expect(
          "nothing.lost", name == (isStored ? "Alex" : renamed.name),
          "the child is called \(name ?? "nothing")")
      }
      try await compare()
      let isGone = try await act("delete") { await model.deleteChild(id: removed.id) }
      let isShown = model.children.contains { $0.id == removed.id }
      if run.isUndisturbed {
        run.expect(
          "nothing.lost", isShown != isGone, "\(removed.name) is \(isShown ? "still" : "not") shown")
      }
      try await compare()
    }
    try await load()
    // Whatever happened before, the screen shows everything and no message after the next load.
    try await run.withoutFaults {
      await run.signInAgain(with: auth)
      try await load()
      run.expect(
        "screen.matches.store", model.children == backend.sampleChildren,
        "it shows \(model.children.map(\.name)), and \(backend.sampleChildren.map(\.name)) are stored")
      run.expect("errors.end", model.errorMessage == nil, "the message is \(model.errorMessage ?? "")")
    }
  }
}

/// The content of the profile.
private struct ProfileScreen: Equatable, Sendable, CustomStringConvertible {
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
