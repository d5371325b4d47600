/// Makes a call in a child task, for which the caller has to wait.
///
/// Calls that are made at the same time therefore begin before the caller goes on, as they do while a network or a disk
/// takes its time; in memory a call would otherwise end before the next one begins.
func overlapping<Value: Sendable, Failure: Error>(
  _ call: @escaping @Sendable () async throws(Failure) -> Value
) async throws(Failure) -> Value {
  async let result = result(of: call)
  return try await result.get()
}

private func result<Value: Sendable, Failure: Error>(
  of call: @Sendable () async throws(Failure) -> Value
) async -> Result<Value, Failure> {
  do throws(Failure) { return .success(try await call()) } catch { return .failure(error) }
}
