/// The todos of the user, the oldest first.
public protocol TodoService: Sendable {
  /// Stores a todo that is not done.
  ///
  /// - Throws: `.duplicate` if there is one of that title.
  func add(_ title: String) async throws(TodoError) -> Todo

  /// All todos.
  func items() async throws(TodoError) -> [Todo]

  /// Marks a todo as done, or as not done.
  ///
  /// - Throws: `.notFound` if it is missing.
  func setDone(_ isDone: Bool, id: Todo.ID) async throws(TodoError) -> Todo

  /// Removes a todo; removing a missing one is a success.
  func remove(id: Todo.ID) async throws(TodoError)
}
