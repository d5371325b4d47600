import SharedServices
import SharedServicesViewModels

/// What the screen of a conversation shows: the bubbles, and what lies over them.
struct ShownConversation: Equatable, Sendable {
  static let interrupted = "The connection was lost. Please try again."

  /// `> ` and what the user said, or `< ` and the answer, its sources in brackets, and `…` if it broke off.
  var bubbles: [String]
  var isStreaming = false
  var message: String?

  init(_ bubbles: [String] = [], isStreaming: Bool = false, message: String? = nil) {
    self.bubbles = bubbles
    self.isStreaming = isStreaming
    self.message = message
  }

  @MainActor init(_ model: LyraViewModel) {
    self.init(
      model.messages.map { message in
        bubble(message.role, message.content, message.sources)
          + (model.incompleteAnswers.contains(message.id) ? "…" : "")
      }, isStreaming: model.isStreaming, message: model.errorMessage)
  }
}

/// What was said, as one text.
func bubble(_ role: Message.Role, _ content: String, _ sources: [Citation]) -> String {
  let sources = sources.isEmpty ? "" : "[\(sources.map(\.title).joined(separator: ", "))]"
  return "\(role == .user ? ">" : "<") \(content)\(sources)"
}
