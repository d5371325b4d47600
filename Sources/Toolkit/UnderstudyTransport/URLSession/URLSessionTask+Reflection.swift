#if canImport(FoundationNetworking)
  package import Dispatch
  import Foundation
  package import FoundationNetworking

  // Private properties of Foundation on Linux. A URLProtocol requires the queue and the body: with events on another
  // queue, a session with many tasks crashes. A transport requires the rest. Tests check that they still exist; a
  // missing one is `nil`, without a trap.

  extension URLSessionTask {
    /// The queue on which a protocol is started and its client must be called.
    package var reflectedQueue: DispatchQueue? { reflected("workQueue") as? DispatchQueue }

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
    package func reflected(_ name: String) -> Any? { storedProperty(name, of: self) }
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
#endif
