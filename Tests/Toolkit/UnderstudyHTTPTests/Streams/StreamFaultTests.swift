import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyTesting

/// Each fault of a stream over HTTP.
@Suite(.stallLimit()) struct StreamFaultTests {
  typealias Seen = ReadTicks

  /// Five blocks: three ticks, and two that are not events.
  static let wire = Data(
    ": hello\n\nevent: tick\ndata: \"1ü\"\nid: 1\n\ndata: \"2€\"\n\n: still here\n\ndata: \"3\"\n\n".utf8)

  /// The same ticks as lines, among two that are blank.
  static let lines = Data("\"1ü\"\n\n\"2€\"\r\n \t\r\n\"3\"\n".utf8)

  struct Backend: HTTPHandler {
    var chunkSize = Int.max
    var mediaType = "Text/Event-Stream; charset=utf-8"
    func respond(to request: HTTP.Request) async throws -> HTTP.Response {
      var chunks: [Data] = []
      var rest = mediaType.hasPrefix("Text") ? wire : lines
      while !rest.isEmpty {
        chunks.append(Data(rest.prefix(chunkSize)))
        rest = Data(rest.dropFirst(chunkSize))
      }
      return HTTP.Response(
        status: 200, fields: ["Content-Type": mediaType], body: HTTP.Body(chunks: chunks))
    }
  }

  static func atTransport(
    _ fault: Fault, isUnchanged: Bool = false, chunkSize: Int = .max, _ manual: TestClock
  ) async -> Seen {
    let transport = Intercepted(
      InProcessTransport(to: Backend(chunkSize: chunkSize), time: manual.time),
      by: .faults(.on(.any, fault).optional(if: isUnchanged)), time: manual.time)
    return await Seen(from: TickerClient(transport: transport, last: "3"))
  }

  @Test(arguments: WordTicker.table, [1, 3, .max])
  func aTransportShowsTheSame(_ row: (fault: Fault, expected: Seen), _ chunkSize: Int) async {
    let manual = TestClock(.immediate)
    let isUnchanged = WordTicker.isUnchanged(row.fault, row.expected)
    #expect(
      await Self.atTransport(row.fault, isUnchanged: isUnchanged, chunkSize: chunkSize, manual)
        == row.expected)
    #expect(manual.elapsed == (row.expected.error == .timedOut ? .seconds(30) : .zero))
  }

  /// Catches lines of JSON that are treated as a single answer.
  @Test(arguments: WordTicker.table, [1, 3, .max])
  func linesShowTheSame(_ row: (fault: Fault, expected: Seen), _ chunkSize: Int) async {
    let time = TestClock(.immediate).time
    let mediaType = "application/x-ndjson"
    let transport = Intercepted(
      InProcessTransport(to: Backend(chunkSize: chunkSize, mediaType: mediaType), time: time),
      by: .faults(
        .on(.any, row.fault).optional(if: WordTicker.isUnchanged(row.fault, row.expected))), time: time)
    let client = TickerClient(transport: transport, last: "3", mediaType: mediaType)
    #expect(await Seen(from: client) == row.expected)
  }

  @Test(arguments: WordTicker.table)
  func aHandlerShowsTheSame(_ fault: Fault, _ expected: Seen) async {
    let manual = TestClock(.immediate)
    let rule = FaultPlan<Backend>.Rule.on(.any, fault)
    let handler = Intercepted(
      Backend(), by: .faults(rule.optional(if: WordTicker.isUnchanged(fault, expected))), time: manual.time)
    let client = TickerClient(transport: InProcessTransport(to: handler, time: manual.time), last: "3")
    #expect(await Seen(from: client) == expected)
  }

  /// Catches a fault with another symptom than a reader observes, and a failure that leaves a stream unchanged.
  @Test(arguments: Fault.all(of: .stream))
  func theSymptomIsTheSameAtEveryInjectionPoint(_ fault: Fault) async {
    let manual = TestClock(.immediate)
    let rule = FaultPlan<WordTicker>.Rule.on(.ticks, fault).optional(if: !fault.applies(to: .service))
    let service = Intercepted(WordTicker(), by: .faults(rule), time: manual.time)
    let atService = await Seen(from: service)
    let atTransport = await Self.atTransport(fault, manual)
    #expect(atService == atTransport)
    switch fault.symptom {
    case .delayed: #expect(atService == Seen(ticks: WordTicker.all))
    case .altered: #expect(atService.error == nil && atService.ticks != WordTicker.all)
    default: #expect(atService.error == TodoError(fault))
    }
    if Fault.failures(of: .stream).contains(fault) { #expect(atService.error != nil) }
    #expect(fault.applies(to: .transport) && fault.applies(to: .handler))
  }

  @Test func theCatalogueOfStreamsIncludesThatOfCalls() {
    let all = Fault.all(of: .stream)
    #expect(Set(all).count == all.count && Set(Fault.all(of: .call)).isSubset(of: all))
    #expect(all.filter { !$0.applies(to: .service) } == [.dribble(), .splitCharacters])
    #expect(Set(all.filter { $0.symptom == .altered }) == [.duplicateEvent(), .reorderEvent()])
    #expect(Set(Fault.failures(of: .stream)).isSubset(of: all))
  }

  /// Catches a fault that fails a call with another answer than the documented one.
  @Test(arguments: Fault.all(of: .stream).filter { !Fault.all(of: .call).contains($0) })
  func anAnswerThatIsNotAnEventStreamFailsWithTheNearestFault(_ fault: Fault) async throws {
    let seen = { (fault: Fault) async throws -> FaultHTTPTests.Seen in
      let manual = TestClock(.immediate)
      let transport = Intercepted(
        InProcessTransport(to: PlainBackend(), time: manual.time),
        by: .faults(.on(.any, fault).optional(if: [.delayed, .altered].contains(fault.symptom))),
        time: manual.time)
      return try await FaultHTTPTests.seen(through: transport)
    }
    switch fault.symptom {
    case .delayed, .altered: #expect(try await seen(fault) == .body(FaultHTTPTests.body))
    default: #expect(try await seen(fault) == .symptom(fault.symptom))
    }
  }

  struct PlainBackend: HTTPHandler {
    func respond(to request: HTTP.Request) async throws -> HTTP.Response {
      HTTP.Response(status: 200, body: FaultHTTPTests.body, contentType: "application/json")
    }
  }

  @Test func charactersAreSplit() async throws {
    let transport = Intercepted(InProcessTransport(to: Backend()), by: .faults(.on(.any, .splitCharacters)))
    let response = try await transport.send(HTTP.Request(.get, try #require(FaultHTTPTests.url)))
    var chunks: [Data] = []
    for try await chunk in response.body { chunks.append(chunk) }
    #expect(chunks.reduce(Data(), +) == Self.wire)
    // One split in "ü", two in "€".
    #expect(chunks.count == 4)
    #expect(chunks.filter { String(data: $0, encoding: .utf8) == nil }.count == 4)
  }

  @Test func anEventKeepsItsOtherFieldsWhenItsDataIsCorrupt() async throws {
    let transport = Intercepted(InProcessTransport(to: Backend()), by: .faults(.on(.any, .corruptEvent(1))))
    let (data, response) = try await transport.data(
      for: HTTP.Request(.get, try #require(FaultHTTPTests.url)))
    #expect(response.isSuccess)
    let text = String(decoding: data, as: UTF8.self)
    #expect(text.contains("event: tick\ndata: {\"unfinished\": [\nid: 1\n\ndata: \"2€\"\n\n"))
  }
}
