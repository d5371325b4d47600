import Dispatch
import Foundation
import Understudy
import UnderstudyHTTP

/// A recorder that writes exchanges to a journal as they end.
///
/// Open exchanges are noted under one lock. What has ended is encoded, redacted and written under another one: a small
/// exchange by the task that ends it, so that the journal has it before its client sees the end; a large one on a queue,
/// so that the other clients do not wait. Exchanges are written in the order in which they end.
///
/// Of an exchange that has ended, it retains only the placeholders of its secrets, and hashes of its texts.
final class Recorder: Sendable {
  /// The maximum number of bytes of an exchange that is not written on the queue.
  private static let smallSize = 128 << 10
  /// A capacity that is sufficient for most lines.
  private static let lineCapacity = 8 << 10

  /// The destination of the lines.
  private enum Store: Sendable {
    case memory([UInt8])
    case file(JournalFile)
  }

  /// What is written, and what is known about it.
  private struct Writer: Sendable {
    var texts: ArchiveTexts<Redactor>
    /// The number of rows of the placeholder table that are in the journal.
    var rowCount = 0
    var store: Store
    /// Lines that could not be written yet, with their requests.
    var undelivered: [(line: [UInt8], request: String)] = []
    /// The number of exchanges so far.
    var lineCount = 0
    /// The texts in the journal, if it is a file.
    var index = JournalIndex()
    /// Whether an earlier line could not be written or changed, so that it may contain a secret that was detected late.
    var mayHaveLateSecrets = false
    /// The number of secrets that no line contains, if the journal is a file.
    var removedCount = 0
    /// Whether a warning about bodies that are not searched was given.
    var hasWarnedOfCoding = false
  }

  /// The exchanges that are not written yet.
  ///
  /// If both locks are held, that of ``Writer`` was taken first.
  private let book = Locked(RecorderBook())
  private let writer: Locked<Writer>
  private let queue = DispatchQueue(label: "Recorder", qos: .utility)
  private let beforeWriting: RecordingOptions.ExchangeEdit?
  private let bodyLimit: Int
  /// Receives warnings, and with the code `notWritten` each exchange that could not be written when it ended.
  private let report: @Sendable (RecordingError) -> Void

  /// Creates a recorder in memory.
  init(redaction: Redaction, header: JournalHeader, bodyLimit: Int) {
    beforeWriting = nil
    report = { _ in }
    self.bodyLimit = bodyLimit
    writer = Locked(Writer(texts: ArchiveTexts(Redactor(redaction)), store: .memory(header.line)))
  }

  /// Creates a recorder with a journal beside the recording.
  init(
    redaction: Redaction, header: JournalHeader, recording: URL, bodyLimit: Int,
    beforeWriting: RecordingOptions.ExchangeEdit? = nil,
    report: @escaping @Sendable (RecordingError) -> Void = { _ in }
  ) throws {
    self.beforeWriting = beforeWriting
    self.report = report
    self.bodyLimit = bodyLimit
    let file = try JournalFile(of: recording)
    // The journal of an interrupted recorder is finished first.
    try RecordingJournal.finish(file)
    try file.removeAll()
    try file.append(header.line)
    writer = Locked(Writer(texts: ArchiveTexts(Redactor(redaction)), store: .file(file)))
  }

  // MARK: Exchanges

  /// Begins an exchange when its request is sent.
  ///
  /// - Returns: The number of the exchange.
  func begin(_ exchange: RecordedExchange) -> Int {
    book.withLock { $0.begin(exchange) }
  }

  /// Updates an exchange.
  func change(_ number: Int, _ change: @Sendable (inout RecordedExchange) -> Void) {
    book.withLock { $0.change(number, change) }
  }

  /// Adds a chunk of the body; ends the exchange when the body has reached its announced length or the limit.
  ///
  /// - Returns: The turn of the exchange if it has ended.
  func take(_ chunk: Data, of number: Int, at time: Duration) -> RecorderBook.Turn? {
    let isOver = book.withLock { [bodyLimit] book in
      book.change(number) { exchange in
        guard exchange.append(chunk, at: time, limit: bodyLimit) else { return true }
        guard exchange.hasWholeBody else { return false }
        exchange.ending = .complete
        return true
      } ?? false
    }
    return isOver ? end(number) : nil
  }

  /// Adds a message of a WebSocket; ends the exchange when the messages have reached the limit.
  func take(_ message: HTTPArchive.WebSocketMessage, _ place: Int, of number: Int, at date: Date) {
    let isOver = book.withLock { [bodyLimit] book in
      book.change(number) { exchange in
        exchange.socket?.latest = date
        guard let size = exchange.socket?.size, size + message.data.utf8.count > bodyLimit else {
          exchange.socket?.append(message, place)
          return false
        }
        exchange.socket?.end = .init(.cutOff(limit: bodyLimit), at: date)
        return true
      } ?? false
    }
    if isOver { end(number) }
  }

