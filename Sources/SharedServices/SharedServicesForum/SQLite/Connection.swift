import Dispatch
import SharedServices

/// A database with a thread of its own, so that waiting for the disk blocks only the calling task.
actor Connection {
  private let executor: QueueExecutor
  private let name: String
  private let open: @Sendable () throws(SQLiteError) -> Database
  private var database: Database?

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Creates a connection that is opened on first use; a failed attempt is repeated on the next use.
  ///
  /// - Parameter name: The name of the file in errors.
  init(to name: String, opening open: @escaping @Sendable () throws(SQLiteError) -> Database) {
    executor = QueueExecutor(label: name)
    self.name = name
    self.open = open
  }

  /// Runs `body` with the database.
  func perform<Result: Sendable>(
    _ body: @Sendable (Database) throws(SQLiteError) -> Result
  ) throws(DataError) -> Result {
    if Task.isCancelled { throw .cancelled }
    do throws(SQLiteError) {
      if let database { return try body(database) }
      let opened = try open()
      database = opened
      return try body(opened)
    } catch {
      if error.primaryCode == SQLiteError.interrupted.code, Task.isCancelled { throw .cancelled }
      throw .storeError("The store \(name) failed: \(error).")
    }
  }
}

/// An actor executor that runs jobs on a dispatch queue; Dispatch on Linux provides none.
private final class QueueExecutor: SerialExecutor {
  private let queue: DispatchQueue

  init(label: String) {
    queue = DispatchQueue(label: label)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
