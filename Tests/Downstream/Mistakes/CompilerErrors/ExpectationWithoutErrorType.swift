// Error: generic parameter 'Failure' could not be inferred
import Understudy

extension Contract where Subject == any TodoService {
  static var other: Self {
    Contract("todos") {
      Clause("todos.empty", "A new list is empty.") { trial in
        await trial.expect(throws: .duplicate) { try await trial.subject.add("Milk") }
      }
    }
  }
}
