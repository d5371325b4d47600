import Foundation
import Understudy
import UnderstudyCommand

// A program like one of an adopter, whose screens end the process. The tests of `sweep` start it.

struct Store: Sendable {}
struct Failed: Error {}

extension ScenarioRun {
  /// Calls a method of a store, and returns what a screen then shows: the items, which are empty after a failure.
  func items(of store: Intercepted<Store>, _ method: String) async -> [String] {
    var items: [String] = []
    await act {
      let loaded = try? await store.intercept(
        .init(method), failure: { _ in Failed() }
      ) { _ throws(Failed) in ["Milk"] }
      items = loaded ?? []
    }
    return items
  }
}

let scenarios = [
  Scenario("first", "A screen shows its first item, also of an empty list.") { run in
    let store = run.intercepted(Store(), as: "store")
    let saved = await run.items(of: store, "save")
    run.expect("errors.shown", !saved.isEmpty, "a list that was not saved is shown as empty")
    let items = await run.items(of: store, "load")
    run.expect("first.shown", items[0] == "Milk", "the first item is \(items[0])")
  },
  Scenario("right", "A screen shows its items.") { run in
    let items = await run.items(of: run.intercepted(Store(), as: "store"), "load")
    run.expect("items.shown", items.count < 2, "there are \(items.count) items")
  },
  Scenario("leaving", "A screen leaves the program.") { run in exit(0) },
]

await CommandLineTool("trapping-screens", scenarios: scenarios).main()
