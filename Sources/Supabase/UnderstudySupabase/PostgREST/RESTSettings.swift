import Foundation
import UnderstudyPostgreSQL

/// The configuration of PostgREST, as far as it changes responses.
package struct RESTSettings: Hashable, Sendable {
  /// The exposed schemas (`db-schemas`), the default one first.
  package var schemas: [String]
  /// The schemas in which names are looked up after the requested one (`db-extra-search-path`).
  package var extraSearchPath: [String]
  /// The number of rows that a selection returns at most (`db-max-rows`); `nil` for no limit.
  package var maximumRows: Int?
  /// Whether requests may aggregate rows (`db-aggregates-enabled`).
  package var allowsAggregates = false
  /// Whether requests may ask for the plan of their statement (`db-plan-enabled`).
  package var allowsPlans = false
  /// Whether transactions are rolled back (`db-tx-end = rollback`).
  package var rollsBack = false
  /// Whether `Prefer: tx=…` is obeyed (`db-tx-end = commit-allow-override`).
  package var allowsTransactionOverride = false

  /// Creates the configuration of a new project.
  package init(
    schemas: [String] = ["public", "graphql_public"], extraSearchPath: [String] = ["public", "extensions"],
    maximumRows: Int? = nil
  ) {
    self.schemas = schemas
    self.extraSearchPath = extraSearchPath
    self.maximumRows = maximumRows
  }

  /// Returns the configuration with what the database overrides: `ALTER ROLE authenticator SET pgrst.db_schemas TO …`
  /// (`Config/Database.hs`, `queryDbSettings`).
  ///
  /// A value that PostgREST would not start with is ignored.
  func overridden(by catalogue: Catalogue) -> RESTSettings {
    guard let settings = catalogue.roles["authenticator"]?.settings else { return self }
    var result = self
    func names(_ text: String) -> [String] {
      text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    func set(_ path: WritableKeyPath<RESTSettings, Bool>, _ name: String) {
      guard let value = settings["pgrst." + name].flatMap(Self.boolean) else { return }
      result[keyPath: path] = value
    }
    if let schemas = settings["pgrst.db_schemas"].map(names), !schemas.isEmpty { result.schemas = schemas }
    if let path = settings["pgrst.db_extra_search_path"] { result.extraSearchPath = names(path) }
    if let rows = settings["pgrst.db_max_rows"].flatMap({ Int($0) }), rows >= 0 { result.maximumRows = rows }
    set(\.allowsAggregates, "db_aggregates_enabled")
    set(\.allowsPlans, "db_plan_enabled")
    switch settings["pgrst.db_tx_end"] {
    case "commit"?: (result.rollsBack, result.allowsTransactionOverride) = (false, false)
    case "commit-allow-override"?: (result.rollsBack, result.allowsTransactionOverride) = (false, true)
    case "rollback"?: (result.rollsBack, result.allowsTransactionOverride) = (true, false)
    case "rollback-allow-override"?: (result.rollsBack, result.allowsTransactionOverride) = (true, true)
    default: break
    }
    return result
  }

  /// A boolean as PostgREST reads it: a word or a number (`Config.hs`, `coerceBool`).
  private static func boolean(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "true": true
    case "false": false
    default: Int(text).map { $0 != 0 }
    }
  }
}
