public import Foundation

/// A stored child of the user.
public struct Child: Sendable, Hashable, Identifiable, Codable {
  /// The range of ages, in years (`children_age_check` of the table).
  public static let ages = 6...16
  /// The range of the three temperament scores (`CHECK` constraints of the table).
  public static let scores = 1...10

  /// The id that the client or the service chose.
  public let id: UUID
  /// The id of the user to whom the child belongs.
  public let userID: UUID
  /// The name, unique among the children of a user.
  public var name: String
  /// The age in years, within ``ages``.
  public var age: Int
  /// The day of birth, not after today.
  public var birthday: CalendarDate
  /// The parent's goals.
  public var goals: [String]
  /// The topics that the parent wants to discuss.
  public var topics: [String]
  /// The child's temperament.
  public var temperament: Temperament
  /// The score from 1 (quiet) to 10 (talkative).
  public var talkativeness: Int
  /// The score from 1 (sturdy) to 10 (sensitive).
  public var sensitivity: Int
  /// The score from 1 (deflects) to 10 (takes responsibility).
  public var accountability: Int
  /// The time at which the service first stored it.
  public let createdAt: Date
  /// The time of the last stored change; set by the service.
  public let updatedAt: Date

  /// Creates a child with all values of the service.
  public init(
    id: UUID, userID: UUID, name: String, age: Int, birthday: CalendarDate, goals: [String],
    topics: [String], temperament: Temperament, talkativeness: Int, sensitivity: Int,
    accountability: Int, createdAt: Date, updatedAt: Date
  ) {
    self.id = id
    self.userID = userID
    self.name = name
    self.age = age
    self.birthday = birthday
    self.goals = goals
    self.topics = topics
    self.temperament = temperament
    self.talkativeness = talkativeness
    self.sensitivity = sensitivity
    self.accountability = accountability
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }
}

/// The values of a child to be stored; the service adds the dates, and the id unless the client chooses it.
public struct NewChild: Codable, Sendable, Hashable {
  /// The id that the client chooses, so that it can repeat a creation whose answer was lost; `nil` leaves it to the
  /// service, as seed 001 always does.
  public var id: UUID?
  /// The id of the user to whom the child will belong: the signed-in user.
  public var userID: UUID
  /// The name, unique among the children of a user.
  public var name: String
  /// The age in years, within `Child.ages`.
  public var age: Int
  /// The day of birth, not after today.
  public var birthday: CalendarDate
  /// The parent's goals.
  public var goals: [String]
  /// The topics that the parent wants to discuss.
  public var topics: [String]
  /// The child's temperament.
  public var temperament: Temperament
  /// The score from 1 (quiet) to 10 (talkative).
  public var talkativeness: Int
  /// The score from 1 (sturdy) to 10 (sensitive).
  public var sensitivity: Int
  /// The score from 1 (deflects) to 10 (takes responsibility).
  public var accountability: Int

  /// Creates a child to be stored.
  ///
  /// Scores are from 1 to 10 (default: 5, as in the table); see ``Child`` for the other ranges.
  public init(
    id: UUID? = nil, userID: UUID, name: String, age: Int, birthday: CalendarDate, goals: [String] = [],
    topics: [String] = [], temperament: Temperament = .easygoing, talkativeness: Int = 5,
    sensitivity: Int = 5, accountability: Int = 5
  ) {
    self.id = id
    self.userID = userID
    self.name = name
    self.age = age
    self.birthday = birthday
    self.goals = goals
    self.topics = topics
    self.temperament = temperament
    self.talkativeness = talkativeness
    self.sensitivity = sensitivity
    self.accountability = accountability
  }
}

/// A child's temperament, as assessed by the parent.
public enum Temperament: String, Sendable, Hashable, CaseIterable, Codable {
  case easygoing
  case sensitive
  case spirited
  case cautious
}

/// A change of one of the user's children, as the service reports it.
public enum ChildChange: Sendable, Hashable, Codable {
  /// A child was stored.
  case inserted(Child)
  /// A child was changed; with its new values.
  case updated(Child)
  /// A child was deleted; only its id is known.
  case deleted(id: UUID)
}
