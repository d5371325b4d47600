import Foundation
import SharedServices
import SharedServicesContracts
import SharedServicesDoubles
import Understudy

/// A children service with one mistake.
struct WrongChildrenService: ChildrenService {
  /// The mistake that the service makes.
  enum Mistake: String, CaseIterable, Sendable {
    case losesGoals
    case storesEqualGoalsOnce
    case datesInMilliseconds
    case cutsLongText
    case clampsAge
    case clampsChangedAge
    case checksAgesItself
    case addsASample
    case ordersBySeconds
    case keepsListsOfAllUsers
    case listsFromACache
    case listsEverybodys
    case readsOnePage
    case leavesOutEmptyLists
    case movesLeapDays
    case returnsWhatItWasGiven
    case returnsTheGivenDates
    case changesWhatItCannotSee
    case overwritesOthers
    case writesInParts
    case deletesAll
    case refusesToDeleteTwice
    case hidesInsteadOfDeleting
    case givesUpOnAnExpiredToken
    case refreshesInAdvance
    case hidesTheDelay
    case repeatsLostWrites
    case signsOutWhenLimited
    case signsOutOffline
    case takesLostWritesBack
    case staysOffline
    case losesWritesAtOnce
    case sharesFetches
    case renamesDuplicates
    case refusesRepetitions
    case returnsWhateverHasTheID
    case ignoresNormalForms
    case ignoresCancellation
    case cancelsAll
  }

  /// The state that a mistake keeps between calls.
  struct Memory {
    var created: Set<UUID> = []
    var deleted: Set<UUID> = []
    var lost: Set<String> = []
    /// The lists that were read since the last write, by user.
    var lists: [UUID: [Child]] = [:]
    var isOffline = false
    var running = 0
    var fetch: Task<Result<[Child], AppError>, Never>?
    var underWay: [UUID: Task<Result<Child, AppError>, Never>] = [:]
  }

  let base: any ChildrenService
  let backend: InMemorySharedServices
  let mistake: Mistake
  let memory: Locked<Memory> = Locked(Memory())

  func createChild(_ child: NewChild) async throws(AppError) -> Child {
    let child = given(child)
    if mistake == .refusesRepetitions, let id = child.id, memory.withLock({ $0.created.contains(id) }) {
      throw .network(.conflict)
    }
    memory.withLock { $0.lists[child.userID] = nil }
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
    } catch .network(.conflict) where mistake == .returnsWhateverHasTheID {
      guard
        let stored = try await base.fetchChildren(userID: child.userID).first(where: { $0.id == child.id })
      else { throw .network(.conflict) }
      return stored
    } catch .network(.conflict) where mistake == .ignoresNormalForms {
      let children = try await base.fetchChildren(userID: child.userID)
      guard let stored = children.first(where: { $0.id == child.id }) else { throw .network(.conflict) }
      var values = stored.asCreated
      values.id = child.id
      guard values == child else { throw .network(.conflict) }
      return stored
    } catch .network(.conflict) where mistake == .renamesDuplicates {
      var renamed = child
      renamed.name += " \(UUID())"
      return try await base.createChild(renamed)
    }
  }

  func fetchChildren(userID: UUID) async throws(AppError) -> [Child] {
    if let list = memory.withLock({ $0.lists[userID] }) { return list }
    let children = try await perform { () async throws(AppError) in
      guard mistake == .sharesFetches else { return try await base.fetchChildren(userID: userID) }
      return try await fetchTogether(userID: userID)
    }
    let keeps = mistake == .listsFromACache || mistake == .keepsListsOfAllUsers && !children.isEmpty
    if keeps { memory.withLock { $0.lists[userID] = children } }
    return try await listed(children, of: userID)
  }

  func updateChild(_ child: Child) async throws(AppError) -> Child {
    var changed = child
    memory.withLock { $0.lists[child.userID] = nil }
    switch mistake {
    case .checksAgesItself where !Child.ages.contains(child.age):
      throw .validation(.outOfRange(field: "age"))
    case .movesLeapDays: changed.birthday = child.birthday.adding(years: 1).adding(years: -1)
    case .clampsChangedAge: changed.age = min(max(child.age, Child.ages.lowerBound), Child.ages.upperBound)
    default: break
    }
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
      switch mistake {
      case .returnsWhatItWasGiven: return child
      case .returnsTheGivenDates: return stored.with(createdAt: child.createdAt, updatedAt: stored.updatedAt)
      default: return told(stored)
      }
    } catch .network(.notFound) where mistake == .changesWhatItCannotSee {
      // Writes as the backend itself, which no policy restricts.
      backend.backend.change(child.id) { $0.talkativeness = child.talkativeness }
      throw .network(.notFound)
    }
  }

  func deleteChild(id: UUID) async throws(AppError) {
    memory.withLock { $0.lists = [:] }
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
