public import Todos
public import Understudy

extension Contract where Subject == any TodoService {
  /// What every `TodoService` must do.
  public static var todoService: Self {
    Contract("todos") {
      Clause("todos.add.listed", "A todo that was added is listed, and is not done.") { trial in
        let milk = try await trial.subject.add("Milk")
        trial.expect(milk.title, equals: "Milk", "the title")
        trial.expect(!milk.isDone, "Expected the todo not to be done.")
        trial.expect(try await trial.subject.items(), equals: [milk], "the list")
      }
      Clause("todos.add.text", "A title is stored as it was typed, scalar for scalar.") { trial in
        let title = " Cafe\u{301} "
        let todo = try await trial.subject.add(title)
        for found in [todo] + (try await trial.subject.items()) {
          trial.expect(Array(found.title.unicodeScalars), equals: Array(title.unicodeScalars), "the title")
        }
      }
      Clause("todos.add.order", "Todos are listed in the order in which they were added.") { trial in
        for title in ["Milk", "Bread", "Apples"] { _ = try await trial.subject.add(title) }
        trial.expect(
          try await trial.subject.items().map(\.title), equals: ["Milk", "Bread", "Apples"], "the titles")
      }
      Clause("todos.add.duplicate", "A second todo of the same title is refused, and nothing is stored.") {
        trial in
        let milk = try await trial.subject.add("Milk")
        await trial.expect(throws: TodoError.duplicate) { try await trial.subject.add("Milk") }
        trial.expect(try await trial.subject.items(), equals: [milk], "the list")
      }
      Clause("todos.done.stored", "A todo that is marked is marked in the list, and no other is.") { trial in
        let milk = try await trial.subject.add("Milk")
        let bread = try await trial.subject.add("Bread")
        let done = try await trial.subject.setDone(true, id: milk.id)
        trial.expect(done.isDone, "Expected the answer to be done.")
        trial.expect(try await trial.subject.items(), equals: [done, bread], "the list")
        let undone = try await trial.subject.setDone(false, id: milk.id)
        trial.expect(!undone.isDone, "Expected the answer not to be done.")
        let second = try await trial.subject.setDone(true, id: bread.id)
        trial.expect(try await trial.subject.items(), equals: [undone, second], "the list after other marks")
      }
      Clause("todos.done.absent", "A missing todo cannot be marked.") { trial in
        let milk = try await trial.subject.add("Milk")
        try await trial.subject.remove(id: milk.id)
        await trial.expect(throws: TodoError.notFound) {
          try await trial.subject.setDone(true, id: milk.id)
        }
      }
      Clause("todos.remove.gone", "A todo that was removed is gone, and the others are there.") { trial in
        let milk = try await trial.subject.add("Milk")
        let bread = try await trial.subject.add("Bread")
        let apples = try await trial.subject.add("Apples")
        try await trial.subject.remove(id: milk.id)
        trial.expect(try await trial.subject.items(), equals: [bread, apples], "the list")
        try await trial.subject.remove(id: apples.id)
        trial.expect(try await trial.subject.items(), equals: [bread], "the list after the second removal")
      }
      Clause("todos.remove.absent", "Removing a missing todo is a success.") { trial in
        let milk = try await trial.subject.add("Milk")
        try await trial.subject.remove(id: milk.id)
        await trial.expectNoError("a second removal") { try await trial.subject.remove(id: milk.id) }
      }
      Clause("todos.failure.server", "A failure of the server is reported as one.") { trial in
        try await trial.given(.serverFails)
        await trial.expect(throws: TodoError.unavailable) { try await trial.subject.items() }
      }
      Clause("todos.failure.offline", "Without a network a call says that the user is offline.") { trial in
        try await trial.given(.offline)
        await trial.expect(throws: TodoError.offline) { try await trial.subject.add("Milk") }
        await trial.expect(throws: TodoError.offline) { try await trial.subject.remove(id: 1) }
      }
      Clause("todos.failure.time-out", "A call that is not answered times out.") { trial in
        try await trial.given(.doesNotAnswer)
        await trial.expect(throws: TodoError.timedOut) { try await trial.subject.items() }
      }
      Clause("todos.failure.busy", "Too many requests are reported with the seconds that the server names.") {
        trial in
        let delay = try await trial.given(.tooManyRequests)
        await trial.expect(throws: TodoError.busy(seconds: Int(delay.components.seconds))) {
          try await trial.subject.items()
        }
      }
      Clause("todos.failure.unreadable", "An answer that makes no sense is not taken for an empty list.") {
        trial in
        try await trial.given(.answerIsUnreadable)
        await trial.expect(throws: TodoError.unreadable) { try await trial.subject.items() }
      }
      Clause("todos.failure.lost-answer", "A todo whose answer was lost is stored once.") { trial in
        try await trial.during(.answerIsLost) {
          await trial.expect(throws: TodoError.connectionLost) { try await trial.subject.add("Milk") }
        }
        trial.expect(try await trial.subject.items().map(\.title), equals: ["Milk"], "the titles")
      }
    }
  }
}

extension Trial {
  /// Notes a violation if the operation throws.
  func expectNoError(_ what: String, from operation: () async throws -> Void) async {
    do {
      try await operation()
      expect(true, "")
    } catch {
      expect(false, "Expected \(what) to succeed, but it threw \(error).")
    }
  }
}
