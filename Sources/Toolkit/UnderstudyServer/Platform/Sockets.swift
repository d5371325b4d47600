import Foundation

// The system calls are those of POSIX. This is where the systems differ.

extension Descriptor {
  #if canImport(Darwin)
    static let stream = SOCK_STREAM
    /// Apple's systems have no such flag; `fcntl` sets it after the socket is created.
    static let closedOnExec: CInt = 0
    /// Apple's systems have no flag against SIGPIPE, but an option of the socket.
    static let sendFlags: CInt = 0
  #elseif canImport(Musl)
    static let stream = SOCK_STREAM
    static let closedOnExec = SOCK_CLOEXEC
    static let sendFlags = CInt(MSG_NOSIGNAL)
  #else
    static let stream = CInt(SOCK_STREAM.rawValue)
    static let closedOnExec = CInt(SOCK_CLOEXEC.rawValue)
    static let sendFlags = CInt(MSG_NOSIGNAL)
  #endif

  /// Whether a socket can listen on the port of another socket that is bound and does not listen.
  ///
  /// On Apple's systems it cannot, because their SO_REUSEADDR allows less.
  static var boundSocketsAllowListeners: Bool {
    #if canImport(Darwin)
      false
    #else
      true
    #endif
  }

  /// Arranges that a write never raises SIGPIPE, unless each write does.
  ///
  /// - Returns: Whether the system accepted the option.
  func suppressSIGPIPE() -> Bool {
    #if canImport(Darwin)
      set(SO_NOSIGPIPE, at: SOL_SOCKET, CInt(1))
    #else
      true
    #endif
  }
}

extension sockaddr_in {
  /// Sets the family, and on Apple's systems the length.
  mutating func setFamily() {
    sin_family = sa_family_t(AF_INET)
    #if canImport(Darwin)
      sin_len = UInt8(MemoryLayout<sockaddr_in>.size)
    #endif
  }
}

extension sockaddr_un {
  /// Sets the family, and on Apple's systems the length.
  mutating func setFamily() {
    sun_family = sa_family_t(AF_UNIX)
    #if canImport(Darwin)
      sun_len = UInt8(MemoryLayout<sockaddr_un>.size)
    #endif
  }
}

extension EventLoop {
  /// Drains an autorelease pool, because this thread has no run loop that would do so.
  static func releasingObjects<Result>(_ body: () -> Result) -> Result {
    #if canImport(Darwin)
      autoreleasepool(invoking: body)
    #else
      body()
    #endif
  }
}
