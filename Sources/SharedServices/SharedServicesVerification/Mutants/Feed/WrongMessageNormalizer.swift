import Foundation
import SharedServices
import Understudy

/// A normalizer with one mistake.
struct WrongMessageNormalizer: MessageNormalizing {
  /// The mistake that the service makes.
  enum Mistake: String, CaseIterable, Sendable {
    case takesThinkingForAnswers
    case takesUnknownRolesForSystem
    case knowsRolesInAnyCase
    case ignoresOffsets
    case takesUnknownMomentsForNow
    case takesGreenwichForGranted
    case keepsWrappers
    case hidesRepairs
    case guessesWhatWasCutOff
    case trimsContent
    case unwrapsOnce
    case makesUpToolIDs
    case losesToolIDs
    case hidesMissingToolIDs
    case losesUnreadableInput
    case keepsWrappersOfTools
    case makesUpIDs
    case takesResultsForNotes
    case showsHeartbeats
    case dropsWhatItCannotRead
    case takesDeltasForWholes
    case namesEachPiece
    case truncatesToMilliseconds
    case keepsToolsOfToolUsesOnly
    case showsTheToolForItsTask
    case takesPartsAtAnyTime
    case remembersIDs
    case showsEmptyNotes
    case hidesEmptyMessages
    case knowsUpperCaseOnly
    case losesLeapSeconds
    case showsMissingContent
    case hidesWhatWasLeftOut
  }

  let mistake: Mistake
  private let base = MessageNormalizer()
  /// The results by the ids of the messages.
  private let known = Locked<[String: Result<ValidatedMessage, MessageValidationError>]>([:])

  init(mistake: Mistake) {
    self.mistake = mistake
  }

  func normalize(_ paginated: PaginatedMessage) -> Result<ValidatedMessage, MessageValidationError> {
    var message = paginated
    switch mistake {
    case .trimsContent: message.content = message.content.trimmingCharacters(in: .whitespacesAndNewlines)
    case .knowsRolesInAnyCase:
      message.role =
        ChatMessage.Role.allCases.first { $0.rawValue.lowercased() == message.role.lowercased() }?.rawValue
        ?? message.role
    case .takesGreenwichForGranted where message.timestamp.count == 19: message.timestamp += "Z"
    case .makesUpIDs where message.id.isEmpty: message.id = UUID().uuidString
    default: message.warnings.removeAll { $0 == mistake.hiddenWarning }
    }
    if mistake.rejects(message.timestamp) { return .failure(.invalidTimestamp(message.timestamp)) }
    if mistake == .remembersIDs, let result = known.withLock({ $0[message.id] }) { return result }
    let result = base.normalize(message)
    switch (mistake, result) {
    case (.remembersIDs, _):
      known.withLock { $0[message.id] = result }
      return result
    case (.keepsToolsOfToolUsesOnly, .success(let validated)) where validated.role != .toolUse:
      return .success(validated.with(keepsTools: false))
    case (.takesUnknownRolesForSystem, .failure(.invalidRole)):
      message.role = "system"
      return base.normalize(message)
    case (.takesUnknownMomentsForNow, .failure(.invalidTimestamp)):
      message.timestamp = Date().formatted(.iso8601)
      return base.normalize(message)
    case (.guessesWhatWasCutOff, .failure(.corruptedContent)):
      message.content = message.content.replacingOccurrences(of: Self.wrapper, with: "")
      return base.normalize(message)
    case (.unwrapsOnce, .success(let validated)) where message.content.hasPrefix(Self.wrapper + Self.wrapper):
      return .success(
        validated.with(content: String(message.content.dropFirst(Self.wrapper.count).dropLast())))
    default: return result.map { wrong($0, content: message.content, timestamp: message.timestamp) }
    }
  }

  func normalize(_ streamEvent: StreamEvent) -> Result<ValidatedMessage, MessageValidationError>? {
    switch streamEvent {
    case .control(.ping) where mistake == .showsHeartbeats: return base.normalize(.unreadable("ping"))
    case .unreadable where mistake == .dropsWhatItCannotRead: return nil
    case .control, .unreadable: return base.normalize(streamEvent)
    case .message(let message) where mistake.rejects(message.timestamp):
      return .failure(.invalidTimestamp(message.timestamp))
    case .message(let message):
      if mistake == .hidesEmptyMessages, case .user("") = message.content { return nil }
      return base.normalize(.message(wrong(message)))?.map { validated in
        switch (mistake, message.content) {
        case (.hidesMissingToolIDs, _): validated.with(warnings: [])
        case (.losesUnreadableInput, _) where validated.warnings.contains(.toolInputIsUnreadable):
          validated.with(keepsInput: false)
        case (.keepsWrappersOfTools, .toolResult(_, _, let output, _)): validated.with(toolOutput: output)
        case (.showsTheToolForItsTask, .toolUse(_, let name, _, _)): validated.with(content: name)
        case (.takesResultsForNotes, .system): validated.with(role: .system)
        case (_, .assistant(let text, _)), (_, .user(let text)), (_, .thinking(let text)),
          (_, .system(let text, _)):
          wrong(validated, content: text, timestamp: message.timestamp)
        default: wrong(validated, content: validated.content, timestamp: message.timestamp)
        }
      }
    }
  }

