import Foundation
import Understudy

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The source of the body of a session's request.
enum RequestBody: Sendable {
  case none
  case data(Data)
  case file(URL)
  /// A stream in the request; on Apple platforms this applies to every body.
  case stream
  /// It is not in the request; the text says where it is.
  case elsewhere(String)

  private static let ofDelegate = "it is a stream of the session's delegate"

  init(of request: URLRequest, _ task: URLSessionTask?) {
    if let data = request.httpBody {
      self = .data(data)
    } else if request.httpBodyStream != nil {
      self = .stream
    } else {
      self = .none
      if let task = task as? URLSessionUploadTask {
        #if canImport(FoundationNetworking)
          self = task.reflectedBody ?? .elsewhere(Self.ofDelegate)
        #else
          // Zero for a body without bytes, and negative for a stream of unknown length.
          let count = task.countOfBytesExpectedToSend
          if count != 0 {
            self = .elsewhere(count < 0 ? Self.ofDelegate : "URLSession does not show it to a URLProtocol")
          }
        #endif
      }
    }
  }

  /// Reads all bytes.
  ///
  /// Blocking reads run on a separate thread, for which a cancelled task does not wait.
  func bytes(of request: URLRequest) async throws -> Data? {
    switch self {
    case .none: nil
    case .data(let data): data
    case .file(let file): try await BlockingRead { _ in try Data(contentsOf: file) }.bytes()
    case .stream:
      try await BlockingRead { isWanted in try Self.read(request.httpBodyStream, while: isWanted) }.bytes()
    case .elsewhere(let place):
      throw URLError(
        .unsupportedURL, for: request.url,
        "The body of this upload cannot be read: \(place). Send it by data(for:), as the request's httpBody."
      )
    }
  }

  private static func read(_ stream: InputStream?, while isWanted: () -> Bool) throws -> Data? {
    guard let stream else { return nil }
    stream.open()
    defer { stream.close() }
    var bytes = Data()
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while isWanted() {
      let count = stream.read(&piece, maxLength: piece.count)
      if count == 0 { return bytes }
      guard count > 0 else {
        throw TransportError(
          .invalidRequest, "The stream of the request's body failed after \(bytes.count) bytes.",
          cause: stream.streamError)
      }
      bytes.append(contentsOf: piece[..<count])
    }
    throw CancellationError()
  }
}

/// A read that may block, on a separate thread for which a cancelled task does not wait.
private final class BlockingRead: Sendable {
  private struct State: Sendable {
    var waiter: CheckedContinuation<Data?, any Error>?
    var isCancelled = false
  }

  private let read: @Sendable (_ isWanted: () -> Bool) throws -> Data?
  private let state = Locked(State())

  init(_ read: @escaping @Sendable (_ isWanted: () -> Bool) throws -> Data?) {
    self.read = read
  }

  func bytes() async throws -> Data? {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { waiter in
        let isCancelled = state.withLock { state in
          if !state.isCancelled { state.waiter = waiter }
          return state.isCancelled
        }
        if isCancelled { return waiter.resume(throwing: CancellationError()) }
        Thread.detachNewThread {
          let result = Result { try self.read { self.state.withLock { !$0.isCancelled } } }
          self.state.withLock { $0.waiter.take() }?.resume(with: result)
        }
      }
    } onCancel: {
      state.withLock { state in
        state.isCancelled = true
        return state.waiter.take()
      }?.resume(throwing: CancellationError())
    }
  }
}
