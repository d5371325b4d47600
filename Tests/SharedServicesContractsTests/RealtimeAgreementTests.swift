import Foundation
import SharedServices
import SharedServicesContracts
import SharedServicesInMemory
import SharedServicesLive
import Testing
import UnderstudyBackend
import UnderstudyDoubles
import UnderstudyTransport

/// What the app is told of each fault of a WebSocket, wherever it is put in: thrown by a double, injected into the
/// transport of the live service, or into the backend behind it.
struct RealtimeAgreementTests {
  /// Written by hand; those of a call are in the table of every other service.
  ///
  /// They happen after three messages: for a double three changes, over a socket what is answered to the join and one.
  static let ofWebSocket: [(fault: Fault, error: AppError)] = [
    (.closeWebSocket(afterMessages: 3), .network(.connectionLost)),
    (.closeWebSocket(code: .normalClosure, afterMessages: 3), .network(.connectionLost)),
    (.closeWebSocket(code: .internalError, afterMessages: 3), .network(.connectionLost)),
    (.abortWebSocket(afterMessages: 3), .network(.connectionLost)),
    (.badFrame(afterMessages: 3), .network(.unreadableAnswer)),
    (.dropStream(afterEvents: 3), .network(.connectionLost)),
    (.endStream(afterEvents: 3), .network(.connectionLost)),
    // Its heartbeat goes unanswered.
    (.stallStream(afterEvents: 3), .network(.connectionLost)),
    (.corruptEvent(3), .network(.unreadableAnswer)),
  ]

  static var expectedErrors: [(fault: Fault, error: AppError)] { AgreementTests.expectedErrors + ofWebSocket }

  @Test func theTablesHaveEveryFailureOfTheCatalogue() {
    func name(_ fault: Fault) -> String { String(fault.description.prefix { !$0.isNumber }) }
    let listed = Set(Self.expectedErrors.map { name($0.fault) })
    #expect(Set(Fault.failures(of: .webSocket).map(name)).subtracting(listed).isEmpty)
  }

  @Test(arguments: expectedErrors, [Seam.service, .transport, .handler])
  func aSubscriptionReportsTheSameAtEverySeam(_ row: (fault: Fault, error: AppError), _ seam: Seam)
    async throws
  {
    let time = ManualTime(.jumping)
    let services = InMemorySharedServices.signedIn(time: time.time)
    let realtime = try await Self.service(of: services, failingWith: row.fault, at: seam, time)
    await #expect(throws: row.error) {
      let changes = try await realtime.childChanges()
      for name in ["Robin", "Kim", "Alex", "Sam", "Charlie"] {
        let birthday = try #require(CalendarDate(year: 2017, month: 5, day: 4))
        _ = try await services.children.createChild(
          NewChild(userID: InMemoryChildrenService.sampleUserID, name: name, age: 8, birthday: birthday))
      }
      for try await _ in changes {}
    }
  }

  private static func service(
    of services: InMemorySharedServices, failingWith fault: Fault, at seam: Seam, _ time: ManualTime
  ) async throws -> any RealtimeService {
    if seam == .service {
      return Intercepted(services.realtime, by: .faults(.on(.any, fault)), time: time.time)
    }
    let path = "/realtime/v1/websocket"
    let plain = InProcessTransport(to: services.emulator, time: time.time)
    let webSockets: any WebSocketTransport =
      seam == .transport
      ? Intercepted(plain, by: .faults(.on(.connect(path), fault)), time: time.time)
      : InProcessTransport(
        to: Intercepted(services.emulator, by: .faults(.on(.get(path), fault)), time: time.time),
        time: time.time)
    let client = SupabaseClient(
      SupabaseConfiguration(
        projectURL: try #require(URL(string: "http://emulator.invalid")), apiKey: services.emulator.apiKey),
      over: plain, time: time.time)
    _ = try await SupabaseAuthService(client).signIn(email: "pat@example.com", password: "password")
    return SupabaseRealtimeService(client, over: webSockets)
  }
}
