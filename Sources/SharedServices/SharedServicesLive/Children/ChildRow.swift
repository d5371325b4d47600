import Foundation
import SharedServices

/// A row of the table `children`, as PostgREST writes it.
struct ChildRow: Decodable {
  let child: Child

  init(from decoder: any Decoder) throws {
    let row = try decoder.container(keyedBy: ChildColumn.self)
    child = Child(
      id: try row.decode(UUID.self, forKey: .id),
      userID: try row.decode(UUID.self, forKey: .userID),
      name: try row.decode(String.self, forKey: .name),
      age: try row.decode(Int.self, forKey: .age),
      birthday: try row.decode(CalendarDate.self, forKey: .birthday),
      goals: try row.decode([String].self, forKey: .goals),
      topics: try row.decode([String].self, forKey: .topics),
      temperament: try row.decode(Temperament.self, forKey: .temperament),
      talkativeness: try row.decode(Int.self, forKey: .talkativeness),
      sensitivity: try row.decode(Int.self, forKey: .sensitivity),
      accountability: try row.decode(Int.self, forKey: .accountability),
      createdAt: try row.decode(Timestamp.self, forKey: .createdAt).date,
      updatedAt: try row.decode(Timestamp.self, forKey: .updatedAt).date)
  }
}

/// The values of a child that a client writes.
///
/// The table sets the dates, and the id unless the client chooses it. The id and the user are written only when the row
/// is inserted.
struct ChildValues: Encodable {
  /// The child's id; `nil` omits the column.
  let id: UUID?
  /// The user's id; `nil` omits the column.
  let userID: UUID?
  let child: NewChild

  /// Creates the values of a new row.
  init(inserting child: NewChild) {
    id = child.id
    userID = child.userID
    self.child = child
  }

  /// Creates the values of an existing row.
  init(updating child: Child) {
    id = nil
    userID = nil
    self.child = NewChild(
      userID: child.userID, name: child.name, age: child.age, birthday: child.birthday, goals: child.goals,
      topics: child.topics, temperament: child.temperament, talkativeness: child.talkativeness,
      sensitivity: child.sensitivity, accountability: child.accountability)
  }

  func encode(to encoder: any Encoder) throws {
    var row = encoder.container(keyedBy: ChildColumn.self)
    // Lower case, as PostgreSQL prints UUIDs.
    try row.encodeIfPresent(id?.uuidString.lowercased(), forKey: .id)
    try row.encodeIfPresent(userID?.uuidString.lowercased(), forKey: .userID)
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

/// The names of the columns in JSON.
enum ChildColumn: String, CodingKey {
  // Written out, because some properties have other names than their columns. Seed 001 converts keys and dates by
  // strategies, of which `.iso8601` refuses the fractions of seconds that PostgreSQL prints.
  case id
  case userID = "user_id"
  case name
  case age
  case birthday
  case goals
  case topics
  case temperament
  case talkativeness = "temperament_talkative"
  case sensitivity = "temperament_sensitivity"
  case accountability = "temperament_accountability"
  case createdAt = "created_at"
  case updatedAt = "updated_at"
}
