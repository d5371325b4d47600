import SharedServicesContracts
import SharedServicesDoubles
import SharedServicesForum
import SharedServicesVerification
import Understudy
import UnderstudyConsole

extension Benchmark {
  static let mutants = Benchmark(
    "mutants", "Deriving wrong services from those in memory, and trying them under their contracts."
  ) { extent in
    func attempt<Subject>(_ contract: Contract<Subject>, _ right: Implementation<Subject>) async throws {
      let report = await contract.derivedMutants(of: right)
      if report.tried == 0 { throw CommandError("No mutant of \(contract.name) was derived.") }
    }
    let (name, aim) = extent.isShort ? ("children's service", nil) : ("all services", 60.0)
    return try await extent.rounds(1, short: 1) {
      let time = try await ContinuousClock().measure {
        try await attempt(.childrenService, .inMemory)
        if extent.isShort { return }
        try await attempt(.authService, .inMemory)
        try await attempt(.conversationService, .inMemory)
        try await attempt(.realtimeService, .inMemory)
        try await attempt(.forumsClient, .inMemory)
        try await attempt(.threadsRepository, .inMemory)
        try await attempt(.threadsService, .inMemory)
        try await attempt(.messageHistory, .inMemory)
        try await attempt(.messageStream, .inMemory)
      }
      return [Row(name, time / .seconds(1), .seconds, aim: aim)]
    }
  }
}
