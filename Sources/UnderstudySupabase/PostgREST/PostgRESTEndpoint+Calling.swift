import UnderstudyHTTP

extension PostgRESTEndpoint {
  func call(_ exchange: Exchange) throws(PostgRESTError) -> HTTP.Response { throw .invalidPath }
}
