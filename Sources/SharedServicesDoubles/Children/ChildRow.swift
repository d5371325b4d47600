package import SharedServices
import UnderstudyHTTP
package import UnderstudySupabase

/// A child as a row of the table `children`.
package enum ChildRow {
  static func values(
    name: String, age: Int, birthday: CalendarDate, goals: [String], topics: [String],
    temperament: Temperament,
    talkativeness: Int, sensitivity: Int, accountability: Int
  ) -> [String: DatabaseValue] {
    [
      "name": .text(name), "age": .integer(age), "birthday": value(of: birthday),
      "goals": .textArray(goals), "topics": .textArray(topics), "temperament": .text(temperament.rawValue),
      "temperament_talkative": .integer(talkativeness), "temperament_sensitivity": .integer(sensitivity),
      "temperament_accountability": .integer(accountability),
    ]
  }

  /// Both calendars have the same days.
  private static func value(of day: CalendarDate) -> DatabaseValue {
    CivilDate(year: day.year, month: day.month, day: day.day).map { .date($0) } ?? .null
  }

  /// The child in a row; `nil` if the table is not that of the shared services.
  package static func child(_ row: DatabaseRow) -> Child? {
    guard let id = row["id"].uuidValue, let userID = row["user_id"].uuidValue,
      let name = row["name"].textValue, let age = row["age"].integerValue,
      let birthday = row["birthday"].dateValue.flatMap({
        CalendarDate(year: $0.year, month: $0.month, day: $0.day)
      }), let goals = row["goals"].textArrayValue, let topics = row["topics"].textArrayValue,
      let temperament = row["temperament"].textValue.flatMap(Temperament.init),
      let talkativeness = row["temperament_talkative"].integerValue,
      let sensitivity = row["temperament_sensitivity"].integerValue,
      let accountability = row["temperament_accountability"].integerValue,
      let createdAt = row["created_at"].timestampValue, let updatedAt = row["updated_at"].timestampValue
    else { return nil }
    return Child(
      id: id, userID: userID, name: name, age: age, birthday: birthday, goals: goals, topics: topics,
      temperament: temperament, talkativeness: talkativeness, sensitivity: sensitivity,
      accountability: accountability, createdAt: createdAt, updatedAt: updatedAt)
  }
}
