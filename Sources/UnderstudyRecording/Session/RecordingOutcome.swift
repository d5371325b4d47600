/// The result of a session.
package struct RecordingOutcome: Sendable {
  /// The failures, such as requests without a response and recorded exchanges that were not requested.
  package var failures: [RecordingError]
  /// The warnings, such as a recording beyond its age limit.
  package var warnings: [RecordingError]

  /// Whether there are no failures.
  package var isGood: Bool { failures.isEmpty }

  mutating func judge(_ replay: ReplayingTransport, of session: RecordingSession) {
    failures += replay.unansweredRequests.map { RecordingError($0) }
    guard session.options.failsOnUnusedEntries, failures.isEmpty else { return }
    let unused = replay.unusedEntries
    guard !unused.isEmpty else { return }
    let shown = unused.prefix(10).map {
      "  entry \($0.index): \($0.entry.request.method) \($0.entry.request.url)"
    }
    let rest = unused.count > shown.count ? ["  and \(unused.count - shown.count) more"] : []
    failures.append(
      RecordingError(
        (["\(unused.count) of the recorded exchanges of \(session.place.name) were not requested:"] + shown
          + rest + [
            """
            If the requests are no longer sent on purpose, re-record with: \(session.place.command(in: .replace))
            To allow unused entries: RecordingOptions(failsOnUnusedEntries: false)
            """
          ]).joined(separator: "\n")))
  }
}
