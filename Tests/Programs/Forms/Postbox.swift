// A module with a type of its own name, so that `Postbox.Letter` is not its type `Letter`.

enum PostboxError: Error {
  case full
}

final class Postbox: Sendable {
  enum Letter: Hashable, Sendable {
    case none
  }
}

struct Letter: Hashable, Sendable {
  let text: String
}

struct Condition: Hashable, Sendable {
  let isOpen: Bool
}

enum Operation: Hashable, Sendable {
  case pick, drop
}

// refused: condition(of:): its type Condition has a name of the toolkit
// refused: perform(_:): its type Operation has a name of the toolkit
protocol PostboxService: Sendable {
  func letters() async throws(PostboxError) -> [Letter]
  func condition(of box: Postbox) async throws(PostboxError) -> Condition
  func perform(_ operation: Operation) async throws(PostboxError)
}
