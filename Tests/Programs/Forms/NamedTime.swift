// A module that declares a type `Time`, which its protocol does not use.

enum TimetableError: Error {
  case offline
}

struct Time: Hashable, Sendable {
  let hour: Int
}

// generated
// logged: stop
protocol TimetableService: Sendable {
  var stop: String { get }
  func departures() async throws(TimetableError) -> [String]
}

// generated
protocol ClockService: Sendable {
  func time(in city: String) async throws(TimetableError) -> Time
}
