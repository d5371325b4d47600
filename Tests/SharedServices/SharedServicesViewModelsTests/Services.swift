import Foundation
import SharedServices
import SharedServicesBackends
import SharedServicesContracts
import SharedServicesDoubles
import Understudy
import UnderstudyHTTP
import UnderstudySupabase
import SharedServicesLive
import SharedServicesViewModels
import Testing

/// Where a fault is injected.
enum Place: CaseIterable, Sendable, CustomTestStringConvertible {
  /// A double throws it.
  case service
  /// The live service's transport injects it.
  case transport

  var testDescription: String { self == .service ? "thrown by a double" : "injected into the transport" }
}

/// Services over one fresh backend with a user who is signed in, and with faults where a test wants them.
struct Services: Sendable {
  let auth: any AuthService
  let children: any ChildrenService
  /// The doubles without faults; a test of the transport does not use them.
  let backend: InMemorySharedServices
  /// The children service of another device, which no fault reaches.
  private let otherDevice: any ChildrenService

  /// A new holder of the signed-in user.
  @MainActor func holder() -> AuthViewModel { AuthViewModel(service: auth) }

  var userID: UUID { InMemorySharedServices.sampleUserID }

  /// - Parameter fault: What every call of the children service meets.
  init(failingWith fault: Fault? = nil, at place: Place = .service) async throws {
    let time = TestClock(.immediate)
    backend = InMemorySharedServices.signedIn(time: time.time)
    let faults = fault.map { [$0] } ?? []
    switch place {
    case .service:
      (auth, otherDevice) = (backend.auth, backend.children)
      children = Intercepted(
        backend.children, by: .faults(FaultPlan(rules: faults.map { .on(.any, $0) })), time: time.time)
    case .transport:
      let rules = faults.map {
        FaultPlan<InProcessTransport<SupabaseEmulator>>.Rule.on(.request(nil, "/rest/v1/children"), $0)
      }
      let project = SupabaseBackend(time: time.time)
      let user = try project.addUser(
        id: InMemorySharedServices.sampleUserID, email: "pat@example.com", password: "password")
      otherDevice = DatabaseChildrenService(project, as: user)
      let transport = Intercepted(
        InProcessTransport(to: project.emulator, time: time.time), by: .faults(FaultPlan(rules: rules)),
        time: time.time)
      let client = SupabaseClient(
        SupabaseConfiguration(
          projectURL: try #require(URL(string: "http://emulator.invalid")), apiKey: project.emulator.apiKey),
        over: transport, clock: time.time.clock, now: time.time.date)
      auth = SupabaseAuthService(client)
      children = SupabaseChildrenService(client)
      _ = try await auth.signIn(email: "pat@example.com", password: "password")
    }
  }

  /// Services whose calls are held at a gate.
  init(heldAt gate: Gate<InMemoryChildrenService>, loggedIn log: CallLog<InMemoryChildrenService> = CallLog())
  {
    backend = .signedIn()
    (auth, otherDevice) = (backend.auth, backend.children)
    children = Intercepted(backend.children, by: .log(log), .gate(gate))
  }

  /// Stores a child behind the faults.
  @discardableResult
  func store(_ name: String) async throws -> Child {
    try await otherDevice.createChild(
      NewChild(
        userID: userID, name: name, age: 8, birthday: try #require(CalendarDate(year: 2017, month: 5, day: 4))
      ))
  }

  /// What is stored, the newest first.
  var stored: [String] {
    get async throws { try await otherDevice.fetchChildren(userID: userID).map(\.name) }
  }
}
