import Foundation
import SharedServices
import SharedServicesDoubles
import Understudy

/// A children service with one mistake.
struct WrongChildrenService: ChildrenService {
  /// The mistake that the service makes.
  enum Mistake: String, CaseIterable, Sendable {
    case losesGoals
    case takesTheUserForTheChild
    case datesTwice
    case normalisesGoals
    case cutsLongText
    case clampsAge
    case listsNoTopics
    case addsASample
    case oldestFirst
    case listsEverybodys
    case readsOnePage
    case leavesOutEmptyLists
    case returnsWhatItWasGiven
    case overwritesOthers
    case takesNoRowForSuccess
    case writesInParts
    case deletesAll
    case refusesToDeleteTwice
    case hidesInsteadOfDeleting
    case emptyWhenSignedOut
    case givesUpOnAnExpiredToken
    case refreshesInAdvance
    case takesTheEndForSignedOut
    case emptyWhenTheServerFails
    case takesTimeoutsForFailures
    case showsTheLastListOffline
    case takesLossForOffline
    case hidesTheDelay
    case emptyWhenUnreadable
    case repeatsLostWrites
    case takesLostWritesBack
    case staysOffline
    case losesWritesAtOnce
    case renamesDuplicates
    case ignoresCancellation
    case showsCancellation
    case cancelsAll
  }

  /// The state that a mistake keeps between calls.
  struct Memory {
    var created: Set<UUID> = []
    var deleted: Set<UUID> = []
    var lost: Set<String> = []
    var lastList: [Child] = []
    var isOffline = false
    var running = 0
    var underWay: [UUID: Task<Result<Child, AppError>, Never>] = [:]
  }

  let base: any ChildrenService
  let backend: InMemorySharedServices
  let mistake: Mistake
  let memory: Locked<Memory> = Locked(Memory())

  func createChild(_ child: NewChild) async throws(AppError) -> Child {
    let child = given(child)
    do throws(AppError) {
      let stored = try await perform { () async throws(AppError) in
        switch mistake {
        case .cancelsAll: try await createInATask(child)
        case .ignoresCancellation where Task.isCancelled: try await createInATask(child)
        case .losesWritesAtOnce: try await createAlone(child)
        default: try await base.createChild(child)
        }
      }
      memory.withLock { _ = $0.created.insert(stored.id) }
      return told(stored)
    } catch .network(.connectionLost) where mistake == .repeatsLostWrites {
      var again = child
      again.name += " again"
      _ = try? await base.createChild(again)
      throw .network(.connectionLost)
    } catch .network(.connectionLost) where mistake == .takesLostWritesBack {
      memory.withLock { _ = $0.lost.insert(child.name) }
      throw .network(.connectionLost)
    } catch .network(.conflict) where mistake == .renamesDuplicates {
      var renamed = child
      renamed.name += " \(UUID())"
      return try await base.createChild(renamed)
    }
  }

  func fetchChildren(userID: UUID) async throws(AppError) -> [Child] {
    do throws(AppError) {
      let children = try await perform { () async throws(AppError) in
        try await base.fetchChildren(userID: userID)
      }
      memory.withLock { $0.lastList = children }
      return try await listed(children, of: userID)
    } catch .authentication(.notSignedIn) where mistake == .emptyWhenSignedOut {
      return []
    } catch .network(.unreadableAnswer) where mistake == .emptyWhenUnreadable {
      return []
    } catch .network(.serverError) where mistake == .emptyWhenTheServerFails {
      return []
    } catch .network(.noConnection) where mistake == .showsTheLastListOffline {
      return memory.withLock { $0.lastList }
    }
  }

  func updateChild(_ child: Child) async throws(AppError) -> Child {
    var changed = child
    if mistake == .writesInParts, var stored = try await stored(child), stored.name != child.name {
      stored.name = child.name
      _ = try await base.updateChild(stored)
    }
    if mistake == .leavesOutEmptyLists, child.goals.isEmpty, let stored = try await stored(child) {
      changed.goals = stored.goals
    }
    let sent = changed
    do throws(AppError) {
      let stored = try await perform { () async throws(AppError) in try await base.updateChild(sent) }
      if mistake == .overwritesOthers {
        for var other in try await base.fetchChildren(userID: child.userID) where other.id != child.id {
          other.age = child.age
          _ = try await base.updateChild(other)
        }
      }
      return mistake == .returnsWhatItWasGiven ? child : stored
    } catch .network(.notFound) where mistake == .takesNoRowForSuccess {
      return child
    }
  }

  func deleteChild(id: UUID) async throws(AppError) {
    if mistake == .refusesToDeleteTwice, !memory.withLock({ $0.created.contains(id) }) {
      throw .network(.notFound)
    }
    try await perform { () async throws(AppError) in
      guard mistake == .hidesInsteadOfDeleting else { return try await base.deleteChild(id: id) }
      // Sends a request nevertheless, so that a failure of the server is still reported.
      _ = try await base.fetchChildren(userID: id)
      memory.withLock { _ = $0.deleted.insert(id) }
    }
    if mistake == .deletesAll, let userID = backend.auth.userID {
      for child in try await base.fetchChildren(userID: userID) { try await base.deleteChild(id: child.id) }
    }
  }

  private func stored(_ child: Child) async throws(AppError) -> Child? {
    try await base.fetchChildren(userID: child.userID).first { $0.id == child.id }
  }
}
