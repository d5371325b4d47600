#if canImport(FoundationNetworking)
  import Dispatch
  import Foundation
  import FoundationNetworking

  // Private properties of Foundation on Linux that a URLProtocol requires: with events on another queue, a session with
  // many tasks crashes. Tests check that they still exist; a missing one is `nil`, without a trap.

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

    /// The value of a stored property.
    ///
    /// Call this on the task's queue, where the properties are changed.
    private func reflected(_ name: String) -> Any? {
      var mirror: Mirror? = Mirror(reflecting: self)
      while let current = mirror {
        if let child = current.children.first(where: { $0.label == name }) { return child.value }
        mirror = current.superclassMirror
      }
      return nil
    }
  }
#endif
