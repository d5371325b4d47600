/// Runs an operation with a limit in real time.
///
/// - Parameters:
///   - limit: The duration after which the operation is cancelled. An operation that ignores its cancellation is
///     abandoned.
///   - late: Makes the result when the limit is exceeded.
///   - cancelled: Makes the result when the caller's task is cancelled.
///   - operation: The operation, run in a separate task.
func withTimeLimit<Value: Sendable>(
  _ limit: Duration, late: @escaping @Sendable () -> Value, cancelled: () -> Value,
  _ operation: @escaping @Sendable () async -> Value
) async -> Value {
  let first = AsyncStream.makeStream(of: Value.self)
  let work = Task { first.continuation.yield(await operation()) }
  let watch = Task {
    try await Task.sleep(for: limit)
    // Yield before cancelling: an operation that hangs but responds to cancellation would otherwise return first.
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
