// Error: expression is 'async' but is not marked with 'await'
import Understudy

extension Contract where Subject == any TodoService {
  static var other: Self {
    Contract("todos") {
      Clause("todos.empty", "A new list is empty.") { trial in
        trial.expect(throws: TodoError.duplicate) { try await trial.subject.add("Milk") }
      }
    }
  }
}
