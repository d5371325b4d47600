import Foundation
import SharedServices
import SharedServicesContracts
import SharedServicesInMemory
import SharedServicesLive
import Testing
import UnderstudyDoubles
import UnderstudyTransport

/// Services over one fresh backend with a user who is signed in, and with a fault where a test wants it.
struct Services: Sendable {
  /// Where a fault is put in.
  enum Place: CaseIterable, Sendable, CustomTestStringConvertible {
    /// A double throws it.
    case service
    /// The live service's transport injects it.
    case transport

    var testDescription: String { self == .service ? "thrown by a double" : "injected into the transport" }
  }

  let auth: any AuthService
  let children: any ChildrenService
  let userID: UUID

  /// The backend's own doors, which no fault reaches.
  let backend: InMemorySharedServices
}
