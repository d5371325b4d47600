// Error: missing argument for parameter 'respond' in call
import Foundation
import UnderstudyHTTP

let backend = StubBackend {
  Stub(.get, "/notes")
}
