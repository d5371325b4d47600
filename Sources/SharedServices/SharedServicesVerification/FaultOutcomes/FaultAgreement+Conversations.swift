package import SharedServices
import SharedServicesDoubles
package import Understudy
import UnderstudyHTTP

extension FaultAgreement where Observation == Report<AppError> {
  /// Starting a conversation, with the first message.
  package static var startConversation: FaultAgreement<Report<AppError>> {
    let rows: [Row] = expectedErrors.map { row in
      (
        row.fault,
        Report(row.error, screen: screen(row.error, or: Self.said), isStored: row.isDone)
      )
    }
    return FaultAgreement("conversations.startConversation", expecting: rows) {
      fault, injectionPoint in
      let (called, shown) = try await FaultyProject.two(fault, at: injectionPoint, in: .startConversation)
      let (one, other) = (try await called.storedChild(), try await shown.storedChild())
      let error = try await appError {
        _ = try await called.conversations.startConversation(childID: one.id)
      }
      let screen = await Screen.conversation(shown, about: other)
      return Report(
        error, screen: screen, isStored: try called.hasStoredConversation && shown.hasStoredConversation)
    }
  }

  /// Loading the history; the shown messages stay.
  ///
  /// A read leaves no trace that shows whether the backend did the work.
  package static var history: FaultAgreement<Report<AppError>> {
    let rows: [Row] = expectedErrors.map { row in
      let message = row.error.map(expectedMessage) ?? ""
      return (
        row.fault,
        Report(row.error, screen: Self.said + (message.isEmpty ? "" : " | ! \(message)"), isStored: false)
      )
    }
    return FaultAgreement("conversations.history", expecting: rows) { fault, injectionPoint in
      let (called, shown) = try await FaultyProject.two(fault, at: injectionPoint, in: .history)
      let (one, other) = (try await called.storedChild(), try await shown.storedChild())
      let conversation = try await called.otherDevice.conversations.startConversation(childID: one.id)
      called.breakWire()
      let error = try await appError {
        _ = try await called.conversations.history(conversationID: conversation.id)
      }
      let screen = await Screen.conversation(shown, about: other, thenReloads: true)
      return Report(error, screen: screen, isStored: false)
    }
  }

  /// Sending a message, whose answer is streamed.
  package static var sendMessageStream: FaultAgreement<Report<AppError>> {
    FaultAgreement("conversations.sendMessageStream", expecting: expectedAnswers) {
      fault, injectionPoint in
      let (called, shown) = try await FaultyProject.two(fault, at: injectionPoint, in: .sendMessage)
      let (one, other) = (try await called.storedChild(), try await shown.storedChild())
      let conversation = try await called.otherDevice.conversations.startConversation(childID: one.id)
      var pieces: [String]?
      let error = try await appError {
        let answer = try await called.conversations.sendMessageStream(
          conversationID: conversation.id, message: "Why?", childContext: ChildContext(one))
        pieces = []
        for try await chunk in answer { pieces?.append(chunk.text) }
      }
      let screen = await Screen.conversation(shown, about: other)
      let isStored = try called.storedMessages.contains("Why?") && shown.storedMessages.contains("Why?")
      return Report(error, pieces: pieces, screen: screen, isStored: isStored)
    }
  }

  private static var said: String { "> Why? | < Naps help 👩‍👧." }

  private static func screen(_ error: AppError?, or success: String) -> String {
    switch error {
    case nil: success
    case .cancelled: ""
    case let error?: "! \(expectedMessage(error))"
    }
  }

  /// Written by hand from the rules of `LyraViewModel` and the meanings of the faults.
  private static var expectedAnswers: [Row] {
    /// The message returns to the field; the backend may have stored it nevertheless.
    func refused(_ fault: Fault, _ error: AppError, isStored: Bool = false) -> Row {
      (fault, Report(error, screen: screen(error, or: ""), isStored: isStored))
    }
    /// The message stays, and the answer is interrupted before any of it is visible.
    func interrupted(_ fault: Fault, _ error: NetworkError, _ pieces: [String] = []) -> Row {
      let screen = "> Why? | ! \(expectedMessage(.network(error)))"
      return (fault, Report(.network(error), pieces: pieces, screen: screen, isStored: true))
    }
    func answered(_ fault: Fault, _ pieces: [String] = ["", "Naps ", "help 👩‍👧.", ""]) -> Row {
      (fault, Report(nil, pieces: pieces, screen: said, isStored: true))
    }
    let refusals: [Row] = expectedErrors.compactMap { row in
      guard let error = row.error, error != .cancelled, !row.isDone else { return nil }
      return refused(row.fault, error)
    }
    return refusals + [
      (.cancelled, Report(.cancelled, screen: "", isStored: false)),
      refused(.answerLost, .network(.timeout), isStored: true),
      refused(.emptyReply, .network(.connectionLost), isStored: true),
      refused(.unreadableAnswer, .network(.unreadableAnswer), isStored: true),
      refused(.garbage, .network(.unreadableAnswer), isStored: true),
      // The head of the response has arrived, which confirms that the message is stored.
      interrupted(.timeoutInBody(), .timeout), interrupted(.truncatedBody(), .connectionLost),
      interrupted(.truncatedChunk(), .connectionLost), interrupted(.resetInBody(), .connectionLost),
      interrupted(.malformedChunk(), .unreadableAnswer), interrupted(.brokenGzip, .unreadableAnswer),
      interrupted(.dropStream(), .connectionLost, [""]), interrupted(.endStream(), .connectionLost, [""]),
      interrupted(.stallStream(), .timeout, [""]), interrupted(.corruptEvent(), .unreadableAnswer),
      (
        .unterminatedEvent,
        Report(
          .network(.connectionLost), pieces: ["", "Naps ", "help 👩‍👧."],
          screen: "> Why? | < Naps help 👩‍👧.… | ! The connection was lost. Please try again.", isStored: true
        )
      ),
      answered(.duplicateEvent(), ["", "", "Naps ", "help 👩‍👧.", ""]),
      answered(.reorderEvent(), ["Naps ", "", "help 👩‍👧.", ""]), answered(.splitCharacters),
      answered(.latency(.seconds(1))), answered(.latency(.mobileNetwork)), answered(.dribble()),
    ]
  }
}