  private static let wrapper = "AnyCodableValue("

  /// Returns a message with the mistakes that apply to pages and to the stream.
  private func wrong(_ validated: ValidatedMessage, content: String, timestamp: String) -> ValidatedMessage {
    switch mistake {
    case .takesThinkingForAnswers where validated.role == .thinking: return validated.with(role: .assistant)
    case .ignoresOffsets:
      let local = timestamp.hasSuffix("Z") ? timestamp : String(timestamp.dropLast(6)) + "Z"
      let page = PaginatedMessage(id: "1", role: "user", content: "", timestamp: local)
      return validated.with(timestamp: (try? base.normalize(page).get())?.timestamp)
    case .truncatesToMilliseconds:
      let seconds = (validated.timestamp.timeIntervalSinceReferenceDate * 1_000).rounded(.down) / 1_000
      return validated.with(timestamp: Date(timeIntervalSinceReferenceDate: seconds))
    case .keepsWrappers where content.contains(Self.wrapper): return validated.with(content: content)
    case .hidesRepairs: return validated.with(warnings: [])
    case .losesToolIDs: return validated.with(keepsTools: false)
    default: return validated
    }
  }

  /// Returns an event with the mistakes that apply before validation.
  private func wrong(_ message: StreamedMessage) -> StreamedMessage {
    var message = message
    switch (mistake, message.content) {
    case (.makesUpToolIDs, .toolUse(nil, let name, let input, let description)):
      message.content = .toolUse(id: message.id, name: name, input: input, inputDescription: description)
    case (.takesPartsAtAnyTime, .assistant(_, isDelta: true)): message.timestamp = "2026-01-03T12:00:00Z"
    case (.takesDeltasForWholes, .assistant(let text, isDelta: true)): message.content = .assistant(text)
    case (.showsEmptyNotes, .system("", _)): message.content = .user("")
    case (.namesEachPiece, .assistant(_, isDelta: true)): message.id = UUID().uuidString
    case (.makesUpIDs, _) where message.id.isEmpty: message.id = UUID().uuidString
    default: message.warnings.removeAll { $0 == mistake.hiddenWarning }
    }
    return message
  }
}

extension WrongMessageNormalizer.Mistake {
  /// The warning of decoding that the mistake is to ignore.
  fileprivate var hiddenWarning: MessageWarning? {
    switch self {
    case .showsMissingContent: .contentIsMissing
    case .hidesWhatWasLeftOut: .blocksWereLeftOut
    default: nil
    }
  }

  /// Whether the mistake is to take a valid time for an invalid one.
  fileprivate func rejects(_ timestamp: String) -> Bool {
    switch self {
    case .knowsUpperCaseOnly: timestamp.contains("t") || timestamp.contains("z")
    case .losesLeapSeconds: timestamp.contains(":60")
    default: false
    }
  }
}

extension ValidatedMessage {
  /// Returns the message with other values; `nil` keeps a value.
  fileprivate func with(
    role: ChatMessage.Role? = nil, content: String? = nil, timestamp: Date? = nil, toolOutput: String? = nil,
    warnings: [MessageWarning]? = nil, keepsTools: Bool = true, keepsInput: Bool = true
  ) -> ValidatedMessage {
    ValidatedMessage(
      id: id, role: role ?? self.role, content: content ?? self.content,
      timestamp: timestamp ?? self.timestamp, isStreaming: isStreaming, toolName: toolName,
      toolUseId: keepsTools ? toolUseId : nil, toolResultId: keepsTools ? toolResultId : nil,
      toolInputDescription: keepsInput ? toolInputDescription : nil,
      toolOutput: toolOutput ?? self.toolOutput, tokenCount: tokenCount, executionTime: executionTime,
      imagePath: imagePath, imageData: imageData, warnings: warnings ?? self.warnings)
  }
}
