// Error: mutation of captured var 'count' in concurrently-executing code
import Foundation
import UnderstudyHTTP

func backend() -> StubBackend {
  var count = 0
  return StubBackend {
    Stub(.post, "/notes") { _ in
      count += 1
      return HTTP.Response(status: count == 1 ? 201 : 409)
    }
  }
}
