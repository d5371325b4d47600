import Foundation

#if canImport(Darwin)
  import Darwin
#endif

/// The runs of scenarios that are in progress, as text that can be read when the process can run no more Swift code.
///
/// A trap ends the process, and with it a sweep that has not yet reported anything. So each run is described before it
/// begins, in memory that is there already: a handler of the trap's signal has only to write it, and a parent process
/// reads it from a file after the end of this one.
package final class RunsInProgress: Sendable {
  /// The runs of the process.
  package static let shared = RunsInProgress()

  /// A row of the memory: the number of its bytes, 0 in a free place, and the bytes.
  ///
  /// The first two are headers, for one run and for several. The others are the places of runs.
  private enum Row {
    static let size = 2048
    static let headers = 2
    static let count = headers + 64
    /// The size of the number of bytes.
    static let prefix = MemoryLayout<Int32>.size
  }

  private static let size = Row.size * Row.count

  /// The address of the memory, which is kept until the process ends.
  private let address: UInt
  /// The rows of free places.
  private let free: Locked<[Int]>

  init() {
    let memory = mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | Self.anonymous, -1, 0)
    guard let memory, memory != MAP_FAILED else {
      preconditionFailure("The system has no memory left for the runs of scenarios.")
    }
    address = UInt(bitPattern: memory)
    free = Locked((Row.headers..<Row.count).reversed())
    store("understudy: the process ends in a run of a scenario:\n", in: 0)
    store("understudy: the process ends in one of these runs of scenarios:\n", in: 1)
  }

  #if canImport(Darwin)
    private static let anonymous = MAP_ANON
  #else
    private static let anonymous = Int32(MAP_ANONYMOUS)
  #endif

  private func row(_ number: Int) -> UnsafeMutableRawPointer? {
    UnsafeMutableRawPointer(bitPattern: address + UInt(number * Row.size))
  }

  /// Stores text, as much of it as a row has place for.
  private func store(_ text: String, in number: Int) {
    var text = text
    text.withUTF8 { bytes in
      guard let row = row(number), let start = bytes.baseAddress else { return }
      let count = min(bytes.count, Row.size - Row.prefix)
      (row + Row.prefix).copyMemory(from: start, byteCount: count)
      // Last, so that no handler reads bytes that are not there yet.
      row.storeBytes(of: Int32(count), as: Int32.self)
    }
  }

  /// Notes that a run begins.
  ///
  /// - Parameter text: What it is, in whole lines.
  /// - Returns: Its place, for ``end(_:)``; `nil` if more than 64 runs are in progress.
  func begin(_ text: String) -> Int? {
    // The lock also orders the bytes before what the run does on any thread.
    free.withLock { free in
      guard let number = free.popLast() else { return nil }
      store(text, in: number)
      return number
    }
  }

  /// Notes that a run has ended.
  func end(_ place: Int?) {
    guard let place else { return }
    free.withLock { free in
      row(place)?.storeBytes(of: 0, as: Int32.self)
      free.append(place)
    }
  }

  // MARK: - After the end of the process

  /// Keeps the runs in a file, which another process can read after the end of this one.
  ///
  /// - Parameter path: The file, which is created.
  /// - Throws: An error of the file system.
  package func keep(in path: String) throws {
    let memory = UnsafeMutableRawPointer(bitPattern: address)
    let descriptor = open(path, O_RDWR | O_CREAT, 0o600)
    defer { if descriptor >= 0 { close(descriptor) } }
    guard let memory, descriptor >= 0,
      pwrite(descriptor, memory, Self.size, 0) == Self.size,
      // In place of what is there.
      mmap(memory, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, descriptor, 0) == memory
    else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path]) }
  }

  /// Returns the texts of the runs that were in progress when the process ended that kept them in a file.
  package static func texts(in path: String) -> [String] {
    // A process that ended before it created the file had no run.
    guard let file = FileManager.default.contents(atPath: path), file.count == size else { return [] }
    return (Row.headers..<Row.count).compactMap { number in
      let row = file.dropFirst(number * Row.size).prefix(Row.size)
      let count = row.withUnsafeBytes { Int($0.loadUnaligned(as: Int32.self)) }
      guard 1...(Row.size - Row.prefix) ~= count else { return nil }
      return String(decoding: row.dropFirst(Row.prefix).prefix(count), as: UTF8.self)
    }
  }

  // MARK: - In the handler of a signal

  /// Writes the texts of the runs in progress to a file, below a header; nothing if none is in progress.
  ///
  /// A handler of a signal may call it: after a first call it only reads memory and calls `write`. In particular it uses
  /// no loop over a range and no array, for which the runtime may look up a type under a lock.
  func report(to descriptor: CInt) {
    var (number, used) = (Row.headers, 0)
    while number < Row.count {
      if count(of: number) > 0 { used += 1 }
      number += 1
    }
    if used == 0 { return }
    report(used == 1 ? 0 : 1, to: descriptor)
    number = Row.headers
    while number < Row.count {
      report(number, to: descriptor)
      number += 1
    }
  }

  private func count(of number: Int) -> Int {
    guard let row = row(number) else { return 0 }
    return Int(row.load(as: Int32.self))
  }

  private func report(_ number: Int, to descriptor: CInt) {
    let count = count(of: number)
    guard count > 0, let row = row(number) else { return }
    // Where nothing can be written, nothing can be done about it.
    _ = write(descriptor, row + Row.prefix, count)
  }
}
