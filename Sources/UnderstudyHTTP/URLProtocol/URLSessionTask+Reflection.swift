#if canImport(FoundationNetworking)
  import Dispatch
  import Foundation
  import FoundationNetworking

  // Private properties of Foundation on Linux. A URLProtocol requires the queue and the body: with events on another
  // queue, a session with many tasks crashes. A transport requires the rest. Tests check that they still exist; a
  // missing one is `nil`, without a trap.

  extension URLSessionTask {
    /// The queue on which a protocol is started and its client must be called.
    var reflectedQueue: DispatchQueue? { reflected("workQueue") as? DispatchQueue }

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

    /// The object that loads the task, until the task has ended.
    ///
    /// Call this on the task's queue, and only if nothing else changes it: see ``LoaderWitness``.
    var reflectedProtocol: URLProtocol? {
      // An enum with one case for each state.
      reflected("_protocolStorage").flatMap { Mirror(reflecting: $0).children.first?.value as? URLProtocol }
    }

    /// The value of a stored property.
    ///
    /// Call this on the task's queue, where the properties are changed.
    private func reflected(_ name: String) -> Any? { storedProperty(name, of: self) }
  }

  extension URLProtocol {
    /// The body of the last redirect, which the delegate receives only if the redirect has a usable `Location`; `nil`
    /// if this is not Foundation's own protocol for HTTP.
    ///
    /// Call this on the task's queue.
    var reflectedRedirectBody: Data? {
      storedProperty("lastRedirectBody", of: self).map { $0 as? Data ?? Data() }
    }
  }

  private func storedProperty(_ name: String, of object: AnyObject) -> Any? {
    var mirror: Mirror? = Mirror(reflecting: object)
    while let current = mirror {
      if let child = current.children.first(where: { $0.label == name }) { return child.value }
      mirror = current.superclassMirror
    }
    return nil
  }

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
