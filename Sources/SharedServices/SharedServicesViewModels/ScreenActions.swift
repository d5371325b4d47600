import Foundation
import Observation
import SharedServices

// The package has no views: it builds on Linux too, which has no SwiftUI. What seeds 001 and 002 ask of a view, such as
// a disabled button, an alert or the rows of a table, reads properties of the view models and calls their methods.
// Those that call no service are synchronous.
//
// The view models are one module, and not a folder for each feature as in seed 001, so that the check of the layers
// refuses a screen that imports a live service.

/// What a user, or a view model of its own, does on a screen.
enum ScreenAction: Sendable, Hashable {
  case restore, signIn, signOut, refresh
  case save, load, follow
  case update(UUID)
  case delete(UUID)
  case send

  /// Whether the action changes a child.
  func changes(_ id: UUID) -> Bool { self == .update(id) || self == .delete(id) }
}

/// The actions of a screen: those in progress, and the messages about those that have ended.
///
/// An action belongs to the user who was signed in when it began: once that user is signed out or replaced, it is
/// cancelled, and neither its result nor its messages are shown. A cancelled action is over at once, whether its
/// service reacts or not, so a call right after it starts another one.
///
/// There is one error message, of the call that has failed last. It stays until any other begins (seed 001), or until one
/// of the same name succeeds that was in progress at the failure. A subscription is not a call of the user: its message
/// stays until it is made again, and leaves the others.
///
/// It is not generic over the actions: Swift makes the key paths of a generic class, by which properties are observed,
/// again on each access.
@MainActor @Observable
final class ScreenActions {
  typealias Body = @MainActor (Run) async throws(AppError) -> Void

  /// One run of an action.
  @MainActor final class Run {
    let name: ScreenAction
    /// The number of the run, greater than those of earlier runs of the screen.
    let number: Int
    /// The user to whom the action belongs.
    fileprivate(set) var owner: AuthViewModel.Owner
    /// Whether the run has ended, or was cancelled.
    fileprivate(set) var isOver = false
    fileprivate var task: Task<Void, Never>?
    fileprivate let ended: AsyncStream<Never>
    fileprivate let end: AsyncStream<Never>.Continuation
    /// Called if the run is cancelled, also when its user has gone.
    fileprivate let abandoned: @MainActor (Run) -> Void

    fileprivate init(
      _ name: ScreenAction, number: Int, of owner: AuthViewModel.Owner,
      abandoned: @escaping @MainActor (Run) -> Void
    ) {
      self.name = name
      self.number = number
      self.owner = owner
      (ended, end) = AsyncStream.makeStream()
      self.abandoned = abandoned
    }

    /// Throws `.cancelled` if the result of the action is no longer wanted.
    func check() throws(AppError) {
      if isOver || task?.isCancelled == true { throw .cancelled }
    }
  }

  private struct Message {
    let name: ScreenAction
    let owner: AuthViewModel.Owner
    let text: String
    /// The number of sign-ins before the message, if it announces the end of a session.
    var sessionEnd: Int?
  }

  private let auth: AuthViewModel?
  private var runs: [Int: Run] = [:]
  /// The message of the last failed call, and that of the subscription, in the order of their failures.
  private var failures: [Message] = []
  private var success: Message?
  @ObservationIgnored private var lastNumber = 0

  /// - Parameter auth: The holder of the user; `nil` if the actions belong to no user.
  init(auth: AuthViewModel?) {
    self.auth = auth
  }

  /// The message of the last failed action, unless another one has begun since.
  var errorMessage: String? { failures.last(where: isVisible)?.text }

  /// The message of the last successful action, unless another one has begun since.
  var successMessage: String? { success.flatMap { isVisible($0) ? $0.text : nil } }

  /// Whether an action is in progress.
  func isRunning(_ isMeant: (ScreenAction) -> Bool) -> Bool {
    runs.values.contains { isMeant($0.name) && isCurrent($0.owner) }
  }

  /// Removes the messages.
  func dismissMessages() {
    if !failures.isEmpty { failures = [] }
    if success != nil { success = nil }
  }

  /// Removes the messages that one about an action replaces.
  private func dismissMessages(before name: ScreenAction) {
    let isReplaced = { (message: Message) in (message.name == .follow) == (name == .follow) }
    if failures.contains(where: isReplaced) { failures.removeAll(where: isReplaced) }
    if success != nil { success = nil }
  }

  /// Shows a message about an action that cannot begin.
  func refuse(_ name: ScreenAction, _ message: String) {
    dismissMessages(before: name)
    failures.append(Message(name: name, owner: owner, text: message))
  }

