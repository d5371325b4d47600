import Foundation
import Testing
import Understudy
import UnderstudyHTTP

/// Each fault of a stream, at the three seams.
@Suite struct StreamFaultTests {
  /// What a reader of a stream has in the end.
  struct Seen: Hashable, CustomStringConvertible {
    var ticks: [String] = []
    var error: TodoError?
    var description: String { "\(ticks) \(error.map { "\($0)" } ?? "end")" }
  }

  /// Five events for three ticks and two blocks that are none; "ü" and "€" have several bytes.
  static let words = ["1ü", "2€", "3"]
  static let wire = Data(
    ": hello\n\nevent: tick\ndata: \"1ü\"\nid: 1\n\ndata: \"2€\"\n\n: still here\n\ndata: \"3\"\n\n".utf8)

  struct Words: TickerService {
    func ticks(upTo count: Int) async throws(TodoError) -> AsyncThrowingStream<String, any Error> {
      let source = Source(Signals())
      return AsyncThrowingStream(unfolding: {
        let number = source.advance()
        return number <= count ? words[number - 1] : nil
      })
    }
  }

  struct Backend: HTTPHandler {
    var chunkSize = Int.max
    func respond(to request: HTTPRequest) async throws -> HTTPResponse {
      var chunks: [Data] = []
      var rest = wire
      while !rest.isEmpty {
        chunks.append(Data(rest.prefix(chunkSize)))
        rest = Data(rest.dropFirst(chunkSize))
      }
      return HTTPResponse(
        status: 200, fields: ["Content-Type": "Text/Event-Stream; charset=utf-8"],
        body: HTTPBody(chunks: chunks))
    }
  }

  static func seen(through service: some TickerService) async -> Seen {
    var seen = Seen()
    do {
      for try await tick in try await service.ticks(upTo: 3) { seen.ticks.append(tick) }
    } catch {
      seen.error = error as? TodoError
    }
    return seen
  }

  static func atTransport(_ fault: Fault, chunkSize: Int = .max, _ manual: ManualTime) async -> Seen {
    let transport = Intercepted(
      InProcessTransport(to: Backend(chunkSize: chunkSize), time: manual.time),
      by: .faults(.on(.any, fault)), time: manual.time)
    return await seen(through: TickerClient(transport: transport, last: "3"))
  }

  /// The table, written by hand, which catches an effect that is off by one or counts comments as events.
  static let table: [(Fault, Seen)] = [
    (.dropStream(afterEvents: 0), Seen(error: .noAnswer(.connectionLost))),
    (.dropStream(afterEvents: 2), Seen(ticks: ["1ü", "2€"], error: .noAnswer(.connectionLost))),
    (.dropStream(afterEvents: 3), Seen(ticks: words)),
    (.endStream(afterEvents: 1), Seen(ticks: ["1ü"], error: .noAnswer(.connectionLost))),
    (.endStream(afterEvents: 3), Seen(ticks: words)),
    (.stallStream(afterEvents: 2), Seen(ticks: ["1ü", "2€"], error: .noAnswer(.timedOut))),
    (.stallStream(afterEvents: 9), Seen(ticks: words)),
    (.corruptEvent(1), Seen(error: .unreadable)),
    (.corruptEvent(3), Seen(ticks: ["1ü", "2€"], error: .unreadable)),
    (.corruptEvent(4), Seen(ticks: words)),
    (.unterminatedEvent, Seen(ticks: ["1ü", "2€"], error: .noAnswer(.connectionLost))),
    (.duplicateEvent(2), Seen(ticks: ["1ü", "2€", "2€", "3"])),
    (.reorderEvent(1), Seen(ticks: ["2€", "1ü", "3"])),
    (.reorderEvent(3), Seen(ticks: words)),
    (.splitCharacters, Seen(ticks: words)),
    (.truncatedBody(), Seen(error: .noAnswer(.connectionLost))),
    (.timeoutInBody(), Seen(error: .noAnswer(.timedOut))),
    (.malformedChunk(), Seen(error: .noAnswer(.unreadableResponse))),
    (.brokenGzip, Seen(error: .noAnswer(.unreadableResponse))),
  ]

  @Test(arguments: table)
  func aServiceShowsTheElementsAndTheError(_ fault: Fault, _ expected: Seen) async {
    let manual = ManualTime(.jumping)
    let service = Intercepted(Words(), by: .faults(.on(.ticks, fault)), time: manual.time)
    #expect(await Self.seen(through: service) == expected)
    #expect(manual.elapsed == (expected.error == .noAnswer(.timedOut) ? .seconds(30) : .zero))
  }

