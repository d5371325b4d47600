// Error: is unavailable: Write the error: expect(throws: TodoError.duplicate)
import Understudy

extension Contract where Subject == any TodoService {
  static var other: Self {
    Contract("todos") {
      Clause("todos.empty", "A new list is empty.") { trial in
        await trial.expect(throws: TodoError.self) { try await trial.subject.add("Milk") }
      }
    }
  }
}
