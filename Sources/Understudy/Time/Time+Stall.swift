extension Time {
  /// Waits until the task is cancelled; on a manual clock it is a wait that a pending time-out ends.
  package func stall() async throws {
    if let clock = clock as? ManualClock {
      try await clock.sleep(until: ManualClock.Instant(offset: ManualClock.never), tolerance: nil)
    } else {
      try await Signal<Void>().value()
    }
  }
}
