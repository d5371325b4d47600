// Error: is unavailable: Every implementation has the same clauses.
import Understudy

extension Contract where Subject == any TodoService {
  static var other: Self {
    Contract("todos") {
      if CommandLine.arguments.count > 1 {
        Clause("todos.empty", "A new list is empty.") { trial in
          trial.expect(try await trial.subject.items(), equals: [])
        }
      }
    }
  }
}
