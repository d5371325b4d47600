// Error: has no member 'serverFail'
import Understudy

extension Contract where Subject == any TodoService {
  static var other: Self {
    Contract("todos") {
      Clause("todos.empty", "A new list is empty.") { trial in
        try await trial.given(.serverFail)
        await trial.expect(throws: TodoError.unavailable) { try await trial.subject.items() }
      }
    }
  }
}
