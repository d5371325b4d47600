import Foundation
import TestSupport
import Testing

extension TemporaryFolder {
  /// Writes a changed copy of the stored symbol graph.
  func writeShop(
    _ change: (_ symbols: inout [Any], _ relationships: inout [[String: String]]) -> Void
  ) throws {
    let kept = URL(filePath: Modules.graphs).appending(path: "Shop.symbols.json")
    var graph = try #require(JSONSerialization.jsonObject(with: Data(contentsOf: kept)) as? [String: Any])
    var symbols = try #require(graph["symbols"] as? [Any])
    var relationships = try #require(graph["relationships"] as? [[String: String]])
    change(&symbols, &relationships)
    graph["symbols"] = symbols
    graph["relationships"] = relationships
    try JSONSerialization.data(withJSONObject: graph).write(to: url.appending(path: "Shop.symbols.json"))
  }
}
