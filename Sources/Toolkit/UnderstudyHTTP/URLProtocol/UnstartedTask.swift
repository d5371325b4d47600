#if canImport(FoundationNetworking)
  import Dispatch
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

  // Private properties of Foundation on Linux; see `URLSessionTask.reflected`.

  extension URLSessionTask {
    /// The session of the task.
    var reflectedSession: URLSession? { reflected("session") as? URLSession }

    /// The body of an upload task, which is not in its request; `nil` if a delegate provides it.
    var reflectedBody: RequestBody? {
      // An optional enum with one case for each kind of body.
      guard let body = reflected("knownBody").flatMap({ Mirror(reflecting: $0).children.first?.value }) else {
        return nil
      }
      return switch Mirror(reflecting: body).children.first?.value {
      case let data as DispatchData: .data(Data(data))
      case let file as URL: .file(file)
      default: nil
      }
    }
  }
#endif
