// Error: call can throw, but it is not marked with 'try' and the error is not handled
import Foundation
import UnderstudyHTTP

let backend = StubBackend {
  Stub(.get, "/notes") { _ in .json(["Milk"]) }
}
