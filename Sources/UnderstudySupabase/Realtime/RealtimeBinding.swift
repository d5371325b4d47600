import Foundation
import UnderstudyHTTP

/// Which changes a channel asks for: an element of `config.postgres_changes`.
struct RealtimeBinding: Sendable {
  /// `INSERT`, `UPDATE`, `DELETE`, or `*`.
  let event: String
  let schema: String
  let table: String
  let conditions: [RealtimeCondition]
  /// The columns that are told besides the primary key; `nil` for all.
  let selected: [String]?

  /// Why the server did not subscribe, in the words of its `system` message.
  struct Refusal: Error {
    let message: String
  }

  /// What the events name the binding by.
  let id: Int

  /// An identifier that is the same for the same parameters, and 27 bits long, as `phash2` makes it.
  static func id(of parameters: JSONValue) -> Int {
    let hash = parameters.normalized().text.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    // A client takes 0 for none.
    return max(1, Int((hash ^ hash >> 32) & 0x7FF_FFFF))
  }

  /// Reads what a client asks for (`Subscriptions.parse_subscription_params`).
  ///
  /// - Throws: A refusal for parameters that name neither a schema nor a table, and for a filter that cannot be read.
  init(_ parameters: JSONValue) throws(Refusal) {
    id = Self.id(of: parameters)
    let event = parameters["event"]?.stringValue?.uppercased() ?? "*"
    self.event = ["INSERT", "UPDATE", "DELETE"].contains(event) ? event : "*"
    switch parameters["select"] {
    case .array(let names)?:
      let names = names.compactMap(\.stringValue)
      selected = names.isEmpty ? nil : names.sorted()
    case .string?:
      throw Refusal(
        message: "Error parsing `select` params: expected a list of column name strings, "
          + #"e.g. select: ["col1", "col2"]"#)
    default: selected = nil
    }
    let (schema, table) = (parameters["schema"]?.stringValue, parameters["table"]?.stringValue)
    switch (parameters["schema"], parameters["table"], parameters["filter"]) {
    case (.string?, .string?, .string(let filter)?):
      do throws(RealtimeCondition.Malformed) {
        conditions = try RealtimeCondition.list(filter)
      } catch {
        throw Refusal(message: "Error parsing `filter` params: \(error.reason)")
      }
    case (.string?, .string?, nil), (.string?, nil, nil), (nil, .string?, nil): conditions = []
    default:
      throw Refusal(
        message:
          "No subscription params provided. Please provide at least a `schema` or `table` to subscribe to: "
          + parameters.compactText)
    }
    self.schema = schema ?? "public"
    self.table = table ?? "*"
    if selected != nil, self.schema == "*" || self.table == "*" {
      throw Refusal(
        message: "Column selection is not supported for wildcard subscriptions. "
          + "Provide an explicit schema and table name.")
    }
  }

  /// The places of the tables that it is about, among those that are published: all of the schema `public`.
  ///
  /// - Throws: A refusal if there are none, or if one has not the columns that are asked for.
  func tables(among tables: [Table]) throws(Refusal) -> Set<Int> {
    var places: Set<Int> = []
    for (place, table) in tables.enumerated()
    where table.isExposed && ["*", "public"].contains(schema) && ["*", table.name].contains(self.table) {
      places.insert(place)
      do throws(PostgRESTError) {
        for condition in conditions { _ = try condition.filter(for: table.layout) }
        for name in selected ?? [] where table.layout.positions[name] == nil {
          throw PostgRESTError(code: "P0001", message: "invalid column for select \(name)")
        }
      } catch {
        throw refusal(error)
      }
    }
    guard !places.isEmpty else {
      throw Refusal(
        message: "Unable to subscribe to changes with given parameters. Please check Realtime is enabled for "
          + "the given connect parameters: [\(description)]")
    }
    return places
  }

  /// What is said when the database refuses the subscription.
  func refusal(_ error: PostgRESTError) -> Refusal {
    Refusal(
      message:
        "Unable to subscribe to changes with given parameters. An exception happened so please check your "
        + "connect parameters: [\(description)]. Exception: ERROR \(error.code) \(error.message)")
  }

  /// Whether a change is one that it asks for.
  ///
  /// Of a removal nothing but the primary key is known, so a condition on any other column is not met
  /// (`realtime.is_visible_through_filters`).
  func matches(_ change: RowChange) -> Bool {
    guard ["*", "public"].contains(schema), ["*", change.table.name].contains(table) else { return false }
    let row: DatabaseRow
    switch change.change {
    case .insert(let new), .update(let new): row = new
    case .delete(let old):
      guard conditions.allSatisfy({ change.table.primaryKey.contains($0.column) }) else { return false }
      row = old
    }
    guard event == "*" || event == change.change.kind else { return false }
    return conditions.allSatisfy { condition in
      (try? condition.filter(for: change.table.layout).holds(for: row.values)) == true
    }
  }

  private var description: String {
    let select = selected.map { "[\($0.map { "\"\($0)\"" }.joined(separator: ", "))]" } ?? "nil"
    return "event: \(event), schema: \(schema), table: \(table), "
      + "filters: [\(conditions.map(\.description).joined(separator: ", "))], select: \(select)"
  }
}

extension DatabaseChange {
  /// The word for it on the wire.
  var kind: String {
    switch self {
    case .insert: "INSERT"
    case .update: "UPDATE"
    case .delete: "DELETE"
    }
  }
}
