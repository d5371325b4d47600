import Foundation
import SharedServices

/// A normaliser that is right but for one thing.
struct WrongMessageNormalizer: MessageNormalizing {
  /// What it does wrong.
  enum Mistake: String, CaseIterable, Sendable {
    case takesUnknownRolesForSystem
    case knowsRolesInAnyCase
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
    case showsHeartbeats
    case dropsWhatItCannotRead
    case takesDeltasForWholes
    case namesEachPiece
  }

  let mistake: Mistake
  private let base = MessageNormalizer()

  init(mistake: Mistake) {
    self.mistake = mistake
  }

  func normalize(_ paginated: PaginatedMessage) -> Result<ValidatedMessage, MessageValidationError> {
    var message = paginated
    let wrapper = "AnyCodableValue("
    switch mistake {
    case .trimsContent: message.content = message.content.trimmingCharacters(in: .whitespacesAndNewlines)
    case .knowsRolesInAnyCase:
      message.role =
        ChatMessage.Role.allCases.first { $0.rawValue.lowercased() == message.role.lowercased() }?.rawValue
        ?? message.role
    case .takesGreenwichForGranted where message.timestamp.count == 19: message.timestamp += "Z"
    default: break
    }
    let result = base.normalize(message)
    switch result {
    case .failure(.invalidRole) where mistake == .takesUnknownRolesForSystem:
      message.role = "system"
      return base.normalize(message)
    case .failure(.invalidTimestamp) where mistake == .takesUnknownMomentsForNow:
      message.timestamp = Date().formatted(.iso8601)
      return base.normalize(message)
    case .failure(.corruptedContent) where mistake == .guessesWhatWasCutOff:
      message.content = message.content.replacingOccurrences(of: wrapper, with: "")
      return base.normalize(message)
    case .failure: return result
    case .success(let validated):
      switch mistake {
      case .keepsWrappers where message.content.contains(wrapper):
        return .success(validated.with(content: message.content, warnings: validated.warnings))
      case .unwrapsOnce where message.content.hasPrefix(wrapper + wrapper):
        return .success(
          validated.with(
            content: String(message.content.dropFirst(wrapper.count).dropLast()), warnings: validated.warnings
          ))
      case .hidesRepairs: return .success(validated.with(content: validated.content, warnings: []))
      case .losesToolIDs:
        return .success(
          validated.with(content: validated.content, warnings: validated.warnings, keepsTools: false))
      default: return result
      }
    }
  }

  func normalize(_ streamEvent: StreamEvent) -> Result<ValidatedMessage, MessageValidationError>? {
    switch (mistake, streamEvent) {
    case (.showsHeartbeats, .control(.ping)): return base.normalize(.unreadable("ping"))
    case (.dropsWhatItCannotRead, .unreadable): return nil
    case (.makesUpToolIDs, .message(let message)):
      if case .toolUse(nil, let name, let input, let description) = message.content {
        return base.normalize(
          .message(
            StreamedMessage(
              id: message.id, timestamp: message.timestamp,
              content: .toolUse(id: message.id, name: name, input: input, inputDescription: description))))
      }
    case (.takesDeltasForWholes, .message(let message)):
      if case .assistant(let text, isDelta: true) = message.content {
        return base.normalize(
          .message(StreamedMessage(id: message.id, timestamp: message.timestamp, content: .assistant(text))))
      }
    case (.namesEachPiece, .message(let message)):
      if case .assistant(_, isDelta: true) = message.content {
        return base.normalize(
          .message(
            StreamedMessage(
              id: UUID().uuidString, timestamp: message.timestamp, content: message.content)))
      }
    case (.hidesMissingToolIDs, .message):
      return base.normalize(streamEvent)?.map { $0.with(content: $0.content, warnings: []) }
    default: break
    }
    return base.normalize(streamEvent)
  }
}

extension ValidatedMessage {
  fileprivate func with(
    content: String, warnings: [MessageWarning], keepsTools: Bool = true
  ) -> ValidatedMessage {
    ValidatedMessage(
      id: id, role: role, content: content, timestamp: timestamp, isStreaming: isStreaming,
      toolName: toolName,
      toolUseId: keepsTools ? toolUseId : nil, toolResultId: keepsTools ? toolResultId : nil,
      toolInputDescription: toolInputDescription, toolOutput: toolOutput, tokenCount: tokenCount,
      executionTime: executionTime, imagePath: imagePath, imageData: imageData, warnings: warnings)
  }
}
