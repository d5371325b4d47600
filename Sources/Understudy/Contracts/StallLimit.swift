/// Runs an operation for at most so long in real time.
///
/// - Parameters:
///   - limit: After this, the operation is cancelled; one that ignores its cancellation is left behind.
///   - late: The result when the limit is over.
///   - cancelled: The result when the caller's task is cancelled.
///   - operation: What is run, in a task of its own.
func withTimeLimit<Value: Sendable>(
  _ limit: Duration, late: @escaping @Sendable () -> Value, cancelled: () -> Value,
  _ operation: @escaping @Sendable () async -> Value
) async -> Value {
  let first = AsyncStream.makeStream(of: Value.self)
  let work = Task { first.continuation.yield(await operation()) }
  let watch = Task {
    try await Task.sleep(for: limit)
    // First, because an operation that hangs where it can be cancelled would go on, and be there before.
    first.continuation.yield(late())
    work.cancel()
  }
  return await withTaskCancellationHandler {
    var values = first.stream.makeAsyncIterator()
    let value = await values.next()
    watch.cancel()
    work.cancel()
    return value ?? cancelled()
  } onCancel: {
    first.continuation.finish()
    work.cancel()
    watch.cancel()
  }
}
