// Error: is unavailable: Write expect(actual, equals: expected), or expect(condition, "what was found").
import Understudy

extension Contract where Subject == any TodoService {
  static var other: Self {
    Contract("todos") {
      Clause("todos.empty", "A new list is empty.") { trial in
        let items = try await trial.subject.items()
        trial.expect(items.count, 0)
      }
    }
  }
}
