// Models whose names are those of types of the standard library, such as the task of a list of things to do.

enum ListError: Error {
  case offline
}

struct Task: Hashable, Sendable {
  let title: String
}

struct Result: Hashable, Sendable {
  let score: Int
}

struct AsyncStream: Hashable, Sendable {
  let name: String
}

// generated
protocol TaskService: Sendable {
  func tasks() async throws(ListError) -> [Task]
  func add(_ task: Task, completion: @escaping @Sendable (Task?, ListError?) -> Void)
}

// generated
// logged: best
protocol ResultService: Sendable {
  func results(of name: String) async throws(ListError) -> [Result]
  func result(of name: String, completion: @escaping @Sendable (Swift.Result<Result, ListError>) -> Void)
  func best() -> Result
}

// generated
// logged: updates
protocol StreamService: Sendable {
  func streams() async throws(ListError) -> [AsyncStream]
  func updates() -> _Concurrency.AsyncStream<Int>
}
