import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyTesting

@testable import UnderstudyCommand

/// The faults that `serve` injects, at each endpoint of a project.
@Suite(.stallLimit()) struct ServeFaultsTests {
  /// What a client observes of a request.
  enum Outcome: Hashable {
    case response(Int, String)
    case failure(TransportError.Code)
    /// The connection stays open without an answer, or without the end of one.
    case silence
  }

  /// A request to each endpoint.
  static let requests: [(method: HTTP.Method, path: String, body: String?)] = [
    (.get, "/rest/v1/cakes?apikey=service-key", nil),
    (.post, "/auth/v1/token?grant_type=password&apikey=anon-key", #"{"email": "pat@example.com"}"#),
    (.get, "/storage/v1/bucket?apikey=service-key", nil), (.post, "/functions/v1/bake?apikey=anon-key", "{}"),
  ]

  /// Every fault that can be typed, except for the one that only a client can cause.
  static let faults =
    Set(
      ([.call, .stream, .webSocket] as [Fault.Interaction]).flatMap(Fault.all).compactMap(\.typedName)
        + ["status:200", "status:418", "status:502"]
    ).subtracting(["cancelled"]).sorted()

  /// Sends a request, and the next one only after its outcome is known.
  static func outcome(
    of number: Int, from command: RunningCommand, isSilent: Bool
  ) async throws -> Outcome {
    let (method, path, body) = requests[number - 1]
    let sending = Task { try await command.send(method, path, body: body) }
    if isSilent {
      _ = try await command.line(with: "interrupted: the connection stays silent")
      sending.cancel()
      return .silence
    }
    do {
      let (status, text) = try await sending.value
      return .response(status, text)
    } catch let error as TransportError {
      return .failure(error.code)
    }
  }

  /// Catches a fault that the server accepts and logs, while the client receives the usual answer.
  @Test(arguments: faults) func everyFaultIsShownAtEveryEndpoint(_ name: String) async throws {
    let file = try TemporaryFile("CREATE TABLE cakes (id int PRIMARY KEY, name text);")
    let fault = try Fault(typed: name)
    let (plain, faulty) = (TestClock(.immediate), TestClock(.immediate))
    let usual = RunningCommand(["serve", "--schema", file.path], time: plain)
    let isSilent = fault.symptom == .timedOut
    // By default at one endpoint, which differs from fault to fault.
    let first = try #require(Self.faults.firstIndex(of: name)) % Self.requests.count
    let numbers = Effort.some(of: 1...Self.requests.count, every: Self.requests.count, from: first)
    for number in isSilent ? [1] : numbers {
      let normal = try await Self.outcome(of: number, from: usual, isSilent: false)
      let command = RunningCommand(["serve", "--schema", file.path, "--fault", name], time: faulty)
      let before = faulty.elapsed
      let outcome = try await Self.outcome(of: number, from: command, isSilent: isSilent)
      let isDelayed = faulty.elapsed > before
      let output = await command.stop().output
      // A fault of events has no effect on an answer without events, and the log, or the summary, says so.
      let isExplained =
        output.contains("\n    \(name) had no effect: the answer is not a stream of events; ")
        || output.contains("\(name): the call was made, but ")
      let isOfEvents = ["duplicate-event:1", "reorder-event:1", "split-characters"].contains(name)
      #expect((outcome != normal || isDelayed || isExplained) && (isOfEvents || !isExplained), "\(output)")
    }
    _ = await usual.stop()
  }

  @Test(arguments: ["offline", "host-not-found", "connection-refused"])
  func aServerThatIsNotReachedRefusesConnections(_ name: String) async throws {
    let file = try TemporaryFile("CREATE TABLE cakes (id int);")
    let command = RunningCommand(["serve", "--schema", file.path, "--fault", name])
    let error = await #expect(throws: TransportError.self) { try await command.send(.get, "/rest/v1/cakes") }
    #expect(error?.code == .connectionRefused)
    #expect(await command.stop().output.contains("\n  Every connection is refused.\n"))
    let second = RunningCommand(["serve", "--schema", file.path, "--fault", "call=2 \(name)"])
    #expect(try await second.send(.get, "/rest/v1/cakes?apikey=anon-key").0 == 200)
    let lost = await #expect(throws: TransportError.self) { try await second.send(.get, "/rest/v1/cakes") }
    #expect(lost?.code == .connectionLost)
    #expect(!(await second.stop().output.contains("Every connection is refused.")))
  }
}
