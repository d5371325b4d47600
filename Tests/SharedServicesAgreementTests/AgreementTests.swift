import Foundation
import SharedServicesAgreement
import Testing
import UnderstudyDoubles
import UnderstudyTransport

/// What the app is told of each fault, wherever the fault is put in.
@Suite struct AgreementTests {
  typealias Cell = FaultAgreement<Report>.Cell

  static let ofCalls: [FaultAgreement<Report>] = [
    .createChild, .fetchChildren, .updateChild, .deleteChild, .startConversation, .history,
  ]
  static let cells =
    ofCalls.flatMap(\.cells) + FaultAgreement.sendMessageStream.cells + FaultAgreement.childChanges.cells

  /// On a socket it is the platform that times out, which takes a second of real time.
  static func needsPlatformTimer(_ cell: Cell) -> Bool {
    cell.seam == .wire && cell.fault.symptom == .transport(.timedOut)
  }

  @Test(arguments: cells.filter { $0.seam != .wire })
  func theSameIsReportedAtEverySeam(_ cell: Cell) async throws {
    let seen = try await cell.observe()
    #expect(seen == cell.expected)
  }

  /// One after another: hundreds of servers and clients at once would only wait for one another.
  @Test(.serialized, arguments: cells.filter { $0.seam == .wire && !needsPlatformTimer($0) })
  func theSameIsReportedOnTheWire(_ cell: Cell) async throws {
    let seen = try await cell.observe()
    #expect(seen == cell.expected)
  }

  @Test(
    .enabled(
      if: ProcessInfo.processInfo.environment["UNDERSTUDY_PLATFORM_TIMER"] != nil,
      "Set UNDERSTUDY_PLATFORM_TIMER to wait for URLSession's own time-outs."),
    arguments: cells.filter(needsPlatformTimer))
  func theSameIsReportedOfTheTimeOutsOfThePlatform(_ cell: Cell) async throws {
    let seen = try await cell.observe()
    #expect(seen == cell.expected)
  }

  /// Catches a fault that was added to the catalogue and is tried nowhere.
  @Test func everyFaultOfTheCatalogueIsTried() {
    for agreement in Self.ofCalls { #expect(agreement.missing(from: Fault.all(of: .call)) == []) }
    #expect(FaultAgreement<Report>.sendMessageStream.missing(from: Fault.all(of: .stream)) == [])
    // It is tried later in the subscription, where the seams can agree.
    #expect(FaultAgreement<Report>.childChanges.missing(from: Fault.all(of: .webSocket)) == [.stallStream()])
  }
}
