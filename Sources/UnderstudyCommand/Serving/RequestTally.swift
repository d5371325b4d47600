import Foundation
import Understudy

/// How often each route was asked for, and what was answered.
struct RequestTally: Sendable {
  private struct Key: Hashable {
    let route: String
    let status: Int?
  }

  /// A fuzzer must not fill the memory with its paths.
  private static let mostRoutes = 1000
  private var counts: [Key: Int] = [:]
  private var keys: [Key] = []
  private var total = 0

  mutating func count(route: String, _ status: Int?) {
    total += 1
    var key = Key(route: Self.withoutIDs(route), status: status)
    if counts[key] == nil {
      if keys.count >= Self.mostRoutes { key = Key(route: "other paths", status: status) }
      if counts[key] == nil { keys.append(key) }
    }
    counts[key, default: 0] += 1
  }

  /// The route of all requests that differ in ids and numbers alone.
  private static func withoutIDs(_ route: String) -> String {
    route.split(separator: "/", omittingEmptySubsequences: false).map { segment in
      let isID =
        UUID(uuidString: String(segment)) != nil || !segment.isEmpty && segment.allSatisfy(\.isNumber)
      return isID ? "{id}" : segment
    }.joined(separator: "/")
  }

  /// What happened, for a person who has stopped the server.
  ///
  /// - Parameter unused: What nobody has asked for.
  func summary(_ plan: FaultPlan<AnyHandler>, unused: [String]) -> String {
    var lines = ["Stopped after \(total) request(s)."]
    let width = keys.map { "\(counts[$0] ?? 0)".count }.max() ?? 0
    for key in keys {
      let count = "\(counts[key] ?? 0)"
      let status = key.status.map { "\($0)" } ?? " – "
      lines.append(
        "  \(String(repeating: " ", count: width - count.count))\(count) ×  \(status)  \(key.route)")
    }
    var injected: [(rule: String, count: Int)] = []
    for injection in plan.injections {
      let rule = injection.rule.description
      if let index = injected.firstIndex(where: { $0.rule == rule }) {
        injected[index].count += 1
      } else {
        injected.append((rule, 1))
      }
    }
    lines += Self.list("Faults injected", injected.map { "\($0.count) ×  \($0.rule)" })
    lines += Self.list("Rules that never fired", plan.unfiredRules.map(\.description))
    lines += Self.list("Never asked for", unused)
    return lines.joined(separator: "\n")
  }

  private static func list(_ title: String, _ items: [String]) -> [String] {
    items.isEmpty ? [] : ["\(title):"] + items.map { "  \($0)" }
  }
}
