// Error: value of type 'any TodoService' has no member 'itms'
import Understudy

extension Contract where Subject == any TodoService {
  static var other: Self {
    Contract("todos") {
      Clause("todos.empty", "A new list is empty.") { trial in
        trial.expect(try await trial.subject.itms(), equals: [])
      }
    }
  }
}
