import Foundation
import UnderstudyHTTP
import UnderstudyPostgreSQL

/// The preferences in the `Prefer` fields of a request (RFC 7240, `ApiRequest/Preferences.hs`).
struct Preferences {
  enum Representation: String, CaseIterable {
    case minimal
    case headersOnly = "headers-only"
    case full = "representation"
  }

  enum Resolution: String, CaseIterable {
    case merge = "merge-duplicates"
    case ignore = "ignore-duplicates"
  }

  enum Transaction: String {
    case commit, rollback
  }

  let representation: Representation?
  let resolution: Resolution?
  let usesDefaultsForMissing: Bool?
  /// The requested count: `exact`, `planned` or `estimated`; a count in memory is always exact.
  let count: String?
  /// The number of rows that an update or a delete may affect, if the handling is strict.
  let maximumAffected: Int?
  /// The handling of unknown preferences, `strict` or `lenient`.
  private let handling: String?
  /// What happens to the transaction, if the configuration leaves it to the request.
  let transaction: Transaction?
  /// The zone in which the transaction reads and writes times; `nil` if it is unknown.
  let timeZone: String?
  private let unknown: [String]

  /// Whether an unknown preference and too many affected rows are errors.
  var isStrict: Bool { handling == "strict" }

  /// The preferences with a fixed set of values.
  private static let known = Set(
    Representation.allCases.map { "return=\($0.rawValue)" }
      + Resolution.allCases.map { "resolution=\($0.rawValue)" }
      + ["count=exact", "count=planned", "count=estimated", "missing=default", "missing=null"]
      + ["handling=strict", "handling=lenient", "tx=commit", "tx=rollback"])

  init(_ fields: HTTP.Fields, allowsTransactionOverride: Bool) {
    let wishes = fields.values(of: "Prefer").flatMap { $0.split(separator: ",") }
      .map { $0.trimmingCharacters(in: .whitespaces) }
    // Of several known values of one name the first applies.
    func first(_ name: String) -> String? {
      wishes.first { $0.hasPrefix(name + "=") && Self.known.contains($0) }
        .map { String($0.dropFirst(name.count + 1)) }
    }
    func text(of name: String) -> String? {
      wishes.first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
    }
    representation = first("return").flatMap(Representation.init)
    resolution = first("resolution").flatMap(Resolution.init)
    usesDefaultsForMissing = first("missing").map { $0 == "default" }
    count = first("count")
    handling = first("handling")
    maximumAffected = text(of: "max-affected").flatMap { Int($0) }
    let timeZone = text(of: "timezone").flatMap { TimeZoneRule.isListed($0) ? $0 : nil }
    self.timeZone = timeZone
    transaction = allowsTransactionOverride ? first("tx").flatMap(Transaction.init) : nil
    unknown = wishes.filter { wish in
      !Self.known.contains(wish) && (!wish.hasPrefix("timezone=") || timeZone == nil)
        && !wish.hasPrefix("max-affected=")
    }
  }

  /// - Throws: PGRST122 for unknown preferences with `handling=strict`.
  func check() throws(PostgRESTError) {
    if isStrict, !unknown.isEmpty { throw .invalidPreferences(unknown) }
  }

  /// What a request does, as far as preferences apply to it.
  enum Action {
    case read, insert, update, upsert, delete, call
  }

  /// Returns the value of `Preference-Applied` for a request (`Response.hs`, `responsePreferences`).
  ///
  /// - Parameter resolves: Whether an insert has columns on which rows can conflict.
  func applied(to action: Action, resolves: Bool = false) -> String? {
    let limitsChanges = [.update, .delete, .call].contains(action)
    let wishes = [
      action == .insert && resolves ? resolution.map { "resolution=\($0.rawValue)" } : nil,
      action == .insert || action == .update
        ? usesDefaultsForMissing.map { "missing=\($0 ? "default" : "null")" } : nil,
      action == .read || action == .call ? nil : representation.map { "return=\($0.rawValue)" },
      count.map { "count=\($0)" },
      transaction.map { "tx=\($0.rawValue)" },
      handling.map { "handling=\($0)" },
      timeZone.map { "timezone=\($0)" },
      isStrict && limitsChanges ? maximumAffected.map { "max-affected=\($0)" } : nil,
    ].compactMap { $0 }
    return wishes.isEmpty ? nil : wishes.joined(separator: ", ")
  }
}
