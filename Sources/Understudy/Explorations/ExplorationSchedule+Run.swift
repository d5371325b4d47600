extension ExplorationSchedule {
  /// Runs each branch in its own task under this schedule, and returns the results in order.
  func run<Result: Sendable>(_ branches: [@Sendable () async -> Result]) async -> [Result] {
    await withTaskGroup(of: (Int, Result).self) { group in
      if case .seeded(let seed) = self, #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
        let executor = SeededExecutor(seed: seed)
        for (index, branch) in branches.enumerated() {
          group.addTask(executorPreference: executor) { (index, await branch()) }
        }
        executor.begin()
      } else {
        for (index, branch) in branches.enumerated() { group.addTask { (index, await branch()) } }
      }
      var results: [(Int, Result)] = []
      for await result in group { results.append(result) }
      return results.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }
}
