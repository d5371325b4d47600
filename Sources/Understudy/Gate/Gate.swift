/// Holds calls until the test answers them, in any order.
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
/// Nobody hangs: cancelling its task releases a held call, and when the gate goes it opens for good.
public final class Gate<Base: Sendable>: Sendable {
  let core: GateCore

  /// A closed gate.
  ///
  /// - Parameter operation: Which calls it holds; all others pass.
  public init(_ operation: Intercepted<Base>.Operation = .any) {
    core = GateCore(operation.site)
  }

  deinit {
    core.open()
  }

  /// A call that waits for its answer.
  public struct HeldCall: Sendable {
    fileprivate let core: GateCore
    fileprivate let ticket: GateCore.Ticket

    /// What was called, and with what.
    public var call: Intercepted<Base>.Call { Intercepted.Call(core: ticket.call) }

    /// Lets the call go on to the next interceptor, or to the base.
    ///
    /// - Returns: Whether this answered the call; `false` if it had its answer, or was cancelled.
    @discardableResult public func proceed() -> Bool {
      core.answer(ticket, nil)
    }

    /// Makes the call meet a fault.
    ///
    /// - Returns: Whether this answered the call; `false` if it had its answer, or was cancelled.
    @discardableResult public func fail(with fault: Fault) -> Bool {
      core.answer(ticket, fault)
    }
  }

  /// The gate is open, so no call will ever be held.
  public struct IsOpen: Error, Sendable, CustomStringConvertible {
    /// What was waited for, and what to do.
    public let description: String
  }

  /// Waits for a call, and hands each one out once, oldest first.
  ///
  /// A call that is not answered stays held.
  ///
  /// - Parameter operation: Which calls to look at.
  /// - Throws: `CancellationError` when the task is cancelled; ``IsOpen`` when the gate is, or is opened meanwhile.
  public func next(_ operation: Intercepted<Base>.Operation = .any) async throws -> HeldCall {
    guard let ticket = try await core.next(operation.site) else {
      throw IsOpen(
        description: "The gate is open and holds no call of \(operation). Close it before the call is made.")
    }
    return HeldCall(core: core, ticket: ticket)
  }

  /// The calls that are held, oldest first.
  public var heldCalls: [Intercepted<Base>.Call] { core.held.map(Intercepted.Call.init(core:)) }

  /// Lets every held call go on, and from now on every other.
  public func open() { core.open() }

  /// Holds calls again, after ``open()``.
  public func close() { core.close() }
}
