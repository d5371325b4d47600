// Services as those of apps for calendars, health and homes.

import Foundation

enum HealthError: Error {
  case denied
  case noSamples(since: Date)
}

struct Sample: Hashable, Sendable {
  let date: Date
  let value: Double
}

struct Workout: Identifiable, Sendable {
  let id: UUID
  var samples: [Sample]
}

// generated
// logged: isAvailable
protocol FitnessTracker: Sendable {
  static var isAvailable: Bool { get }
  var isAvailable: Bool { get }
  func start(_ kind: String) async throws(HealthError) -> Workout.ID
  func pause(_ id: Workout.ID) throws(HealthError)
  func finish(_ id: Workout.ID) async throws(HealthError) -> Workout
  func heartRates() -> AsyncStream<Double>
}

// generated --failure HealthError.init
// logged: stop
protocol HealthStore {
  func requestAuthorization(
    toShare: Set<String>, read: Set<String>, completion: @escaping (Bool, Error?) -> Void)
  func execute(_ query: String, resultsHandler: @escaping ([Sample]?, Date?, Error?) -> Void)
  func save(_ samples: [Sample], withCompletion completion: @escaping (Bool, Error?) -> Void)
  func stop(_ query: String)
}

struct Meal: Hashable, Codable, Sendable {
  var name: String
  var calories: Int?
}

// generated --failure HealthError.init
// logged: suggestions
protocol MealPlanner: Sendable {
  func plan(for days: Range<Int>) async throws -> [Int: [Meal]]
  func replace(_ meal: Meal, with other: Meal, on day: Int) async throws
  func suggestions(for text: String) -> [Meal]
  func scan(barcode: String) async throws(HealthError) -> Meal?
}

// generated
// logged: isRecording
protocol SleepRecorder: Actor {
  var isRecording: Bool { get }
  func record() async throws(HealthError)
  func stages(of night: Date) async throws(HealthError) -> [String: Duration]
  nonisolated func levels() -> AsyncStream<Float>
}

// generated --failure HealthError.init
// logged: streak
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor protocol HabitService: AnyObject, Sendable {
  func habits() async throws -> [String]
  func check(_ habit: String, on day: Date) throws
  func streak(of habit: String) -> Int
}

struct Appointment: Identifiable, Hashable, Sendable {
  let id: String
  var title: String
  var interval: DateInterval
}

// generated
// logged: calendars
protocol CalendarService: Sendable {
  typealias Identifier = Appointment.ID
  var calendars: [String] { get }
  func appointments(in interval: DateInterval) async throws(HealthError) -> [Appointment]
  func appointment(_ id: Identifier) throws(HealthError) -> Appointment?
  func save(_ appointment: Appointment, span: Int) throws(HealthError)
  func changes() -> AsyncStream<[Identifier]>
}

/// A reminder of older code, which is not `Sendable`.
class Reminder {
  var title = ""
}

// generated --failure HealthError.init
// logged: makeReminder
// delayed: reminders
protocol ReminderStore: AnyObject {
  func makeReminder() -> Reminder
  func reminders(matching text: String?, completion: @escaping ([Reminder]?) -> Void)
  func save(_ reminder: Reminder, commit: Bool) throws
  func remove(_ reminder: Reminder, completion: @escaping (Result<Void, Error>) -> Void)
}

// generated
// delayed: isReachable
protocol HomeHub: Sendable {
  func devices() async throws(HealthError) -> [String: Bool]
  func turn(_ device: String, on isOn: Bool) async throws(HealthError)
  func turn(_ devices: [String], on isOn: Bool) async throws(HealthError)
  func isReachable(_ device: String) async -> Bool
  func events(of device: String?) -> AsyncStream<(device: String, isOn: Bool)>
}

// generated --failure HealthError.init
// logged: score
protocol QuizService: Sendable {
  func questions(_ count: Int, of topic: String) async throws -> [String]
  func submit(_ answers: [Int: String]) async throws -> (right: Int, wrong: Int)
  func score() -> Int?
  func leaderboard(completion: @escaping @Sendable (Result<[String: Int], any Error>) -> Void)
}

// generated
// logged: print
protocol LabelPrinter {
  func print(_ text: String, copies: Int)
  func status(completion: @escaping (Result<Int, HealthError>) -> Void)
  func connect(to address: String, timeout: TimeInterval) async throws(HealthError)
}
