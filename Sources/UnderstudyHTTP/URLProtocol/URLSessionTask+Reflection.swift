#if canImport(FoundationNetworking)
  import Dispatch
  import Foundation
  import FoundationNetworking

  // What Foundation on Linux keeps to itself, and a URLProtocol cannot do without: told on another queue, a session with
  // many tasks crashes. Tests say whether it is still found; what is not is `nil`, and nothing stops.

  extension URLSessionTask {
    /// The queue on which a protocol is started and its client wants to be told.
    var reflectedQueue: DispatchQueue? { reflected("workQueue") as? DispatchQueue }

    /// The body of an upload task, which stands in no request; `nil` if it is handed out by a delegate.
    var reflectedBody: RequestBody? {
      // An Optional of an enum, one case for each kind of body.
      guard let body = reflected("knownBody").flatMap({ Mirror(reflecting: $0).children.first?.value }) else {
        return nil
      }
      return switch Mirror(reflecting: body).children.first?.value {
      case let data as DispatchData: .data(Data(data))
      case let file as URL: .file(file)
      default: nil
      }
    }

    /// A stored property; called on the task's queue, where all of them are changed.
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
