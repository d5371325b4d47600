extension Time {
  /// Waits until the task is cancelled.
  ///
  /// On a manual clock, a pending timeout ends this wait.
  package func stall() async throws {
    if let clock = clock as? ManualClock {
      try await clock.sleep(until: ManualClock.Instant(offset: ManualClock.never), tolerance: nil)
    } else {
      try await Signal<Void>().value()
    }
  }
}