  /// Ends an exchange and writes it to the journal; a large exchange is written later.
  ///
  /// - Returns: The turn of the exchange, unless it had ended before.
  @discardableResult
  func end(
    _ number: Int, _ change: @Sendable (inout RecordedExchange) -> Void = { _ in }
  ) -> RecorderBook.Turn? {
    let (turn, starts) = book.withLock { book in
      (book.end(number, upTo: Self.smallSize, change), book.startsQueue())
    }
    if starts { startQueue() }
    guard let turn, !turn.isQueued else { return turn }
    while writeNext(upTo: turn.place) {}
    if book.withLock({ $0.endTurn() }) { startQueue() }
    return turn
  }

  /// Adds all chunks of a body in memory, and ends the exchange.
  func end(_ number: Int, head: RecordedExchange.Head, after wait: Duration, _ chunks: [Data]) -> RecorderBook
    .Turn?
  {
    end(number) { [bodyLimit] exchange in
      exchange.wait = wait
      exchange.head = head
      exchange.ending = .complete
      _ = chunks.allSatisfy { exchange.append($0, at: .zero, limit: bodyLimit) }
    }
  }

  /// Returns when a large exchange is written, and at once for a small one.
  func finishWriting(_ turn: RecorderBook.Turn?) async {
    guard let turn, turn.isLarge else { return }
    await withCheckedContinuation { waiter in
      if book.withLock({ $0.wait(for: turn, waiter) }) { waiter.resume() }
    }
  }

  // MARK: Writing

  private func startQueue() {
    queue.async { [self] in
      while true {
        guard let written = writer.withLock({ writeNext(isInQueue: true, &$0) }) else {
          // Another task has written the rest.
          if book.withLock({ $0.endQueue() }) { return }
          continue
        }
        conclude([written])
        if written.endsQueue { return }
      }
    }
  }

  /// Writes the exchange that has ended first of those that are not written.
  ///
  /// - Parameter place: The place of the last exchange to write.
  /// - Returns: Whether there was one.
  private func writeNext(upTo place: Int) -> Bool {
    guard let written = writer.withLock({ writeNext(upTo: place, &$0) }) else { return false }
    conclude([written])
    return true
  }

  private struct Written: Sendable {
    let reports: [RecordingError]
    var waiter: RecorderBook.Waiter?
    var endsQueue = false
  }

  private func writeNext(
    upTo place: Int = .max, isInQueue: Bool = false, _ writer: inout Writer
  ) -> Written? {
    guard var next = book.withLock({ $0.takeNext(upTo: place) }) else { return nil }
    let reports = write(&next.exchange, next.number, &writer)
    let (waiter, endsQueue) = book.withLock { $0.endWriting(isInQueue: isInQueue) }
    return Written(reports: reports, waiter: waiter, endsQueue: endsQueue)
  }

  /// Writes all exchanges that have ended.
  private func writeEnded(_ writer: inout Writer) -> [Written] {
    var all: [Written] = []
    while let written = writeNext(&writer) { all.append(written) }
    return all
  }

  private func conclude(_ written: [Written]) {
    for written in written {
      written.reports.forEach(report)
      written.waiter?.resume()
    }
  }

