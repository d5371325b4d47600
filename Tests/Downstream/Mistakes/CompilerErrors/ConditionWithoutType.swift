// Error: is unavailable: Write the type of the fixture: Condition<Void>
import Understudy

extension Contract where Subject == any TodoService {
  static var other: Self {
    Contract("todos") {
      Clause("todos.empty", "A new list is empty.") { trial in
        try await trial.given(Condition("the list is full"))
        await trial.expect(throws: TodoError.unavailable) { try await trial.subject.add("Milk") }
      }
    }
  }
}
