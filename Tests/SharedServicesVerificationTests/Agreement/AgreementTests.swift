import Foundation
import SharedServices
import SharedServicesVerification
import Understudy
import UnderstudyHTTP
import Testing

/// What the app receives for each fault at each injection point.
@Suite struct AgreementTests {
  /// A cell of an agreement of whatever errors.
  struct Cell: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let fault: Fault
    let injectionPoint: InjectionPoint
    /// Describes a result other than the expected one.
    let difference: @Sendable () async throws -> String?

    static func all<Failure>(of agreement: FaultAgreement<SharedServicesVerification.Report<Failure>>)
      -> [Cell]
    {
      agreement.cells.map { cell in
        Cell(testDescription: cell.description, fault: cell.fault, injectionPoint: cell.injectionPoint) {
          let seen = try await cell.observe()
          return seen == cell.expected ? nil : "Expected \(cell.expected), found \(seen)."
        }
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
  static let cells =
    ofCalls.flatMap(Cell.all) + ofForum.flatMap(Cell.all) + Cell.all(of: .sendMessageStream)
    + Cell.all(of: .childChanges)

  /// On a socket it is the platform that times out, which takes a second of real time.
  static func needsPlatformTimer(_ cell: Cell) -> Bool {
    cell.injectionPoint == .wire && cell.fault.symptom == .timedOut
  }

  @Test(arguments: cells.filter { $0.injectionPoint != .wire })
  func theSameIsReportedAtEveryInjectionPoint(_ cell: Cell) async throws {
    let difference = try await cell.difference()
    #expect(difference == nil)
  }

  /// One after another: hundreds of servers and clients at once would only wait for one another.
  @Test(.serialized, arguments: cells.filter { $0.injectionPoint == .wire && !needsPlatformTimer($0) })
  func theSameIsReportedOnTheWire(_ cell: Cell) async throws {
    let difference = try await cell.difference()
    #expect(difference == nil)
  }

  @Test(
    .enabled(
      if: ProcessInfo.processInfo.environment["UNDERSTUDY_PLATFORM_TIMER"] != nil,
      "Set UNDERSTUDY_PLATFORM_TIMER to wait for URLSession's own time-outs."),
    arguments: cells.filter(needsPlatformTimer))
  func theSameIsReportedOfTheTimeOutsOfThePlatform(_ cell: Cell) async throws {
    let difference = try await cell.difference()
    #expect(difference == nil)
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
