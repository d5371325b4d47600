// A module whose error is called `Fault`, as the type of the toolkit from which it is made.

enum Fault: Error {
  case overheated
}

// generated
protocol MachineService: Sendable {
  func start() async throws(Fault)
  func speed() throws(Fault) -> Int
  func stop(_ completion: @escaping @Sendable (Result<Void, Fault>) -> Void)
}

// generated --failure Fault.init
protocol MotorService: Sendable {
  func start() async throws
  func temperature() async throws -> Double
}
