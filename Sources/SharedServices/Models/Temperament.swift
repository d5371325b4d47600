/// A child's temperament, as assessed by the parent.
public enum Temperament: String, Sendable, Hashable, CaseIterable, Codable {
  case easygoing
  case sensitive
  case spirited
  case cautious
}
