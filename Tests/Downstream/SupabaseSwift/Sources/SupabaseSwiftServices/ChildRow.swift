import Foundation
import SharedServices

/// A row of the table `children`.
struct ChildRow: Decodable, Sendable {
  let child: Child

  enum Column: String, CodingKey {
    case id, name, age, birthday, goals, topics, temperament
    case userID = "user_id"
    case talkativeness = "temperament_talkative"
    case sensitivity = "temperament_sensitivity"
    case accountability = "temperament_accountability"
    case createdAt = "created_at"
    case updatedAt = "updated_at"
  }

  init(from decoder: any Decoder) throws {
    let row = try decoder.container(keyedBy: Column.self)
    child = Child(
      id: try row.decode(UUID.self, forKey: .id), userID: try row.decode(UUID.self, forKey: .userID),
      name: try row.decode(String.self, forKey: .name), age: try row.decode(Int.self, forKey: .age),
      birthday: try row.decode(CalendarDate.self, forKey: .birthday),
      goals: try row.decode([String].self, forKey: .goals),
      topics: try row.decode([String].self, forKey: .topics),
      temperament: try row.decode(Temperament.self, forKey: .temperament),
      talkativeness: try row.decode(Int.self, forKey: .talkativeness),
      sensitivity: try row.decode(Int.self, forKey: .sensitivity),
      accountability: try row.decode(Int.self, forKey: .accountability),
      createdAt: try row.decode(Date.self, forKey: .createdAt),
      updatedAt: try row.decode(Date.self, forKey: .updatedAt))
  }

  /// The columns that a client writes; only a new row has the user.
  struct Values: Encodable, Sendable {
    private let child: NewChild
    private let userID: UUID?

    init(_ child: NewChild, userID: UUID?) {
      self.child = child
      self.userID = userID
    }

    func encode(to encoder: any Encoder) throws {
      var row = encoder.container(keyedBy: Column.self)
      try row.encodeIfPresent(userID, forKey: .userID)
      try row.encode(child.name, forKey: .name)
      try row.encode(child.age, forKey: .age)
      try row.encode(child.birthday, forKey: .birthday)
      try row.encode(child.goals, forKey: .goals)
      try row.encode(child.topics, forKey: .topics)
      try row.encode(child.temperament, forKey: .temperament)
      try row.encode(child.talkativeness, forKey: .talkativeness)
      try row.encode(child.sensitivity, forKey: .sensitivity)
      try row.encode(child.accountability, forKey: .accountability)
    }
  }
}
