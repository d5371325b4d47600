import UnderstudyHTTP

extension ReplayingTransport {
  /// Checks, after a clause that passed, that it asked for what was recorded and for nothing else.
  ///
  /// The recorded answers say what a request did whether it is sent or not. Of concurrent calls some may come
  /// seldomer than they were recorded, but none may be missing.
  func checkThatAllWasAsked(of archive: HTTPArchive, madeBy command: String) throws(TransportError) {
    if let message = unansweredRequests.first { throw TransportError(.invalidRequest, message) }
    let unused = unusedEntries
    let numbers = Set(unused.map(\.index))
    let asked = Set(
      archive.entries.indices.filter { !numbers.contains($0) }.map { archive.entries[$0].request })
    if let (index, entry) = unused.first(where: { !asked.contains($0.entry.request) }) {
      throw TransportError(
        .invalidRequest,
        """
        The client did not ask for entry \(index), \(entry.request.method) \(entry.request.url), which the \
        recording has. If it is right not to ask, record the clause again with: \(command)
        """)
    }
  }
}
