import Foundation
package import SharedServices
import UnderstudyHTTP
package import UnderstudySupabase

/// A child as a row of the table `children`.
package enum ChildRow {
  package static func values(of child: NewChild) -> [String: ColumnValue] {
    [
      "name": .text(child.name), "age": .integer(child.age), "birthday": value(of: child.birthday),
      "goals": .textArray(child.goals), "topics": .textArray(child.topics),
      "temperament": .text(child.temperament.rawValue),
      "temperament_talkative": .integer(child.talkativeness),
      "temperament_sensitivity": .integer(child.sensitivity),
      "temperament_accountability": .integer(child.accountability),
    ]
  }

  private static func value(of day: CalendarDate) -> ColumnValue {
    guard let day = CivilDate(year: day.year, month: day.month, day: day.day) else {
      preconditionFailure("Both calendars have the same days.")
    }
    return .date(day)
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

/// A conversation as a row of the table `conversations`.
package enum ConversationRow {
  /// `nil` if the table is not that of the shared services.
  package static func conversation(_ row: DatabaseRow) -> Conversation? {
    guard let id = row["id"].uuidValue, let userID = row["user_id"].uuidValue,
      let childID = row["child_id"].uuidValue, let createdAt = row["created_at"].timestampValue
    else { return nil }
    return Conversation(id: id, userID: userID, childID: childID, createdAt: createdAt)
  }
}

/// A message as a row of the table `messages`.
package enum MessageRow {
  /// `nil` if the table is not that of the shared services.
  package static func message(_ row: DatabaseRow) -> Message? {
    guard let id = row["id"].uuidValue, let conversationID = row["conversation_id"].uuidValue,
      let role = row["role"].textValue.flatMap(Message.Role.init), let content = row["content"].textValue,
      let sources = sources(in: row["sources"]), let createdAt = row["created_at"].timestampValue
    else { return nil }
    return Message(
      id: id, conversationID: conversationID, role: role, content: content, sources: sources,
      createdAt: createdAt)
  }

  /// `NULL` for no sources, else an array of `{"title", "url"}`.
  package static func value(of sources: [Citation]) -> ColumnValue {
    if sources.isEmpty { return .null }
    return .json(
      .array(
        sources.map { source in
          .object(
            [.init("title", .string(source.title))]
              + (source.url.map { [.init("url", .string($0.absoluteString))] } ?? []))
        }))
  }

  private static func sources(in value: ColumnValue) -> [Citation]? {
    if value.isNull { return [] }
    guard case .json(.array(let elements)) = value else { return nil }
    let sources = elements.compactMap { element in
      element["title"]?.stringValue.map { title in
        Citation(title: title, url: element["url"]?.stringValue.flatMap(URL.init(string:)))
      }
    }
    return sources.count == elements.count ? sources : nil
  }
}

extension InMemoryDatabase {
  /// The messages of a conversation that a role sees, the oldest first; `nil` if a row cannot be read as a message.
  func history(of conversationID: UUID, as role: DatabaseRole) throws(PostgRESTError) -> [Message]? {
    let rows = try select(
      from: "messages", where: .equals("conversation_id", .uuid(conversationID)),
      orderedBy: [.ascending("created_at")], as: role)
    let messages = rows.compactMap(MessageRow.message)
    return messages.count == rows.count ? messages : nil
  }
}
