import Foundation
import Understudy
import UnderstudyHTTP

/// Writes exchanges into a journal as they end.
///
/// Nothing of an exchange that has ended stays here but what stands for its secrets.
final class Recorder: Sendable {
  /// Where the lines go.
  private enum Store: Sendable {
    case memory([UInt8])
    case file(JournalFile)
  }

  private struct State: Sendable {
    var open: [Int: RecordedExchange] = [:]
    var count = 0
    var fixtures: JSONValue?
    var texts: ArchiveTexts<Redactor>
    /// How many rows of the table of placeholders stand in the journal.
    var rowCount = 0
    var store: Store
    /// Whether more is recorded.
    var isRecording = true
    /// Lines that could not be written yet.
    var undelivered: [UInt8] = []
  }

  /// What most lines have room in.
  private static let lineCapacity = 8 << 10

  private let state: Locked<State>

  /// A recorder in memory.
  init(redaction: Redaction, header: JournalHeader) {
    state = Locked(State(texts: ArchiveTexts(Redactor(redaction)), store: .memory(header.line)))
  }

  /// A recorder whose journal lies beside the recording.
  init(redaction: Redaction, header: JournalHeader, recording: URL) throws {
    let file = try JournalFile(of: recording)
    // What a recorder that was killed has left comes first.
    try RecordingJournal.finish(file)
    try file.removeAll()
    try file.append(header.line)
    state = Locked(State(texts: ArchiveTexts(Redactor(redaction)), store: .file(file)))
  }

  // MARK: Exchanges

  /// A request is sent.
  ///
  /// - Returns: Its number.
  func begin(_ exchange: RecordedExchange) -> Int {
    state.withLock { state in
      defer { state.count += 1 }
      if state.isRecording { state.open[state.count] = exchange }
      return state.count
    }
  }

  /// Something of it comes.
  func change(_ number: Int, _ change: @Sendable (inout RecordedExchange) -> Void) {
    state.withLock { state in
      guard let place = state.open.index(forKey: number) else { return }
      change(&state.open.values[place])
    }
  }

  /// A chunk of its body comes; with the last one that its head has announced, it has ended.
  func take(_ chunk: Data, of number: Int, at time: Duration) {
    let isWhole = state.withLock { state in
      guard let place = state.open.index(forKey: number) else { return false }
      state.open.values[place].append(chunk, at: time)
      return state.open.values[place].hasWholeBody
    }
    if isWhole { end(number) { $0.ending = .complete } }
  }

  /// It has ended; from here on it is in the journal.
  func end(_ number: Int, _ change: @Sendable (inout RecordedExchange) -> Void = { _ in }) {
    state.withLock { state in
      guard var exchange = state.open.removeValue(forKey: number) else { return }
      change(&exchange)
      Self.write(exchange, number, &state)
    }
  }

  private static func write(_ exchange: RecordedExchange, _ number: Int, _ state: inout State) {
    let entry = exchange.entry
    var bytes: [UInt8] = []
    bytes.reserveCapacity(lineCapacity)
    let redacted = state.texts.redacted(entry.json) { $0.entry($1) }
    let table = state.texts.editor.table
    let line = JournalLine(
      order: number, secretCount: state.texts.editor.count, hasBase64: entry.hasBase64,
      placeholders: Array(table[state.rowCount...]), renamed: state.texts.editor.takeRenamed())
    state.rowCount = table.count
    line.write(with: redacted, into: &bytes)
    switch state.store {
    case .memory(var lines):
      // Not copied: nobody else holds them now.
      state.store = .memory([])
      lines += bytes
      state.store = .memory(lines)
    case .file(let file):
      state.undelivered += bytes
      // What cannot be written is tried again with the next exchange, and told when the recorder finishes.
      try? deliver(to: file, &state)
    }
  }

  private static func deliver(to file: JournalFile, _ state: inout State) throws(RecordingError) {
    guard !state.undelivered.isEmpty else { return }
    try file.append(state.undelivered)
    state.undelivered = []
  }

  // MARK: The recording

  var fixtures: JSONValue? {
    get { state.withLock { $0.fixtures } }
    set { state.withLock { $0.fixtures = newValue } }
  }

  /// What was recorded so far, bodies that are still being read among it.
  func recording() throws -> HTTPArchive {
    // Under one lock, so that no exchange moves from the one into the other in between.
    var state = try state.withLock { state in
      var copy = state
      if case .file(let file) = state.store {
        copy.store = .memory(try file.contents() + state.undelivered)
        copy.undelivered = []
      }
      return copy
    }
    Self.writeOpen(&state)
    guard case .memory(let lines) = state.store, let journal = try JournalContents(lines) else {
      return HTTPArchive(log: HTTPArchive.Log())
    }
    return try FinishedRecording(journal, texts: state.texts, fixtures: state.fixtures).archive()
  }

  private static func writeOpen(_ state: inout State) {
    for (number, exchange) in state.open.sorted(by: { $0.key < $1.key }) where exchange.isAnswered {
      write(exchange, number, &state)
    }
  }

  /// Writes the file of the recording in place of what is there, and removes the journal.
  ///
  /// - Throws: What went wrong; the journal is there still, with what could not be written into it kept here, and
  ///   finishing can be tried again.
  func finish(keeping older: HTTPArchive?) throws {
    try state.withLock { state in
      if state.isRecording {
        Self.writeOpen(&state)
        state.open = [:]
        state.isRecording = false
      }
      guard case .file(let file) = state.store else { return }
      try Self.deliver(to: file, &state)
      let url = JournalFile.url(of: file.recording)
      guard let journal = try JournalContents(try file.contents(), file: url) else { return }
      var recording = try FinishedRecording(
        journal, texts: state.texts, fixtures: state.fixtures, keeping: older, file: url)
      recording.name(journal.header)
      try RecordingFile.write(recording.document, to: file.recording)
      try file.remove()
      state.store = .memory([])
    }
  }
  /// Records no more, and leaves nothing of what was recorded.
  func discard() {
    state.withLock { state in
      state.open = [:]
      state.undelivered = []
      state.isRecording = false
      // One that cannot be removed is found, and told of, by the next recorder.
      if case .file(let file) = state.store { try? file.remove() }
      state.store = .memory([])
    }
  }
}
