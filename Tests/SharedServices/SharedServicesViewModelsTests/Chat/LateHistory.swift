import SharedServices
import Understudy

/// A history whose first answer comes late, whether its caller still wants it or not.
final class LateHistory: MessageHistoryService {
  private struct State: Sendable {
    var isAsked = false
    var answer: CheckedContinuation<Void, Never>?
    var asked: Signal<Void>?
  }

  private let base: any MessageHistoryService
  private let state = Locked(State())

  init(_ base: any MessageHistoryService) { self.base = base }

  func page(of sessionID: String, after cursor: String?, limit: Int) async throws(AppError) -> MessagePage {
    let page = try await base.page(of: sessionID, after: cursor, limit: limit)
    let isFirst = state.withLock { state in
      defer { state.isAsked = true }
      return !state.isAsked
    }
    guard isFirst else { return page }
    await withCheckedContinuation { continuation in
      let asked = state.withLock { state in
        state.answer = continuation
        defer { state.asked = nil }
        return state.asked
      }
      asked?.send(())
    }
    return page
  }

  /// Waits until the first answer is held, or the task is cancelled.
  func isHolding() async {
    let asked = Signal<Void>()
    let isHeld = state.withLock { state in
      if state.answer == nil { state.asked = asked }
      return state.answer != nil
    }
    if !isHeld { try? await asked.value() }
  }

  /// Gives the first answer.
  func answer() {
    let answer = state.withLock { state in
      defer { state.answer = nil }
      return state.answer
    }
    answer?.resume()
  }
}
