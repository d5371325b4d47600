/// The error of every service of the shop, in a target of its own.
public enum ShopError: Error, Equatable {
  case offline, timedOut, soldOut, unknown
  case server(status: Int)
}

/// Known in this target alone, so that no other one can throw it.
enum ParsingError: Error {
  case malformed, offline, unknown
}
