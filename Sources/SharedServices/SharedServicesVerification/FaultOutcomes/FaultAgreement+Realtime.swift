package import SharedServices
import SharedServicesDoubles
package import Understudy
import UnderstudyHTTP

extension FaultAgreement where Observation == Report<AppError> {
  /// Subscribing to the changes of the children and receiving five of them; no screen shows them.
  ///
  /// A fault after a number of messages occurs in a double after the same number of changes, and over a socket after
  /// the same number of messages, including replies. The number of changes before it may differ; the error is the same.
  package static var childChanges: FaultAgreement<Report<AppError>> {
    let rows: [Row] = (expectedErrors.map { ($0.fault, $0.error) } + expectedOfWebSocket).map {
      fault, error in
      (fault, Report(error, screen: "", isStored: false))
    }
    return FaultAgreement("realtime.childChanges", expecting: rows) { fault, injectionPoint in
      let project = try await FaultyProject(fault, at: injectionPoint, in: .childChanges)
      let error = try await appError {
        let changes = try await project.realtime.childChanges()
        for number in 1...5 {
          var child = NewChild.robin
          child.name += " \(number)"
          _ = try await project.otherDevice.children.createChild(child)
        }
        var told = 0
        for try await _ in changes {
          told += 1
          if told == 5 { break }
        }
      }
      return Report(error, screen: "", isStored: false)
    }
  }

  /// Written by hand from the meanings of the faults.
  private static var expectedOfWebSocket: [(Fault, AppError?)] {
    [
      (.closeWebSocket(), .network(.connectionLost)),
      (.closeWebSocket(code: .internalError, afterMessages: 3), .network(.connectionLost)),
      (.closeWebSocket(code: .normalClosure, afterMessages: 3), .network(.connectionLost)),
      (.abortWebSocket(), .network(.connectionLost)),
      (.abortWebSocket(afterMessages: 3), .network(.connectionLost)),
      (.badFrame(), .network(.unreadableAnswer)), (.badFrame(afterMessages: 3), .network(.unreadableAnswer)),
      (.dropStream(), .network(.connectionLost)), (.dropStream(afterEvents: 3), .network(.connectionLost)),
      (.endStream(), .network(.connectionLost)), (.endStream(afterEvents: 3), .network(.connectionLost)),
      (.corruptEvent(), .network(.unreadableAnswer)), (.corruptEvent(3), .network(.unreadableAnswer)),
      // The heartbeat is not answered. Before the subscription is established the call would reach its time-out.
      (.stallStream(afterEvents: 3), .network(.connectionLost)),
      (.duplicateEvent(), nil), (.duplicateEvent(3), nil), (.reorderEvent(), nil), (.reorderEvent(3), nil),
    ]
  }
}
