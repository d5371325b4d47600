import Foundation

#if canImport(Darwin)
  import Darwin
#endif

/// The signals of a trap, such as an index out of range: before the process ends, it writes which runs are in progress.
enum TrapSignals {
  /// The signals.
  ///
  /// A Swift trap is SIGILL on x86-64 and SIGTRAP on ARM. The others are of a bad pointer or an endless recursion, of a
  /// division in C, and of `abort`, which an uncaught exception calls.
  private static let numbers = [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT]

  /// The actions that were there before, by the numbers of their signals, in memory that is kept until the process ends.
  private static let previous: UInt = {
    let count = Int(numbers.max() ?? 0) + 1
    let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: count)
    actions.initialize(repeating: sigaction(), count: count)
    return UInt(bitPattern: actions)
  }()

  /// Installs the handler; only the first call has an effect.
  static func handle() { _ = isHandled }

  private static let isHandled: Bool = {
    guard let actions = UnsafeMutablePointer<sigaction>(bitPattern: previous) else { return false }
    // What is made lazily is made now, and the types are looked up: a handler must not wait for a lock.
    let place = RunsInProgress.shared.begin("\n")
    RunsInProgress.shared.report(to: -1)
    RunsInProgress.shared.end(place)
    for number in numbers {
      guard sigaction(number, nil, actions + Int(number)) == 0 else { continue }
      var action = actions[Int(number)]
      action.function = { number, info, context in TrapSignals.take(number, info, context) }
      // On its own stack, if the thread has one, because that of the thread may be full.
      action.sa_flags |= .init(SA_SIGINFO) | .init(SA_ONSTACK)
      sigaction(number, &action, nil)
    }
    return true
  }()

  /// Writes the runs in progress, then does what happened before.
  private static func take(
    _ number: CInt, _ info: UnsafeMutablePointer<siginfo_t>?, _ context: UnsafeMutableRawPointer?
  ) {
    let error = errno
    RunsInProgress.shared.report(to: STDERR_FILENO)
    errno = error
    guard let action = UnsafeMutablePointer<sigaction>(bitPattern: previous).map({ $0 + Int(number) }) else {
      return
    }
    // Not as an optional function: SIG_IGN is the address 1.
    switch action.pointee.address {
    case 0, 1:
      // The signal arrives again when this handler returns.
      sigaction(number, action, nil)
      raise(number)
    default: action.pointee.function?(number, info, context)
    }
  }
}

extension sigaction {
  typealias Function =
    @convention(c) (CInt, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void

  // Systems differ in the name of the union that has the handler.

  #if canImport(Darwin)
    fileprivate var function: Function? {
      get { __sigaction_u.__sa_sigaction }
      set { __sigaction_u.__sa_sigaction = newValue }
    }
  #elseif canImport(Musl)
    fileprivate var function: Function? {
      get { __sa_handler.sa_sigaction }
      set { __sa_handler.sa_sigaction = newValue }
    }
  #elseif canImport(Android)
    fileprivate var function: Function? {
      get { sa_sigaction }
      set { sa_sigaction = newValue }
    }
  #else
    fileprivate var function: Function? {
      get { __sigaction_handler.sa_sigaction }
      set { __sigaction_handler.sa_sigaction = newValue }
    }
  #endif

  /// The address of the handler; 0 for the default action, and 1 if the signal is ignored.
  fileprivate var address: UInt { UInt(bitPattern: unsafeBitCast(function, to: Int.self)) }
}
