// Models whose names are those of types of the toolkit, which a generated file imports beside this module.

enum ReportError: Error {
  case offline
}

struct Condition: Hashable, Sendable {
  let name: String
}

struct Contract: Hashable, Sendable {
  let number: Int
}

struct Clause: Hashable, Sendable {
  let text: String
}

struct Implementation: Hashable, Sendable {
  let name: String
}

struct Gate: Hashable, Sendable {
  let number: Int
}

struct Locked: Hashable, Sendable {
  let door: String
}

struct Trial: Hashable, Sendable {
  let days: Int
}

struct Scenario: Hashable, Sendable {
  let title: String
}

struct Call: Hashable, Sendable {
  let number: String
}

enum Operation: Hashable, Sendable {
  case add, subtract
}

struct Base: Hashable, Sendable {
  let place: String
}

struct CallLog: Hashable, Sendable {
  let calls: [Call]
}

struct Signal: Hashable, Sendable {
  let strength: Double
}

struct Subject: Hashable, Sendable {
  let title: String
}

struct Exploration: Hashable, Sendable {
  let place: String
}

struct Invariant<Value: Sendable>: Sendable {
  let value: Value
}

struct Mutant: Hashable, Sendable {
  let power: Int
}

// generated
protocol ConditionService: Sendable {
  func conditions(at place: String) async throws(ReportError) -> [Condition]
  func report(
    _ condition: Condition, completion: @escaping @Sendable (Result<Condition, ReportError>) -> Void)
}

// generated
// logged: current
protocol ContractService: Sendable {
  var current: Contract? { get }
  func sign(_ contract: Contract) async throws(ReportError) -> Contract
}

// generated
protocol ClauseService: Sendable {
  func clauses(of contract: Contract) async throws(ReportError) -> [Clause]
}

// generated
protocol ImplementationService: Sendable {
  func implementations() async throws(ReportError) -> [String: Implementation]
}

// generated
// logged: isOpen
protocol GateService: Sendable {
  func isOpen(_ gate: Gate) -> Bool
  func gate(_ number: Int) async throws(ReportError) -> Gate
  func open(_ gate: Gate) -> Result<Gate, ReportError>
}

// generated
protocol LockedService: Sendable {
  func doors() async throws(ReportError) -> [Locked]
}

// generated
protocol TrialService: Sendable {
  func begin(_ trial: Trial) async throws(ReportError)
  func trials() -> AsyncStream<Trial>
}

// generated
protocol ScenarioService: Sendable {
  func scenarios() async -> Result<[Scenario], ReportError>
}

// generated
protocol CallService: Sendable {
  func dial(_ call: Call) async throws(ReportError) -> Call
  func history() async throws(ReportError) -> CallLog
}

// generated
protocol OperationService: Sendable {
  func enqueue(_ operation: Operation) async throws(ReportError) -> [Operation]
  func run(_ operation: Operation, _ completion: @escaping @Sendable (Result<Operation, ReportError>) -> Void)
}

// generated
protocol BaseService: Sendable {
  func bases() async throws(ReportError) -> [Base]
  func move(to base: Base) async throws(ReportError)
}

// generated
protocol SignalService: Sendable {
  func signals() async throws(ReportError) -> [Signal]
}

// generated
protocol SubjectService: Sendable {
  func subjects() async throws(ReportError) -> [Subject]
  func choose(_ subject: Subject) async throws(ReportError)
}

// generated
protocol OtherNamesService: Sendable {
  func explorations() async throws(ReportError) -> [Exploration]
  func invariant() async throws(ReportError) -> Invariant<Int>
  func mutate(_ mutant: Mutant) async throws(ReportError) -> Mutant
}
