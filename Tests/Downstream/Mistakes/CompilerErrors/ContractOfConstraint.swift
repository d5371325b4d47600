// Error: type 'any TodoService' cannot conform to 'TodoService'
import Understudy

extension Contract where Subject: TodoService {
  static var other: Self {
    Contract("todos") {
      Clause("todos.empty", "A new list is empty.") { trial in
        trial.expect(try await trial.subject.items(), equals: [])
      }
    }
  }
}

let checks = Contract.other.checks(of: .inMemory)
