// Error: cannot convert value of type '[String]' to closure result type 'HTTP.Response'
import Foundation
import UnderstudyHTTP

let backend = StubBackend {
  Stub(.get, "/notes") { _ in ["Milk"] }
}
