import TestSupport
import Understudy

/// A bug that a test plants in a ``ListModel``, for the sweep to find.
enum PlantedBug: CaseIterable, Sendable {
  /// It keeps loading after a timeout.
  case stuckLoading
  /// It shows no message if the list cannot be read.
  case swallowedError
  /// It immediately repeats an unconfirmed write, which may have arrived.
  case doubleDelivery
  /// It discards a write that failed twice.
  case lostUpdate
}

/// A list to which an item is added, and which is then read again.
@MainActor final class ListModel {
  struct Shown: Equatable, Sendable, CustomStringConvertible {
    var isLoading = false
    var titles: [String] = []
    var message: String?

    var description: String {
      "\(isLoading ? "loading " : "")\(titles)\(message.map { " \($0)" } ?? "")"
    }
  }

  private(set) var shown = Shown()
  /// The text of the field.
  private(set) var draft: String

  private let service: any TodoService
  private let bug: PlantedBug?

  init(_ draft: String, service: any TodoService, with bug: PlantedBug?) {
    self.draft = draft
    self.service = service
    self.bug = bug
  }

  func add() async {
    shown.isLoading = true
    shown.message = nil
    do throws(TodoError) {
      try await send()
      draft = ""
    } catch {
      shown.message = "\(error)"
      if bug == .stuckLoading, error == .timedOut { return }
    }
    shown.isLoading = false
  }

  private func send() async throws(TodoError) {
    do throws(TodoError) {
      _ = try await service.add(draft, priority: 1)
    } catch .connectionLost where bug == .doubleDelivery {
      _ = try await service.add(draft, priority: 1)
    } catch  where error.isRefusal && bug == .lostUpdate {
      do throws(TodoError) {
        _ = try await service.add(draft, priority: 1)
      } catch {
        draft = ""
        throw error
      }
    }
  }

  func read() async {
    shown.isLoading = true
    shown.message = nil
    do throws(TodoError) {
      shown.titles = try await service.titles()
    } catch {
      if bug != .swallowedError { shown.message = "\(error)" }
    }
    shown.isLoading = false
  }
}

extension Scenario {
  /// A user adds an item and reads the list.
  static func list(with bug: PlantedBug?) -> Scenario {
    Scenario("list", "A user adds an item, and reads the list.") { run in
      let store = InMemoryTodos()
      let model = ListModel("Milk", service: run.intercepted(store, as: "todos"), with: bug)
      await model.add()
      run.expect("loading.ends", !model.shown.isLoading, "the list still loads after adding")
      run.expect("errors.shown", model.draft.isEmpty || model.shown.message != nil, "nothing says why not")
      await model.read()
      run.expect("loading.ends", !model.shown.isLoading, "the list still loads after reading")
      run.expect(
        "errors.shown", model.shown.titles == store.cached() || model.shown.message != nil,
        "it shows \(model.shown.titles) of \(store.cached()), and nothing says why")
      run.expect(
        "nothing.lost", store.cached().contains("Milk") || model.draft == "Milk", "Milk is nowhere")
      run.expect("nothing.twice", store.cached().count < 2, "the store has \(store.cached())")
    }
  }
}
