import Foundation
import SharedServices
import SharedServicesDoubles
import SharedServicesVerification
import Understudy
import UnderstudyHTTP
import SharedServicesViewModels

/// A benchmark of the fault schedules that a sweep tries per second of processor time, on one processor.
enum SweepBenchmark {
  static let rounds = 5
  static let runs = 1_000

  static func run() async throws -> [String] {
    var measurements: [(Measurement, () async throws -> Double)] = [
      (Measurement(name: "onboarding, without a fault, by hand"), onboardings)
    ]
    for scenario in [Scenario.onboarding, .profile, .following, .lyra, .signIn, .chat, .threads] {
      let aim: Double? = scenario.name == "onboarding" ? 5_000 : nil
      measurements.append(
        (Measurement(name: "\(scenario), swept", atLeast: aim), { try await sweep(scenario) }))
    }
    for _ in 0..<rounds {
      for index in measurements.indices {
        measurements[index].0.figures.append(try await measurements[index].1())
      }
    }
    return measurements.map(\.0.line)
  }

  private static func sweep(_ scenario: Scenario) async throws -> Double {
    let start = ProcessorTime.now
    let report = try await scenario.report(SweepOptions(pairLimit: runs))
    guard report.isClean else { throw Missing("a sweep of \(scenario) without violations") }
    return Double(report.counts.total) / ((ProcessorTime.now - start) / 1_000_000)
  }

  /// The equivalent test without a sweep.
  @MainActor private static func onboardings() async throws -> Double {
    let start = ProcessorTime.now
    for seed in 0..<runs {
      let time = TestClock(.immediate).time
      let backend = InMemorySharedServices.signedIn(seed: UInt64(seed), time: time)
      let model = OnboardingViewModel(
        auth: AuthViewModel(service: backend.auth), children: backend.children,
        today: { CalendarDate(time.now, in: .gmt) })
      model.currentState = .childInfo
      model.childName = "Robin"
      await model.saveChildAndProceed()
      guard model.currentChild != nil else { throw Missing("the stored child") }
    }
    return Double(runs) / ((ProcessorTime.now - start) / 1_000_000)
  }
}