  /// Writes an exchange, and releases its body.
  ///
  /// - Returns: What is to be reported.
  private func write(
    _ exchange: inout RecordedExchange, _ number: Int, _ writer: inout Writer
  ) -> [RecordingError] {
    if let beforeWriting {
      guard let edited = exchange.edited(by: beforeWriting) else { return [] }
      exchange = edited
    }
    let (cutOffLimit, coding) = (exchange.cutOffLimit, exchange.undecodedCoding)
    let entry = exchange.takeEntry()
    let hasBase64 = entry.hasBase64
    let redacted = writer.texts.redacted(entry.json) { $0.entry($1) }
    let table = writer.texts.editor.table
    let line = JournalLine(
      order: number, secretCount: writer.texts.editor.count, hasBase64: hasBase64,
      placeholders: Array(table[writer.rowCount...]), renamed: writer.texts.editor.takeRenamed())
    writer.rowCount = table.count
    writer.lineCount += 1
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.lineCapacity)
    line.write(with: redacted, into: &bytes)
    // Without its secrets, for a message.
    var request: String {
      let request = HTTPArchive.Entry(redacted).request
      return "\(request.method) \(request.url)"
    }
    var reports: [RecordingError] = []
    if let cutOffLimit { reports.append(.cutOff(request, at: cutOffLimit)) }
    if let coding, !writer.hasWarnedOfCoding {
      writer.hasWarnedOfCoding = true
      reports.append(.notSearched(request, coding))
    }
    switch writer.store {
    case .memory(var lines):
      // Moved out, so that appending does not copy the lines.
      writer.store = .memory([])
      lines += bytes
      writer.store = .memory(lines)
    case .file(let file):
      // Before the line that reveals a secret, so that the journal contains none at any time.
      if !Self.removeLateSecrets(from: file, &writer.texts, &writer.index) {
        writer.mayHaveLateSecrets = true
      }
      if !writer.mayHaveLateSecrets { writer.removedCount = writer.texts.editor.count }
      let start = file.count + writer.undelivered.reduce(0) { $0 + $1.line.count }
      writer.index.add(
        redacted, written: bytes,
        at: JournalIndex.Line(offset: start, length: bytes.count, hasBase64: hasBase64))
      do {
        try Self.deliver(to: file, &writer)
        try file.append(bytes)
      } catch {
        // A failed write is repeated with the next exchange, and again when the recorder finishes.
        writer.mayHaveLateSecrets = true
        writer.undelivered.append((bytes, request))
        reports.append(error.notWritten(request))
      }
    }
    return reports
  }

  private static func deliver(to file: JournalFile, _ writer: inout Writer) throws(RecordingError) {
    guard !writer.undelivered.isEmpty else { return }
    var count = 0
    defer { writer.undelivered.removeFirst(count) }
    for (line, _) in writer.undelivered {
      try file.append(line)
      count += 1
    }
  }

  // MARK: Recording

  var fixtures: JSONValue? {
    get { book.withLock { $0.fixtures } }
    set { book.withLock { $0.fixtures = newValue } }
  }

  /// Returns the exchanges recorded so far, including bodies that are still being read.
  func recording() throws -> HTTPArchive {
    // Under both locks, so that no exchange moves between the lists meanwhile.
    let (written, result) = writer.withLock { writer in
      let written = writeEnded(&writer)
      let result = Result {
        var copy = writer
        if case .file(let file) = writer.store {
          copy.store = .memory(try file.contents() + writer.undelivered.flatMap(\.line))
          copy.undelivered = []
        }
        return (copy, book.withLock { ($0.answered, $0.fixtures) })
      }
      return (written, result)
    }
    conclude(written)
    var (copy, (open, fixtures)) = try result.get()
    for (number, exchange) in open {
      var exchange = exchange
      _ = write(&exchange, number, &copy)
    }
    guard case .memory(let lines) = copy.store, let journal = try JournalContents(lines) else {
      return HTTPArchive(log: HTTPArchive.Log())
    }
    return try FinishedRecording(
      journal, texts: copy.texts, removedCount: copy.removedCount, fixtures: fixtures
    ).archive()
  }

  /// Writes the recording, replaces an existing file, and removes the journal.
  ///
  /// - Throws: The error that occurred. The journal still exists, lines that are not written yet are retained, and
  ///   finishing can be repeated.
  func finish(keeping older: HTTPArchive?) throws {
    let (written, result) = writer.withLock { writer in
      var written = writeEnded(&writer)
      var reports: [RecordingError] = []
      for (number, exchange) in book.withLock({ $0.endAll() }) {
        var exchange = exchange
        reports += write(&exchange, number, &writer)
      }
      written.append(Written(reports: reports))
      return (written, Result { try finish(keeping: older, &writer) })
    }
    conclude(written)
    try result.get()
  }

  private func finish(keeping older: HTTPArchive?, _ writer: inout Writer) throws {
    guard case .file(let file) = writer.store else { return }
    do {
      try Self.deliver(to: file, &writer)
    } catch {
      throw error.notWritten(
        writer.undelivered.map(\.request), of: writer.lineCount, journal: JournalFile.url(of: file.recording))
    }
    let url = JournalFile.url(of: file.recording)
    guard let journal = try JournalContents(try file.contents(), file: url) else { return }
    var recording = try FinishedRecording(
      journal, texts: writer.texts, removedCount: writer.removedCount, fixtures: fixtures,
      keeping: older, file: url)
    recording.name(journal.header)
    do {
      try RecordingFile.write(recording, to: file.recording)
    } catch {
      throw error.keeping(writer.lineCount, in: url)
    }
    try file.remove()
    writer.store = .memory([])
  }

  /// Stops recording and deletes the recorded exchanges.
  func discard() {
    let waiters = writer.withLock { writer in
      writer.undelivered = []
      // A journal that cannot be removed is found and reported by the next recorder.
      if case .file(let file) = writer.store { try? file.remove() }
      writer.store = .memory([])
      return book.withLock { $0.discard() }
    }
    for waiter in waiters { waiter.resume() }
  }
}
