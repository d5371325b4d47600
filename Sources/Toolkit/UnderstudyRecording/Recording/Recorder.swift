import Foundation
import Understudy
import UnderstudyHTTP

/// A recorder that writes exchanges to a journal as they end.
///
/// Of an exchange that has ended, it retains only the placeholders of its secrets, and hashes of its texts.
final class Recorder: Sendable {
  /// The destination of the lines.
  private enum Store: Sendable {
    case memory([UInt8])
    case file(JournalFile)
  }

  private struct State: Sendable {
    var open: [Int: RecordedExchange] = [:]
    var count = 0
    var fixtures: JSONValue?
    var texts: ArchiveTexts<Redactor>
    /// The number of rows of the placeholder table that are in the journal.
    var rowCount = 0
    var store: Store
    /// Whether further exchanges are recorded.
    var isRecording = true
    /// Lines that could not be written yet.
    var undelivered: [UInt8] = []
    /// The texts in the journal, if it is a file.
    var index = JournalIndex()
    /// Whether an earlier line could not be written or changed, so that it may contain a secret that was detected late.
    var mayHaveLateSecrets = false
    /// The number of secrets that no line contains, if the journal is a file.
    var removedCount = 0
  }

  /// A capacity that is sufficient for most lines.
  private static let lineCapacity = 8 << 10

  private let state: Locked<State>
  private let beforeWriting: RecordingOptions.ExchangeEdit?

  /// Creates a recorder in memory.
  init(redaction: Redaction, header: JournalHeader) {
    beforeWriting = nil
    state = Locked(State(texts: ArchiveTexts(Redactor(redaction)), store: .memory(header.line)))
  }

  /// Creates a recorder with a journal beside the recording.
  init(
    redaction: Redaction, header: JournalHeader, recording: URL,
    beforeWriting: RecordingOptions.ExchangeEdit? = nil
  ) throws {
    self.beforeWriting = beforeWriting
    let file = try JournalFile(of: recording)
    // The journal of an interrupted recorder is finished first.
    try RecordingJournal.finish(file)
    try file.removeAll()
    try file.append(header.line)
    state = Locked(State(texts: ArchiveTexts(Redactor(redaction)), store: .file(file)))
  }

  // MARK: Exchanges

  /// Begins an exchange when its request is sent.
  ///
  /// - Returns: The number of the exchange.
  func begin(_ exchange: RecordedExchange) -> Int {
    state.withLock { state in
      defer { state.count += 1 }
      if state.isRecording { state.open[state.count] = exchange }
      return state.count
    }
  }

  /// Updates an exchange.
  func change(_ number: Int, _ change: @Sendable (inout RecordedExchange) -> Void) {
    state.withLock { state in
      guard let place = state.open.index(forKey: number) else { return }
      change(&state.open.values[place])
    }
  }

  /// Adds a chunk of the body; ends the exchange when the body has reached its announced length.
  func take(_ chunk: Data, of number: Int, at time: Duration) {
    let isWhole = state.withLock { state in
      guard let place = state.open.index(forKey: number) else { return false }
      state.open.values[place].append(chunk, at: time)
      return state.open.values[place].hasWholeBody
    }
    if isWhole { end(number) { $0.ending = .complete } }
  }

  /// Ends an exchange and writes it to the journal.
  func end(_ number: Int, _ change: @Sendable (inout RecordedExchange) -> Void = { _ in }) {
    state.withLock { state in
      guard var exchange = state.open.removeValue(forKey: number) else { return }
      change(&exchange)
      write(exchange, number, &state)
    }
  }

  private func write(_ exchange: RecordedExchange, _ number: Int, _ state: inout State) {
    guard let exchange = beforeWriting.map(exchange.edited) ?? exchange else { return }
    let entry = exchange.entry
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.lineCapacity)
    let redacted = state.texts.redacted(entry.json) { $0.entry($1) }
    let table = state.texts.editor.table
    let line = JournalLine(
      order: number, secretCount: state.texts.editor.count, hasBase64: entry.hasBase64,
      placeholders: Array(table[state.rowCount...]), renamed: state.texts.editor.takeRenamed())
    state.rowCount = table.count
    line.write(with: redacted, into: &bytes)
    switch state.store {
    case .memory(var lines):
      // Moved out, so that appending does not copy the lines.
      state.store = .memory([])
      lines += bytes
      state.store = .memory(lines)
    case .file(let file):
      // Before the line that reveals a secret, so that the journal contains none at any time.
      if !Self.removeLateSecrets(from: file, &state.texts, &state.index) { state.mayHaveLateSecrets = true }
      if !state.mayHaveLateSecrets { state.removedCount = state.texts.editor.count }
      let start = file.count + state.undelivered.count
      state.index.add(
        redacted, written: bytes,
        at: JournalIndex.Line(offset: start, length: bytes.count, hasBase64: line.hasBase64))
      state.undelivered += bytes
      do {
        try Self.deliver(to: file, &state)
      } catch {
        // A failed write is repeated with the next exchange, and reported when the recorder finishes.
        state.mayHaveLateSecrets = true
      }
    }
  }

  private static func deliver(to file: JournalFile, _ state: inout State) throws(RecordingError) {
    guard !state.undelivered.isEmpty else { return }
    try file.append(state.undelivered)
    state.undelivered = []
  }

  // MARK: Recording

  var fixtures: JSONValue? {
    get { state.withLock { $0.fixtures } }
    set { state.withLock { $0.fixtures = newValue } }
  }

  /// Returns the exchanges recorded so far, including bodies that are still being read.
  func recording() throws -> HTTPArchive {
    // Under one lock, so that no exchange moves between the lists meanwhile.
    var state = try state.withLock { state in
      var copy = state
      if case .file(let file) = state.store {
        copy.store = .memory(try file.contents() + state.undelivered)
        copy.undelivered = []
      }
      return copy
    }
    writeOpen(&state)
    guard case .memory(let lines) = state.store, let journal = try JournalContents(lines) else {
      return HTTPArchive(log: HTTPArchive.Log())
    }
    return try FinishedRecording(
      journal, texts: state.texts, removedCount: state.removedCount, fixtures: state.fixtures
    ).archive()
  }

  private func writeOpen(_ state: inout State) {
    for (number, exchange) in state.open.sorted(by: { $0.key < $1.key }) where exchange.isAnswered {
      write(exchange, number, &state)
    }
  }

  /// Writes the recording, replaces an existing file, and removes the journal.
  ///
  /// - Throws: The error that occurred. The journal still exists, lines that are not written yet are retained, and
  ///   finishing can be repeated.
  func finish(keeping older: HTTPArchive?) throws {
    try state.withLock { state in
      if state.isRecording {
        writeOpen(&state)
        state.open = [:]
        state.isRecording = false
      }
      guard case .file(let file) = state.store else { return }
      try Self.deliver(to: file, &state)
      let url = JournalFile.url(of: file.recording)
      guard let journal = try JournalContents(try file.contents(), file: url) else { return }
      var recording = try FinishedRecording(
        journal, texts: state.texts, removedCount: state.removedCount, fixtures: state.fixtures,
        keeping: older, file: url)
      recording.name(journal.header)
      try RecordingFile.write(recording, to: file.recording)
      try file.remove()
      state.store = .memory([])
    }
  }
  /// Stops recording and deletes the recorded exchanges.
  func discard() {
    state.withLock { state in
      state.open = [:]
      state.undelivered = []
      state.isRecording = false
      // A journal that cannot be removed is found and reported by the next recorder.
      if case .file(let file) = state.store { try? file.remove() }
      state.store = .memory([])
    }
  }
}
