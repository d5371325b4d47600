#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking

  /// A task that nobody listens to, and that is never started.
  enum DeafTask {
    static let task: URLSessionDataTask = {
      let session = URLSession(configuration: .ephemeral)
      let request = URLRequest(url: URL(fileURLWithPath: "/"))
      let task = session.dataTask(with: request)
      // The session learns of a task later, on a queue; for a second one it waits for that queue.
      _ = session.dataTask(with: request)
      return task
    }()

    /// Makes it, which must not happen on a queue of a session.
    static func prepare() { _ = task }
  }
#endif
