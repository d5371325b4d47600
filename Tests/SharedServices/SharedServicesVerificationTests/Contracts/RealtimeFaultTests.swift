import Foundation
import SharedServices
import SharedServicesContracts
import SharedServicesDoubles
import SharedServicesVerification
import Understudy
import UnderstudyHTTP
import Testing
import UnderstudyTesting

@Suite(.stallLimit()) struct RealtimeFaultTests {
  /// A conformance that intercepts the call alone would throw instead of returning the changes that came before.
  @Test(arguments: [
    (Fault.dropStream(afterEvents: 2), AppError.network(.connectionLost)),
    (.abortWebSocket(afterMessages: 2), .network(.connectionLost)),
    (.closeWebSocket(afterMessages: 2), .network(.connectionLost)),
    // Its heartbeat goes unanswered.
    (.stallStream(afterEvents: 2), .network(.connectionLost)),
    (.corruptEvent(3), .network(.unreadableAnswer)),
    (.badFrame(afterMessages: 2), .network(.unreadableAnswer)),
  ])
  func changesBeforeAFaultAreDelivered(_ fault: Fault, _ error: AppError) async throws {
    let time = TestClock(.immediate).time
    let services = InMemorySharedServices.signedIn(time: time)
    let realtime = Intercepted(services.realtime, by: .faults(.on(.childChanges, fault)), time: time)
    let changes = try await realtime.childChanges()
    let birthday = try #require(CalendarDate(year: 2017, month: 5, day: 4))
    for name in ["Robin", "Kim", "Alex"] {
      _ = try await services.children.createChild(
        NewChild(userID: InMemorySharedServices.sampleUserID, name: name, age: 8, birthday: birthday))
    }
    var names: [String] = []
    await #expect(throws: error) {
      for try await change in changes {
        if case .inserted(let child) = change { names.append(child.name) }
      }
    }
    #expect(names == ["Robin", "Kim"])
  }
}
