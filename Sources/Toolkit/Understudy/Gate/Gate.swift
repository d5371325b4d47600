/// A gate that holds calls until the test answers them, in any order.
///
/// ```swift
/// let gate = Gate<InMemoryTodos>(.add)
/// let service = Intercepted(InMemoryTodos(), by: .gate(gate))
/// async let saved: Void = viewModel.save()
/// let call = try await gate.next()
/// #expect(viewModel.isSaving)
/// call.proceed()
/// ```
///
/// In a test that links `UnderstudyTesting`, a gate that never held a call is an issue of the test that made it, unless
/// it is optional; the exceptions are those of ``FaultPlan``.
///
/// No call hangs: cancelling its task releases a held call, and the gate opens permanently when it is deallocated.
public final class Gate<Base: Sendable>: Sendable {
  let core: GateCore

  /// Creates a closed gate.
  ///
  /// - Parameters:
  ///   - operation: The calls to hold; all others pass.
  ///   - isOptional: Whether the gate need not hold a call (default: it must).
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public init(
    _ operation: Intercepted<Base>.Operation = .any, isOptional: Bool = false,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) {
    let place = CodePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    if let mistake = operation.core.mistake {
      TestIssue.currentReporter?.record("A gate can never hold a call: \(operation). \(mistake)", at: place)
    }
    core = GateCore(operation.core, isOptional: isOptional, place: place)
  }

  deinit {
    core.open()
  }

  /// A call that waits for its answer.
  public struct HeldCall: Sendable {
    fileprivate let core: GateCore
    fileprivate let ticket: GateCore.Ticket

    /// The operation and its arguments.
    public var call: Intercepted<Base>.Call { Intercepted.Call(core: ticket.call) }

    /// Lets the call continue to the next interceptor, or to the base.
    ///
    /// - Returns: Whether this answered the call; `false` if it was already answered or cancelled.
    @discardableResult public func proceed() -> Bool {
      core.answer(ticket, nil)
    }

    /// Injects a fault into the call.
    ///
    /// - Returns: Whether this answered the call; `false` if it was already answered or cancelled.
    @discardableResult public func fail(with fault: Fault) -> Bool {
      core.answer(ticket, fault)
    }
  }

  /// Waits for a held call.
  ///
  /// Each call is returned once, the oldest first.
  ///
  /// A call that is not answered stays held.
  ///
  /// - Parameter operation: The calls to wait for.
  /// - Throws: `CancellationError` when the task is cancelled; ``UnderstudyError`` with `.openGate` when the gate is
  ///   open or is opened while waiting, and with `.stalled` when no task of the process has run for 30 s.
  public func next(_ operation: Intercepted<Base>.Operation = .any) async throws -> HeldCall {
    guard let ticket = try await core.next(operation.core) else {
      throw UnderstudyError(
        .openGate, "The gate is open and holds no call of \(operation). Close it before the call is made.",
        at: core.place)
    }
    return HeldCall(core: core, ticket: ticket)
  }

  /// The calls that are held, oldest first.
  package var heldCalls: [Intercepted<Base>.Call] { core.held.map(Intercepted.Call.init(core:)) }

  /// Lets all held and all later calls pass.
  public func open() { core.open() }

  /// Holds calls again, after ``open()``.
  public func close() { core.close() }
}
