public import Foundation

/// A child of the user, as it is stored.
public struct Child: Sendable, Hashable, Identifiable {
  /// The ages, in years, that the service takes (`children_age_check` of the table).
  public static let ages = 6...16
  /// The range of the three temperament scores (`CHECK` constraints of the table).
  public static let scores = 1...10

  /// What the service calls it.
  public let id: UUID
  /// The user whose child it is.
  public let userID: UUID
  /// Unique among the children of one user.
  public var name: String
  /// In years; one of ``ages``.
  public var age: Int
  /// Not after today.
  public var birthday: CalendarDate
  /// What the parent hopes for.
  public var goals: [String]
  /// What the parent wants to talk about.
  public var topics: [String]
  /// How the child meets the world.
  public var temperament: Temperament
  /// From 1, quiet, to 10, talkative.
  public var talkativeness: Int
  /// From 1, sturdy, to 10, sensitive.
  public var sensitivity: Int
  /// From 1, deflects, to 10, owns up.
  public var accountability: Int
  /// When the service stored it first.
  public let createdAt: Date
  /// Set by the service whenever it stores a change.
  public let updatedAt: Date

  /// A child with all that the service knows of it.
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

/// What a client says of a child that is to be stored; the service adds the id and the dates.
public struct NewChild: Sendable, Hashable {
  /// The user whose child it will be: the one who is signed in.
  public var userID: UUID
  /// What the parent calls it; unique among the children of one user.
  public var name: String
  /// In years, one of `Child.ages`.
  public var age: Int
  /// The day of birth, not after today.
  public var birthday: CalendarDate
  /// What the parent hopes for.
  public var goals: [String]
  /// What the parent wants to talk about.
  public var topics: [String]
  /// How the child meets the world.
  public var temperament: Temperament
  /// From 1, quiet, to 10, talkative.
  public var talkativeness: Int
  /// From 1, sturdy, to 10, sensitive.
  public var sensitivity: Int
  /// From 1, deflects, to 10, owns up.
  public var accountability: Int

  /// The scores are from 1 to 10, 5 being the table's default; see ``Child`` for the other ranges.
  public init(
    userID: UUID, name: String, age: Int, birthday: CalendarDate, goals: [String] = [],
    topics: [String] = [], temperament: Temperament = .easygoing, talkativeness: Int = 5,
    sensitivity: Int = 5, accountability: Int = 5
  ) {
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
