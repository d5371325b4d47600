import TestSupport

#if os(Linux) || os(macOS)
  import Foundation
  import SharedServices
  import Testing
  import UnderstudyTesting
  import Understudy

  @testable import SharedServicesForum

  /// Kills a process while it writes, again and again on one file, and looks at what is there.
  ///
  /// `UNDERSTUDY_KILLS` says how often; four times unless set.
  @Suite(.stallLimit(.seconds(300))) struct KillingTests {
    @Test func whatWasStoredSurvivesAKillAndNothingIsHalfThere() async throws {
      let kills = ProcessInfo.processInfo.environment["UNDERSTUDY_KILLS"].flatMap(Int.init) ?? 4
      let folder = try TemporaryFolder()
      let path = folder.file.path
      var generator = SeededGenerator(seed: 1)
      for kill in 1...max(1, kills) {
        let (calls, spins) = (
          Int.random(in: 1...20, using: &generator), Int.random(in: 0...200_000, using: &generator)
        )
        let before = try Writer(path).returned
        await #expect(processExitsWith: .signal(SIGKILL)) {
          [path = path as String, calls = calls as Int, spins = spins as Int] in
          try await Writer(path).write(untilKilledAfter: calls, spins: spins)
        }
        #expect(try Writer(path).returned >= before + calls, "It was killed before it had written.")
        try await expectWholeGenerations(at: path, "kill \(kill), after \(calls) rounds and \(spins) spins")
      }
    }

    private func expectWholeGenerations(at path: String, _ when: String) async throws {
      let returned = try Writer(path).returned
      let database = try Database(at: path, makesFile: false, busyTimeout: .zero)
      #expect(try database.statement("PRAGMA integrity_check").rows { $0.text(0) } == ["ok"], "\(when)")

      let repository = try await SQLiteThreadsRepository(at: URL(filePath: path))
      let saved = Dictionary(grouping: try await repository.all(1), by: \.title)
      for number in 1...max(1, returned) where returned > 0 {
        #expect(saved["\(number)"]?.count == Writer.saved, "\(when): the save \(number) had returned.")
      }
      let last = saved["\(returned + 1)"]?.count ?? 0
      #expect([0, Writer.saved].contains(last), "\(when): half of a save that had not returned.")
      #expect(saved.count == returned + (last > 0 ? 1 : 0), "\(when)")

      let replaced = Dictionary(grouping: try await repository.all(2), by: \.title)
      #expect(replaced.count <= 1, "\(when): generations are mixed: \(replaced.keys.sorted()).")
      if let (title, threads) = replaced.first {
        #expect(threads.count == Writer.replaced, "\(when)")
        #expect(["\(returned)", "\(returned + 1)"].contains(title), "\(when)")
      } else {
        #expect(returned == 0, "\(when): a list that was replaced is gone.")
      }
    }
  }

  /// Saves threads and replaces a list, round after round, and logs each round whose calls have returned.
  private struct Writer {
    static let (saved, replaced) = (25, 20)

    private let path: String
    private var log: String { path + ".returned" }

    init(_ path: String) {
      self.path = path
    }

    /// How many rounds have returned: a byte was written for each.
    var returned: Int {
      get throws {
        guard FileManager.default.fileExists(atPath: log) else { return 0 }
        return try Data(contentsOf: URL(filePath: log)).count
      }
    }

    /// Writes until this process is killed in the middle of a round, some time after so many rounds.
    func write(untilKilledAfter rounds: Int, spins: Int) async throws {
      let isTime = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        isTime.wait()
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<spins { _ = generator.next() }
        kill(getpid(), SIGKILL)
      }
      let repository = try await SQLiteThreadsRepository(at: URL(filePath: path))
      let file = open(log, O_WRONLY | O_APPEND | O_CREAT, 0o600)
      let first = try returned + 1
      for number in first... {
        if number == first + rounds { isTime.signal() }
        try await repository.save(
          (0..<Self.saved).map { thread(number * 100 + $0, titled: "\(number)") })
        try await repository.replaceThreads(
          inForum: 2, with: (0..<Self.replaced).map { thread(-number * 100 - $0, titled: "\(number)") })
        guard Foundation.write(file, "+", 1) == 1 else { return }
      }
    }
  }
#endif
