#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking

  /// A session task without a delegate or a completion handler, which is never started.
  enum UnstartedTask {
    static let task: URLSessionDataTask = {
      let session = URLSession(configuration: .ephemeral)
      let request = URLRequest(url: URL(fileURLWithPath: "/"))
      let task = session.dataTask(with: request)
      // The session registers a task later, on a queue; creating a second one waits for that queue.
      _ = session.dataTask(with: request)
      return task
    }()

    /// Creates the task.
    ///
    /// This must not run on a queue of a session.
    static func prepare() { _ = task }
  }
#endif
