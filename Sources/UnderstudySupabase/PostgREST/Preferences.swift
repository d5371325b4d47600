import Foundation
import UnderstudyHTTP

/// What the `Prefer` fields of a request ask for (RFC 7240).
struct Preferences {
  enum Representation: String {
    case minimal
    case headersOnly = "headers-only"
    case full = "representation"
  }

  enum Resolution: String {
    case merge = "merge-duplicates"
    case ignore = "ignore-duplicates"
  }

  let representation: Representation?
  let resolution: Resolution?
  let usesDefaultsForMissing: Bool?
  /// `exact`, `planned` or `estimated`; a count in memory is always exact.
  let count: String?

  init(_ fields: HTTPFields) {
    var wishes: [String: String] = [:]
    for wish in fields.values(of: "Prefer").flatMap({ $0.split(separator: ",") }) {
      let parts = wish.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      // The first of several wishes of one name counts (RFC 7240 §2).
      if parts.count == 2, wishes[parts[0]] == nil { wishes[parts[0]] = parts[1] }
    }
    representation = wishes["return"].flatMap(Representation.init)
    resolution = wishes["resolution"].flatMap(Resolution.init)
    usesDefaultsForMissing = ["default": true, "null": false][wishes["missing"] ?? ""]
    count = wishes["count"].flatMap { ["exact", "planned", "estimated"].contains($0) ? $0 : nil }
  }

  /// What `Preference-Applied` says to a request that reads, or that writes.
  func applied(isInsert: Bool, isWrite: Bool, resolves: Bool) -> String? {
    let wishes = [
      isInsert && resolves ? resolution.map { "resolution=\($0.rawValue)" } : nil,
      isInsert ? usesDefaultsForMissing.map { "missing=\($0 ? "default" : "null")" } : nil,
      isWrite ? representation.map { "return=\($0.rawValue)" } : nil,
      count.map { "count=\($0)" },
    ].compactMap { $0 }
    return wishes.isEmpty ? nil : wishes.joined(separator: ", ")
  }
}
