package import SharedServices
import SharedServicesDoubles
package import Understudy

extension FaultAgreement where Observation == Report<DataError> {
  /// Loading a forum: the client's error and the content of the screen, which has an older list.
  ///
  /// A read leaves no trace that shows whether the backend did the work.
  package static var forumThreads: FaultAgreement<Report<DataError>> {
    let rows: [Row] = expectedForumErrors.map { row in
      (
        row.fault,
        Report(row.error, screen: screen("Old news", row.error, or: "New rules"), isStored: false)
      )
    }
    return FaultAgreement("forum.threads", expecting: rows) { fault, injectionPoint in
      let (called, shown) = try await FaultyForum.two(fault, at: injectionPoint, in: .threads)
      let error = try await dataError {
        _ = try await called.client.threads(inForum: FaultyForum.board.id, page: 1)
      }
      return Report(error, screen: try await Screen.forum(shown), isStored: false)
    }
  }

  /// Marking a thread as seen: the client's error, the content of the screen, and whether the forum stored the mark.
  package static var forumMarkSeen: FaultAgreement<Report<DataError>> {
    let rows: [Row] = expectedForumErrors.map { row in
      let screen = screen("New rules", row.error, or: "New rules ✓")
      return (row.fault, Report(row.error, screen: screen, isStored: row.isDone))
    }
    return FaultAgreement("forum.markSeen", expecting: rows) { fault, injectionPoint in
      let (called, shown) = try await FaultyForum.two(fault, at: injectionPoint, in: .markSeen)
      let thread = FaultyForum.thread
      let error = try await dataError {
        try await called.client.markSeen(threadID: thread.id, upTo: thread.replyCount + 1)
      }
      let screen = try await Screen.forum(shown, marking: thread)
      return Report(error, screen: screen, isStored: called.isSeen && shown.isSeen)
    }
  }

  private static func screen(_ title: String, _ error: DataError?, or success: String) -> String {
    switch error {
    case nil: success
    case .cancelled: title
    case let error?: "\(title) | ! \(expectedMessage(error))"
    }
  }
}

/// The expected error for each fault of a call to the forum's client, and whether the forum performs the call
/// nevertheless.
///
/// Written by hand: a body that is neither JSON nor a page is a parsing error, and the forum has no fields that a user
/// could correct.
private var expectedForumErrors: [(fault: Fault, error: DataError?, isDone: Bool)] {
  expectedErrors.map { row in
    let error: DataError? =
      switch (row.fault, row.error) {
      case (.unreadableAnswer, _): .parsingError("")
      case (.unprocessable, _): .networkError(.unreadableAnswer)
      case (_, .network(let error)?): .networkError(error)
      case (_, .cancelled?): .cancelled
      case (_, nil): nil
      case (_, let error?): .parsingError("no error is expected such as \(error)")
      }
    return (row.fault, error, row.isDone)
  }
}

private func expectedMessage(_ error: DataError) -> String {
  switch error {
  case .networkError(let error): expectedMessage(AppError.network(error))
  case .parsingError: "The forum sent a page that this app does not understand."
  default: "no message is expected"
  }
}

/// Returns the error that a call throws, if any, without the description of a parsing error.
private func dataError(of call: () async throws -> Void) async throws -> DataError? {
  do {
    try await call()
    return nil
  } catch DataError.parsingError {
    return .parsingError("")
  } catch let error as DataError {
    return error
  }
}
