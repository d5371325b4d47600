// Error: contextual type for closure argument list expects 1 argument, which cannot be implicitly ignored
import Foundation
import UnderstudyHTTP

let backend = StubBackend {
  Stub(.get, "/notes") { try .json(["Milk"]) }
}
