import Notes
import NotesDoubles
public import Understudy

extension Scenario {
  /// The user adds notes, removes one, and refreshes.
  public static let notes = Scenario("notes", "The user adds two notes, removes one, and refreshes.") { run in
    let store = InMemoryNotes()
    let screen = NotesViewModel(service: run.intercepted(store, as: "notes"))
    run.watch(screen) { $0.isLoading ? "loading" : $0.message ?? "\($0.notes.map(\.text))" }

    run.interruption("refresh") { await screen.refresh() }

    @MainActor func act(_ action: @escaping @MainActor () async -> Void) async {
      let failures = await run.failures { await run.act(action) }
      run.expect("loading.ends", !screen.isLoading, "the screen still shows that it is loading")
      run.expect(
        "errors.shown", failures.match(isShown: screen.message != nil),
        "the message is \(screen.message ?? "missing"), and the failures are \(failures)")
    }

    let failures = await run.failures {
      await act { await screen.add("Milk") }
      await act { await screen.add("Bread") }
      if let milk = screen.notes.first(where: { $0.text == "Milk" }) {
        await act { await screen.remove(milk) }
      }
    }
    // Before a refresh, which hides a change that is shown and not stored.
    let kept = try await store.notes()
    run.expect(
      "screen.matches.store", screen.notes == kept || failures.contains(where: \.mayHaveWorked),
      "\(screen.notes) shown, \(kept) stored")
    await act { await screen.refresh() }
    await run.withoutFaults { await screen.refresh() }
    let stored = try await store.notes()
    run.expect("screen.matches.store", screen.notes == stored, "\(screen.notes) shown, \(stored) stored")
  }
}