  /// Ends the actions whose tasks have been cancelled and have not ended yet.
  func abandonCancelled() {
    for run in runs.values where run.task?.isCancelled == true { abandon(run) }
  }

  /// Ends all actions.
  func abandonAll() {
    for run in runs.values { abandon(run) }
  }

  /// Runs an action, and returns when it has ended or was cancelled.
  ///
  /// - Parameters:
  ///   - name: The name of the action. While one of the name is in progress, another has no effect.
  ///   - isRepeatable: Whether several actions of the name can be in progress.
  ///   - message: The message after success.
  ///   - body: The action.
  func perform(
    _ name: ScreenAction, isRepeatable: Bool = false, succeedingWith message: String? = nil,
    _ body: @escaping Body
  ) async {
    await end(of: begin(name, isRepeatable: isRepeatable, succeedingWith: message, body))
  }

  /// Begins an action, before anything else can happen after its caller has changed the screen.
  ///
  /// - Parameters:
  ///   - name: The name of the action.
  ///   - isRepeatable: Whether several actions of the name can be in progress.
  ///   - message: The message after success.
  ///   - abandoned: Called at once if the action is cancelled, and if its user is signed out or replaced.
  ///   - body: The action.
  /// - Returns: The run, whose ``end(of:)`` the caller awaits next; `nil` if it cannot begin.
  func begin(
    _ name: ScreenAction, isRepeatable: Bool = false, succeedingWith message: String? = nil,
    abandoned: @escaping @MainActor (Run) -> Void = { _ in }, _ body: @escaping Body
  ) -> Run? {
    abandonCancelled()
    if Task.isCancelled { return nil }
    guard isRepeatable || !isRunning({ $0 == name }) else { return nil }
    dismissMessages(before: name)
    lastNumber += 1
    let run = Run(name, number: lastNumber, of: owner, abandoned: abandoned)
    runs[run.number] = run
    auth?.runs[ObjectIdentifier(run)] = { [weak self] in self?.abandon(run) }
    run.task = Task {
      let failure: AppError?
      do throws(AppError) {
        try await body(run)
        failure = nil
      } catch {
        failure = error
      }
      settle(run, failure, succeedingWith: message)
    }
    return run
  }

  /// Returns when an action has ended or was cancelled.
  func end(of run: Run?) async {
    guard let run, let task = run.task else { return }
    await withTaskCancellationHandler {
      for await _ in run.ended {}
    } onCancel: {
      task.cancel()
    }
    abandon(run)
  }

  /// Returns the signed-in user, to whom the action belongs from then on.
  func user(of run: Run) async throws(AppError) -> UUID {
    guard let auth else { throw .authentication(.notSignedIn) }
    let user = try await auth.currentUserID()
    try run.check()
    guard isCurrent(run.owner) else { throw .cancelled }
    run.owner = .user(user)
    return user
  }

  /// Whether what belongs to a user may be shown.
  func isCurrent(_ owner: AuthViewModel.Owner) -> Bool {
    auth?.isCurrent(owner) ?? true
  }

  private var owner: AuthViewModel.Owner { auth?.owner ?? .unknown(since: 0) }

  private func isVisible(_ message: Message) -> Bool {
    guard let auth else { return true }
    // Once the user has signed in again, the announcement is over.
    return auth.isCurrent(message.owner) && (message.sessionEnd == nil || message.sessionEnd == auth.signIns)
  }

  private func settle(_ run: Run, _ failure: AppError?, succeedingWith message: String?) {
    if run.isOver { return }
    if run.task?.isCancelled == true { return abandon(run) }
    end(run)
    guard isCurrent(run.owner) else { return }
    switch failure {
    case nil:
      if failures.contains(where: { $0.name == run.name }) { failures.removeAll { $0.name == run.name } }
      if success != nil { success = nil }
      if let message { success = Message(name: run.name, owner: run.owner, text: message) }
    case .cancelled?: break
    case let failure?:
      dismissMessages(before: run.name)
      // Each failure has its own sentence, as in the section of seed 001 about errors. The fixed sentences of its
      // examples ("Failed to load children") contradict that section: they hide from the user what to do.
      let text = auth?.announce(failure, of: run.owner) ?? failure.userFacingMessage
      failures.append(
        Message(
          name: run.name, owner: run.owner, text: text, sessionEnd: failure.endsSession ? auth?.signIns : nil)
      )
    }
  }

  private func abandon(_ run: Run) {
    if run.isOver { return }
    end(run)
    run.task?.cancel()
    run.abandoned(run)
  }

  private func end(_ run: Run) {
    run.isOver = true
    runs[run.number] = nil
    auth?.runs[ObjectIdentifier(run)] = nil
    run.end.finish()
  }
}
