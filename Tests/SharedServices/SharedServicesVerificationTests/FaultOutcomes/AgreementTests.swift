import Foundation
import SharedServices
import SharedServicesVerification
import TestSupport
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyTesting

/// What the app receives for each fault at each injection point.
@Suite(.stallLimit()) struct AgreementTests {
  /// The agreement of one call, with whatever errors.
  struct Table: Sendable, CustomTestStringConvertible {
    struct Cell: Sendable {
      let name: String
      let fault: Fault
      let injectionPoint: InjectionPoint
      /// Describes a result other than the expected one.
      let difference: @Sendable () async throws -> String?

      /// On a socket it is the platform that times out, which takes a second of real time.
      var needsPlatformTimer: Bool { injectionPoint == .wire && fault.symptom == .timedOut }
    }

    let testDescription: String
    let cells: [Cell]

    /// Whether the other tables are about other faults.
    let isOnlyOneOfItsKind: Bool

    init<Failure>(
      _ agreement: FaultAgreement<SharedServicesVerification.Report<Failure>>,
      isOnlyOneOfItsKind: Bool = false
    ) {
      self.isOnlyOneOfItsKind = isOnlyOneOfItsKind
      testDescription = agreement.name
      cells = agreement.cells.map { cell in
        Cell(name: cell.description, fault: cell.fault, injectionPoint: cell.injectionPoint) {
          let seen = try await cell.observe()
          return seen == cell.expected ? nil : "Expected \(cell.expected), found \(seen)."
        }
      }
    }

    /// Each fault at one injection point, which differs from table to table.
    ///
    /// Only every sixth fault if the other tables try it too.
    func sample(_ number: Int) -> [Cell] {
      Dictionary(grouping: cells, by: \.fault.description).sorted { $0.key < $1.key }.enumerated()
        .filter { isOnlyOneOfItsKind || ($0.offset + number).isMultiple(of: 6) }
        .map { row, cells in cells.value[(row + number / 2) % cells.value.count] }
    }

    /// One after another: hundreds of servers and clients at once would only wait for one another.
    func expectAgreement(of cells: [Cell]) async throws {
      for cell in cells {
        let difference = try await cell.difference()
        #expect(difference == nil, "\(cell.name)")
      }
    }
  }

  static let ofCalls: [FaultAgreement<SharedServicesVerification.Report<AppError>>] = [
    .createChild, .fetchChildren, .updateChild, .deleteChild, .startConversation, .history, .messagePage,
    .messageUpdates,
  ]
  static let ofForum: [FaultAgreement<SharedServicesVerification.Report<DataError>>] = [
    .forumThreads, .forumMarkSeen,
  ]
  static let tables =
    ofCalls.map { Table($0) } + ofForum.map { Table($0) }
    + [.sendMessageStream, .childChanges].map { Table($0, isOnlyOneOfItsKind: true) }

  /// A sample; all with full effort, and by the command `faults`.
  @Test(arguments: tables.indices) func theSameIsReportedAtEachInjectionPoint(_ number: Int) async throws {
    let table = Self.tables[number]
    let sample = Set(table.sample(number).map(\.name))
    let cells = Effort.some(of: table.cells) { sample.contains($0.name) }
    try await table.expectAgreement(of: cells.filter { !$0.needsPlatformTimer })
  }

  @Test(
    .enabled(
      if: ProcessInfo.processInfo.environment["UNDERSTUDY_PLATFORM_TIMER"] != nil,
      "Set UNDERSTUDY_PLATFORM_TIMER to wait for URLSession's own time-outs."), arguments: tables)
  func theSameIsReportedOfTheTimeOutsOfThePlatform(_ table: Table) async throws {
    try await table.expectAgreement(of: table.cells.filter(\.needsPlatformTimer))
  }

  /// Catches a sample that leaves out a fault, or tries none at some injection point.
  @Test func theSampleHasEveryFaultAndEveryInjectionPoint() {
    let samples = Self.tables.enumerated().flatMap { $0.element.sample($0.offset) }
    #expect(Set(samples.map(\.fault)) == Set(Self.tables.flatMap(\.cells).map(\.fault)))
    let points = Dictionary(grouping: samples, by: \.injectionPoint).mapValues(\.count)
    #expect(InjectionPoint.allCases.allSatisfy { points[$0, default: 0] > 15 }, "\(points)")
  }

  /// Catches a fault that was added to the catalogue and is tried nowhere.
  @Test func everyFaultOfTheCatalogueIsTried() {
    for agreement in Self.ofCalls { #expect(agreement.missing(from: Fault.all(of: .call)) == []) }
    for agreement in Self.ofForum { #expect(agreement.missing(from: Fault.all(of: .call)) == []) }
    #expect(
      FaultAgreement<SharedServicesVerification.Report<AppError>>.sendMessageStream.missing(
        from: Fault.all(of: .stream)) == [])
    // It is tried later in the subscription, where the injectionPoints can agree.
    #expect(
      FaultAgreement<SharedServicesVerification.Report<AppError>>.childChanges.missing(
        from: Fault.all(of: .webSocket)) == [
          .stallStream()
        ])
  }
}
