import SharedServices
import SharedServicesViewModels

/// What the screen of a chat shows: the bubbles, and how it stands to its session.
struct ShownChat: Equatable, Sendable {
  /// `> ` and what the user said, or `< ` and anything else; `…` where more is to come.
  var bubbles: [String]
  var state: ChatViewModel.State
  var invalid = 0

  init(_ bubbles: [String] = [], _ state: ChatViewModel.State, invalid: Int = 0) {
    self.bubbles = bubbles
    self.state = state
    self.invalid = invalid
  }

  @MainActor init(_ model: ChatViewModel) {
    self.init(
      model.messages.map { message in
        "\(message.role == .user ? ">" : "<") \(message.content)\(message.isStreaming ? "…" : "")"
      }, model.state, invalid: model.invalidMessageCount)
  }
}
