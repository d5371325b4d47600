public import SharedServices
import SharedServicesDoubles
public import Understudy

extension FaultAgreement where Observation == Report<DataError> {
  /// Loading a forum: what the client throws, and what the screen shows that has a list from before.
  ///
  /// A read leaves no trace that shows whether the backend did the work.
  public static var forumThreads: Self {
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

  /// Marking a thread as seen: what the client throws, what the screen shows, and whether the forum has done it.
  public static var forumMarkSeen: Self {
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

/// What a call of the forum's client reports of each fault, and whether the forum has done the work all the same.
///
/// Written by hand: a body that is no JSON, and no page either, is the forum's to explain, and it knows nothing of fields
/// that a user could correct.
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

/// The error that a call ends with, if any, without what a parsing error says to developers.
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
