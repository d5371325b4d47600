public import Foundation
public import SharedServices

/// The children of the user who is signed in on a device, in memory.
public struct InMemoryChildrenService: ChildrenService {
  private let auth: InMemoryAuthService

  init(_ auth: InMemoryAuthService) { self.auth = auth }

  /// Stores a child and returns the stored value; see `ChildrenService`.
  public func createChild(_ new: NewChild) async throws(AppError) -> Child {
    try auth.perform { (state, user, now) throws(AppError) in try state.create(new, by: user, now) }
  }

  /// Returns the children of a user, newest first; see `ChildrenService`.
  public func fetchChildren(userID: UUID) async throws(AppError) -> [Child] {
    try auth.perform { (state, user, _) throws(AppError) in
      guard user == userID, let ids = state.childIDs[user] else { return [] }
      return ids.reversed().compactMap { state.children[$0] }
    }
  }

  /// Stores the changed fields of a child and returns the stored value; see `ChildrenService`.
  public func updateChild(_ child: Child) async throws(AppError) -> Child {
    try auth.perform { (state, user, now) throws(AppError) in
      guard let old = state.children[child.id], old.userID == user else { throw .network(.notFound) }
      let values = NewChild(child, of: user)
      try values.checkStorable()
      try values.checkRanges(now)
      let new = Child(values, id: old.id, createdAt: old.createdAt, updatedAt: state.newDate(now))
      try state.takeName(of: new, insteadOf: old)
      state.children[new.id] = new
      state.report(.updated(new), to: user)
      return new
    }
  }

  /// Deletes a child, and whatever is stored about it; see `ChildrenService`.
  public func deleteChild(id: UUID) async throws(AppError) {
    try auth.perform { (state, user, _) throws(AppError) in
      if state.children[id]?.userID == user { state.removeChild(id) }
    }
  }
}

/// A name that is taken: it is unique among the children of a user.
struct ChildName: Sendable, Hashable {
  let user: UUID
  let name: [UInt8]

  init(_ child: Child) { (user, name) = (child.userID, child.name.exactly) }
}

extension InMemoryBackend.State {
  /// Stores a child on behalf of a user.
  @discardableResult
  mutating func create(_ new: NewChild, by user: UUID, _ now: Date) throws(AppError) -> Child {
    try new.checkStorable()
    guard new.userID == user else { throw .network(.forbidden) }
    try new.checkRanges(now)
    if let id = new.id, let stored = children[id] {
      guard stored.userID == user, stored.isCreated(from: new) else { throw .network(.conflict) }
      return stored
    }
    let date = newDate(now)
    let child = Child(new, id: new.id ?? newID(), createdAt: date, updatedAt: date)
    try takeName(of: child, insteadOf: nil)
    children[child.id] = child
    childIDs[user, default: []].append(child.id)
    report(.inserted(child), to: user)
    return child
  }

  /// Changes a child without any check.
  mutating func change(_ id: UUID, _ now: Date, _ change: (inout NewChild) -> Void) {
    guard let child = children[id] else { return }
    var values = NewChild(child, of: child.userID)
    change(&values)
    children[id] = Child(values, id: id, createdAt: child.createdAt, updatedAt: newDate(now))
  }

  fileprivate mutating func takeName(of child: Child, insteadOf old: Child?) throws(AppError) {
    let (name, oldName) = (ChildName(child), old.map { ChildName($0) })
    guard name != oldName else { return }
    guard childNames.insert(name).inserted else { throw .network(.conflict) }
    if let oldName { childNames.remove(oldName) }
  }

  /// Removes a child with its conversations and what is remembered about it.
  mutating func removeChild(_ id: UUID) {
    guard let child = children.removeValue(forKey: id) else { return }
    childIDs[child.userID]?.removeAll { $0 == id }
    childNames.remove(ChildName(child))
    memories[id] = nil
    for conversation in conversations.values where conversation.childID == id {
      conversations[conversation.id] = nil
      messageIDs.subtract((messages.removeValue(forKey: conversation.id) ?? []).map(\.id))
    }
    report(.deleted(id: id), to: child.userID)
  }
}

extension NewChild {
  fileprivate init(_ child: Child, of user: UUID) {
    self.init(
      id: child.id, userID: user, name: child.name, age: child.age, birthday: child.birthday,
      goals: child.goals, topics: child.topics, temperament: child.temperament,
      talkativeness: child.talkativeness, sensitivity: child.sensitivity, accountability: child.accountability
    )
  }

  private var texts: [String] { [name] + goals + topics }

  /// Refuses what no column can hold: a text with U+0000, or a number of more than 32 bits.
  fileprivate func checkStorable() throws(AppError) {
    guard !texts.contains(where: { $0.utf8.contains(0) }),
      [age, talkativeness, sensitivity, accountability].allSatisfy({ Int32(exactly: $0) != nil })
    else { throw .validation(.malformed(field: nil)) }
  }

  /// Refuses what the table's constraints refuse, in the order of their names, which is that of PostgreSQL.
  fileprivate func checkRanges(_ now: Date) throws(AppError) {
    let rules: [(field: String, isMet: Bool)] = [
      ("age", Child.ages.contains(age)), ("birthday", birthday <= CalendarDate(now, in: .gmt)),
      ("name", !name.unicodeScalars.allSatisfy(\.isSpace)),
      ("temperament_accountability", Child.scores.contains(accountability)),
      ("temperament_sensitivity", Child.scores.contains(sensitivity)),
      ("temperament_talkative", Child.scores.contains(talkativeness)),
    ]
    for (field, isMet) in rules where !isMet { throw .validation(.outOfRange(field: field)) }
  }

  /// The values without the id, in a form that compares texts scalar for scalar.
  fileprivate var exactly: [AnyHashable] {
    texts.map(\.exactly) + [
      goals.count, age, birthday, temperament, talkativeness, sensitivity, accountability,
    ]
  }
}

extension Child {
  fileprivate init(_ values: NewChild, id: UUID, createdAt: Date, updatedAt: Date) {
    self.init(
      id: id, userID: values.userID, name: values.name, age: values.age, birthday: values.birthday,
      goals: values.goals, topics: values.topics, temperament: values.temperament,
      talkativeness: values.talkativeness, sensitivity: values.sensitivity,
      accountability: values.accountability, createdAt: createdAt, updatedAt: updatedAt)
  }

  /// Whether the child has the values with which a client created it.
  fileprivate func isCreated(from new: NewChild) -> Bool {
    NewChild(self, of: userID).exactly == new.exactly
  }
}

extension Unicode.Scalar {
  /// Whether `[[:space:]]` matches it in PostgreSQL: the no-break spaces are not.
  fileprivate var isSpace: Bool {
    switch value {
    case 9...13, 0x20, 0x1680, 0x2000...0x2006, 0x2008...0x200A, 0x2028, 0x2029, 0x205F, 0x3000: true
    default: false
    }
  }
}
