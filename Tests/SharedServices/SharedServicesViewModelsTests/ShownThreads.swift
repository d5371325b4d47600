import SharedServices
import SharedServicesViewModels

/// What the screen of a forum shows: the threads by their ids, those that are read with a tick.
struct ShownThreads: Equatable, Sendable {
  var state = ThreadsViewModel.State.idle
  var threads: [String] = []
  var message: String?

  init(_ state: ThreadsViewModel.State = .idle, _ threads: String..., message: String? = nil) {
    self.state = state
    self.threads = threads
    self.message = message
  }

  @MainActor init(_ model: ThreadsViewModel) {
    state = model.state
    threads = model.sections.joined().map { "\($0.id)\($0.hasUnreadPosts ? "" : "✓")" }
    message = model.errorMessage
  }
}
