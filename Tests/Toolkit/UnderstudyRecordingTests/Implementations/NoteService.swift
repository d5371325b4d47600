import Foundation
import Understudy
import UnderstudyHTTP
import UnderstudyRecording

/// A small service, live and in memory, with its contract.
protocol NoteService: Sendable {
  func add(_ note: String) async throws
  func notes() async throws -> [String]
}

/// Any failure of the service.
enum NoteError: Error, Equatable {
  case busy(Duration?)
  case failed(TransportError.Code?)
}

struct InMemoryNoteService: NoteService {
  private let stored = Locked<[String]>([])
  func add(_ note: String) { stored.withLock { $0.append(note) } }
  func notes() -> [String] { stored.withLock { $0 } }
}

struct LiveNoteService: NoteService {
  let transport: any HTTPTransport

  func add(_ note: String) async throws { _ = try await send(.post, Data(note.utf8)) }

  func notes() async throws -> [String] {
    let data = try await send(.get, nil)
    guard let notes = try? JSONDecoder().decode([String].self, from: data) else {
      throw NoteError.failed(.unreadableResponse)
    }
    return notes
  }

  private func send(_ method: HTTP.Method, _ body: Data?) async throws -> Data {
    guard let url = URL(string: "http://notes.invalid/notes") else { throw NoteError.failed(nil) }
    do {
      let request = HTTP.Request(method, url, body: body, timeout: .seconds(30))
      let (data, response) = try await transport.data(for: request)
      if response.status == 429 {
        throw NoteError.busy(response.fields["Retry-After"].flatMap { Int($0) }.map { .seconds($0) })
      }
      guard response.isSuccess else { throw NoteError.failed(nil) }
      return data
    } catch let error as TransportError {
      throw NoteError.failed(error.code)
    }
  }
}

struct NoteBackend: HTTPHandler {
  private let stored = Locked<[String]>([])

  func respond(to request: HTTP.Request) async throws -> HTTP.Response {
    let notes = stored.withLock { stored in
      if let body = request.body { stored.append(String(decoding: body, as: UTF8.self)) }
      return stored
    }
    return HTTP.Response(
      status: 200, body: try JSONEncoder().encode(notes), contentType: "application/json")
  }
}

extension Intercepted: NoteService where Base: NoteService {
  func add(_ note: String) async throws {
    try await intercept(Operation("add"), note, failure: Self.failure) { base, note in
      try await base.add(note)
    }
  }

  func notes() async throws -> [String] {
    try await intercept(Operation("notes"), failure: Self.failure) { base in try await base.notes() }
  }

  private static func failure(_ fault: Fault) -> any Error {
    switch fault.symptom {
    case .rateLimited(let delay): NoteError.busy(delay)
    case .unreadable: NoteError.failed(.unreadableResponse)
    default: NoteError.failed(fault.transportError?.code)
    }
  }
}

extension Contract where Subject == any NoteService {
  /// One clause for each condition of every implementation.
  static var noteService: Self {
    Contract("notes") {
      Clause("notes.add.listed", "A note that was added is listed.") { trial in
        try await trial.subject.add("Milk")
        trial.expect(try await trial.subject.notes(), equals: ["Milk"])
      }
      failing("rate", .tooManyRequests) { .busy($0) }
      failing("server", .serverFails) { .failed(nil) }
      failing("silence", .doesNotAnswer) { .failed(.timedOut) }
      failing("offline", .offline) { .failed(.offline) }
      failing("broken", .connectionBreaks) { .failed(.connectionLost) }
      failing("unreadable", .answerIsUnreadable) { .failed(.unreadableResponse) }
      Clause("notes.failure.lost", "A note whose answer is lost is stored.") { trial in
        try await trial.during(.answerIsLost) {
          await trial.expect(throws: NoteError.failed(.connectionLost)) {
            try await trial.subject.add("Milk")
          }
        }
        trial.expect(try await trial.subject.notes(), equals: ["Milk"])
      }
      Clause("notes.held", "A call that is held has stored nothing.") { trial in
        let held = try await trial.given(.callsAreHeld)
        let subject = trial.subject
        let adding = Task { try await subject.add("Milk") }
        await held.wait(forCalls: 1)
        await held.release()
        try await adding.value
        trial.expect(try await trial.subject.notes(), equals: ["Milk"])
      }
    }
  }

  private static func failing<Fixture: Sendable>(
    _ name: String, _ condition: Condition<Fixture>, with error: @escaping @Sendable (Fixture) -> NoteError
  ) -> Clause<any NoteService> {
    Clause("notes.failure.\(name)", "Where \(condition), reading says so, and works afterwards.") { trial in
      try await trial.during(condition) { fixture in
        await trial.expect(throws: error(fixture)) { try await trial.subject.notes() }
      }
      trial.expect(try await trial.subject.notes(), equals: [])
    }
  }
}

extension Implementation where Subject == any NoteService {
  static var inMemory: Self { .double("in-memory", InMemoryNoteService()) { $0 } }
  static var live: Self {
    .live(over: NoteBackend()) { transport, _ in LiveNoteService(transport: transport) }
  }
}
