// Error: is unavailable: A clause has a name, a sentence and a check
import Understudy

extension Contract where Subject == any TodoService {
  static var other: Self {
    Contract("todos") {
      Clause("todos.empty") { trial in trial.expect(try await trial.subject.items(), equals: []) }
    }
  }
}