  @Test(arguments: table, [1, 3, .max])
  func aTransportShowsTheSame(_ row: (fault: Fault, expected: Seen), _ chunkSize: Int) async {
    let manual = ManualTime(.jumping)
    #expect(await Self.atTransport(row.fault, chunkSize: chunkSize, manual) == row.expected)
    #expect(manual.elapsed == (row.expected.error == .noAnswer(.timedOut) ? .seconds(30) : .zero))
  }

  @Test(arguments: table)
  func aHandlerShowsTheSame(_ fault: Fault, _ expected: Seen) async {
    let manual = ManualTime(.jumping)
    let handler = Intercepted(Backend(), by: .faults(.on(.any, fault)), time: manual.time)
    let client = TickerClient(transport: InProcessTransport(to: handler, time: manual.time), last: "3")
    #expect(await Self.seen(through: client) == expected)
  }

  /// Catches a fault whose symptom is not what a reader sees, and failures that leave a stream whole.
  @Test(arguments: Fault.all(of: .stream))
  func whatIsSeenIsTheSymptomAtEverySeam(_ fault: Fault) async {
    let manual = ManualTime(.jumping)
    let service = Intercepted(Words(), by: .faults(.on(.ticks, fault)), time: manual.time)
    let atService = await Self.seen(through: service)
    let atTransport = await Self.atTransport(fault, manual)
    #expect(atService == atTransport)
    switch fault.symptom {
    case .delay: #expect(atService == Seen(ticks: Self.words))
    case .altered: #expect(atService.error == nil && atService.ticks != Self.words)
    default: #expect(atService.error == TodoError(fault))
    }
    if Fault.failures(of: .stream).contains(fault) { #expect(atService.error != nil) }
    #expect(fault.applies(to: .transport) && fault.applies(to: .handler))
  }

  @Test func theCatalogueOfStreamsHoldsThatOfCalls() {
    let all = Fault.all(of: .stream)
    #expect(Set(all).count == all.count && Set(Fault.all(of: .call)).isSubset(of: all))
    #expect(all.filter { !$0.applies(to: .service) } == [.dribble(), .splitCharacters])
    #expect(Set(all.filter { $0.symptom == .altered }) == [.duplicateEvent(), .reorderEvent()])
    #expect(Set(Fault.failures(of: .stream)).isSubset(of: all))
  }

  /// Catches a fault that fails a call with another answer than the documented one.
  @Test(arguments: Fault.all(of: .stream).filter { !Fault.all(of: .call).contains($0) })
  func anAnswerThatIsNoEventStreamMeetsTheNearest(_ fault: Fault) async throws {
    let seen = { (fault: Fault) async throws -> FaultHTTPTests.Seen in
      let manual = ManualTime(.jumping)
      let transport = Intercepted(
        InProcessTransport(to: PlainBackend(), time: manual.time), by: .faults(.on(.any, fault)),
        time: manual.time)
      return try await FaultHTTPTests.seen(through: transport)
    }
    switch fault.symptom {
    case .delay, .altered: #expect(try await seen(fault) == .body(FaultHTTPTests.body))
    default: #expect(try await seen(fault) == .symptom(fault.symptom))
    }
  }

  struct PlainBackend: HTTPHandler {
    func respond(to request: HTTPRequest) async throws -> HTTPResponse {
      HTTPResponse(status: 200, body: FaultHTTPTests.body, contentType: "application/json")
    }
  }

  @Test func aCharacterReallyIsSplit() async throws {
    let transport = Intercepted(InProcessTransport(to: Backend()), by: .faults(.on(.any, .splitCharacters)))
    let response = try await transport.send(HTTPRequest(.get, try #require(FaultHTTPTests.url)))
    var chunks: [Data] = []
    for try await chunk in response.body { chunks.append(chunk) }
    #expect(chunks.reduce(Data(), +) == Self.wire)
    // One cut in "ü", two in "€".
    #expect(chunks.count == 4)
    #expect(chunks.filter { String(data: $0, encoding: .utf8) == nil }.count == 4)
  }

  @Test func anEventKeepsItsOtherFieldsWhenItsDataIsCorrupt() async throws {
    let transport = Intercepted(InProcessTransport(to: Backend()), by: .faults(.on(.any, .corruptEvent(1))))
    let (data, response) = try await transport.data(
      for: HTTPRequest(.get, try #require(FaultHTTPTests.url)))
    #expect(response.isSuccess)
    let text = String(decoding: data, as: UTF8.self)
    #expect(text.contains("event: tick\ndata: {\"unfinished\": [\nid: 1\n\ndata: \"2€\"\n\n"))
  }
}
