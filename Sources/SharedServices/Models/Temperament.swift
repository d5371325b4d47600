/// How a child meets the world, as its parent sees it.
public enum Temperament: String, Sendable, Hashable, CaseIterable, Codable {
  case easygoing
  case sensitive
  case spirited
  case cautious
}
