import Foundation
import Understudy
import UnderstudyHTTP

/// The file of a journal, locked by one recorder at a time.
final class JournalFile: Sendable {
  /// The file of the recording.
  let recording: URL
  private let path: String
  private let descriptor: CInt
  /// The length of all complete lines, in bytes.
  private let length: Locked<off_t>

  static func url(of recording: URL) -> URL {
    recording.appendingPathExtension("journal")
  }

  /// Opens the journal of a recording, and creates it if it does not exist.
  init(of recording: URL) throws(RecordingError) {
    self.recording = recording
    path = Self.url(of: recording).path(percentEncoded: false)
    do {
      try FileManager.default.createDirectory(
        at: recording.deletingLastPathComponent(), withIntermediateDirectories: true)
    } catch {
      throw RecordingError(
        .inaccessible, "Its folder cannot be created: \(error.localizedDescription)", at: recording,
        cause: error)
    }
    descriptor = try Self.openLocked(path, recording)
    length = Locked(lseek(descriptor, 0, SEEK_END))
  }

  deinit {
    close(descriptor)
  }

  private static func openLocked(_ path: String, _ recording: URL) throws(RecordingError) -> CInt {
    while true {
      let descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw .system("its journal cannot be opened", recording) }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        let isHeld = errno == EWOULDBLOCK
        let error = RecordingError.system("its journal cannot be locked", recording)
        close(descriptor)
        guard isHeld else { throw error }
        throw RecordingError(
          .inUse,
          "Another recorder is writing this recording, in this or another process. Wait until it finishes, or record to another file",
          at: recording)
      }
      // The previous owner may have finished and removed the file meanwhile.
      var (held, there) = (stat(), stat())
      if fstat(descriptor, &held) == 0, stat(path, &there) == 0, held.st_ino == there.st_ino,
        held.st_dev == there.st_dev
      {
        return descriptor
      }
      close(descriptor)
    }
  }

  /// The number of bytes of all complete lines.
  var count: Int { Int(length.withLock { $0 }) }

  /// Appends a line.
  ///
  /// A line that cannot be written completely is removed.
  ///
  /// - Returns: The position of the line.
  @discardableResult func append(_ line: [UInt8]) throws(RecordingError) -> Int {
    try length.withLock { (length) throws(RecordingError) in
      let start = Int(length)
      do throws(RecordingError) {
        try line.writeAll(to: descriptor, recording)
      } catch {
        ftruncate(descriptor, length)
        throw error
      }
      length += off_t(line.count)
      return start
    }
  }

  /// Returns the bytes at a position.
  func bytes(at offset: Int, count: Int) throws(RecordingError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let read = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, count, off_t(offset)) }
    guard read == count else { throw .system("its journal cannot be read", recording) }
    return bytes
  }

  /// Replaces bytes at a position by as many others.
  func overwrite(at offset: Int, with bytes: [UInt8]) throws(RecordingError) {
    // On Linux, a descriptor that appends cannot write anywhere else (pwrite(2)).
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system("its journal cannot be opened", recording) }
    defer { close(descriptor) }
    guard lseek(descriptor, off_t(offset), SEEK_SET) == off_t(offset) else {
      throw .system("it cannot be written", recording)
    }
    try bytes.writeAll(to: descriptor, recording)
  }

  /// Returns all bytes of the file.
  func contents() throws(RecordingError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system("its journal cannot be opened", recording) }
    defer { close(descriptor) }
    let size = max(0, Int(lseek(descriptor, 0, SEEK_END)))
    // Swift sets the count of the array after this closure, and all empty arrays share one, which threads would write.
    guard size > 0 else { return [] }
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { bytes, count in
      while count < size {
        let read = pread(descriptor, bytes.baseAddress.map { $0 + count }, size - count, off_t(count))
        guard read > 0 else { break }
        count += read
      }
    }
    guard bytes.count == size else { throw .system("its journal cannot be read", recording) }
    return bytes
  }

  /// Truncates the file.
  func removeAll() throws(RecordingError) {
    try length.withLock { (length) throws(RecordingError) in
      guard ftruncate(descriptor, 0) == 0 else { throw .system("its journal cannot be emptied", recording) }
      length = 0
    }
  }

  /// Removes the file.
  ///
  /// The lock is held until this object is released, so no other recorder mistakes the removed file for an active
  /// journal.
  func remove() throws(RecordingError) {
    guard unlink(path) == 0 || errno == ENOENT else {
      throw .system("its journal cannot be removed", recording)
    }
  }
}

extension [UInt8] {
  /// Writes all bytes, usually with one call.
  func writeAll(to descriptor: CInt, _ recording: URL) throws(RecordingError) {
    var written = 0
    while written < count {
      let result = withUnsafeBytes { bytes in
        bytes.baseAddress.map { write(descriptor, $0 + written, count - written) } ?? 0
      }
      if result < 0 {
        if errno == EINTR { continue }
        throw .system("it cannot be written", recording)
      }
      written += result
    }
  }
}

/// The file of a finished recording.
enum RecordingFile {
  /// Replaces a file atomically, after the document is written to disk.
  static func write(_ recording: FinishedRecording, to file: URL) throws(RecordingError) {
    // The writer holds the journal's lock, so no other process uses this name.
    let path = file.appendingPathExtension("finishing").path(percentEncoded: false)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw .system("it cannot be written", file) }
    do throws(RecordingError) {
      defer { close(descriptor) }
      try recording.write { (piece) throws(RecordingError) in try piece.writeAll(to: descriptor, file) }
      guard fsync(descriptor) == 0 else { throw .system("it cannot be written", file) }
    } catch {
      unlink(path)
      throw error
    }
    guard rename(path, file.path(percentEncoded: false)) == 0 else {
      let error = RecordingError.system("it cannot be written", file)
      unlink(path)
      throw error
    }
  }
}

/// The first line of a journal, which identifies its recording.
struct JournalHeader: Sendable, Hashable {
  private static let version = 1

  /// The id of the journal, which the finished recording stores.
  let id: String
  let started: Date
  let seed: UInt64?
  /// Whether the journal replaces the recording when it finishes, and is ignored until then.
  let isReplacing: Bool

  init(started: Date, seed: UInt64?, isReplacing: Bool = false) {
    self.isReplacing = isReplacing
    id = String(UInt64.random(in: .min ... .max), radix: 16)
    self.started = started
    self.seed = seed
  }

  /// Parses a line; `nil` if it is not a header of this version.
  init?(_ line: JSONValue) {
    guard line["understudyJournal"]?.integerValue == Self.version, let id = line["id"]?.stringValue,
      let started = line["startedDateTime"]?.stringValue.flatMap(Date.init(archived:))
    else { return nil }
    self.id = id
    self.started = started
    seed = line["seed"]?.stringValue.flatMap { UInt64($0) }
    isReplacing = line["replaces"] == .boolean(true)
  }

  var line: [UInt8] {
    var members: [JSONValue.Member] = [
      .init("understudyJournal", JSONValue(Self.version)), .init("id", .string(id)),
      .init("startedDateTime", .string(started.archived)),
    ]
    if let seed { members.append(.init("seed", .string("\(seed)"))) }
    if isReplacing { members.append(.init("replaces", .boolean(true))) }
    var line: [UInt8] = []
    JSONValue.object(members).write(into: &line)
    line.append(0x0A)
    return line
  }
}
