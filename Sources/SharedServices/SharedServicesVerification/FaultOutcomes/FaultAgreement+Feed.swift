package import SharedServices
package import Understudy

extension FaultAgreement where Observation == Report<AppError> {
  /// Loading the history of a session: the service's error and the chat's content.
  ///
  /// A read leaves no trace that shows whether the backend did the work.
  package static var messagePage: FaultAgreement<Report<AppError>> {
    let rows: [Row] = expectedErrors.map { row in
      (row.fault, Report(row.error, screen: chat(row.error, ifItFails: []), isStored: false))
    }
    return FaultAgreement("messages.page", expecting: rows) { fault, injectionPoint in
      let (called, shown) = try await FaultyFeed.two(fault, at: injectionPoint, in: .page)
      let error = try await appError {
        _ = try await called.history.page(of: FaultyFeed.sessionID, after: nil, limit: 10)
      }
      return Report(error, screen: await Screen.chat(shown), isStored: false)
    }
  }

  /// Following a session and receiving messages: the service's error, at the call or in its stream, and the content of
  /// the chat, which has loaded the history.
  ///
  /// Later faults of a connection are excluded: the live service reconnects, and a double that fails there differs.
  package static var messageUpdates: FaultAgreement<Report<AppError>> {
    let rows: [Row] = expectedErrors.map { row in
      (
        row.fault,
        Report(row.error, screen: chat(row.error, ifItFails: [FaultyFeed.greeting]), isStored: false)
      )
    }
    return FaultAgreement("messages.updates", expecting: rows) { fault, injectionPoint in
      let (called, shown) = try await FaultyFeed.two(fault, at: injectionPoint, in: .updates)
      let error = try await appError {
        let updates = try await called.stream.updates(of: FaultyFeed.sessionID, after: nil)
        for try await update in updates {
          if update == .connected { break }
        }
      }
      return Report(error, screen: await Screen.chat(shown), isStored: false)
    }
  }

  private static func chat(_ error: AppError?, ifItFails bubbles: [String]) -> String {
    switch error {
    case nil: FaultyFeed.greeting
    case .cancelled: bubbles.joined()
    case let error?: (bubbles + ["! \(expectedMessage(error))"]).joined(separator: " | ")
    }
  }
}
