import Foundation
import UnderstudyHTTP

/// The readable parts of a document: an entry that violates HAR 1.2 costs at most that entry, and gives a warning.
struct ArchiveReading {
  /// The document, without lone surrogates.
  let data: Data
  let index: ArchiveIndex
  /// The readable entries.
  let entries: [ArchiveIndex.Entry]
  let warnings: [RecordingError]

  /// Whether the entries differ from those of the document.
  var isCorrected: Bool { entries.count < index.entries.count || entries.contains { $0.corrected != nil } }

  /// - Parameter isStrict: Whether each violation is an error.
  init(_ data: Data, strict isStrict: Bool) throws(RecordingError) {
    var surrogates: [Int] = []
    var document = data
    do {
      index = try ArchiveIndex(of: data, strict: isStrict)
    } catch {
      guard !isStrict, error.violation?.field == nil, let replaced = LoneSurrogates.replaced(in: data) else {
        throw error
      }
      surrogates = replaced.offsets
      document = replaced.data
      index = try ArchiveIndex(of: document)
    }
    self.data = document
    var problems: [(problem: ArchiveProblem, isReadable: Bool)] = []
    if index.odd.isEmpty {
      entries = index.entries
    } else {
      var entries: [ArchiveIndex.Entry] = []
      for (number, entry) in index.entries.enumerated() {
        guard let problem = index.odd[number] else {
          entries.append(entry)
          continue
        }
        let corrected = entry.corrected(in: document)
        if let corrected { entries.append(corrected) }
        problems.append((problem, corrected != nil))
      }
      self.entries = entries
      // A document without any readable entry is refused.
      if entries.isEmpty, let first = problems.first { throw RecordingError(first.problem, of: data) }
    }
    problems += Self.problems(ofSurrogates: surrogates, in: index)
    problems.sort { $0.problem.offset < $1.problem.offset }
    var line = (number: 1, offset: 0)
    warnings = problems.map { problem, isReadable in
      line.number += document.dropFirst(line.offset).prefix(problem.offset - line.offset).count { $0 == 0x0A }
      line.offset = problem.offset
      return RecordingError(
        problem, of: document, line: line.number,
        outcome: isReadable ? RecordingError.isRead : RecordingError.isLeftOut)
    }
  }

  /// The first lone surrogate of each entry, and of the rest of the document.
  private static func problems(
    ofSurrogates offsets: [Int], in index: ArchiveIndex
  ) -> [(problem: ArchiveProblem, isReadable: Bool)] {
    var problems: [(problem: ArchiveProblem, isReadable: Bool)] = []
    var number = 0
    var latest: Int??
    for offset in offsets {
      while number < index.entries.count, index.entries[number].bytes.upperBound <= offset { number += 1 }
      let entry = number < index.entries.count && index.entries[number].bytes.contains(offset) ? number : nil
      guard latest != .some(entry) else { continue }
      latest = .some(entry)
      // Of an entry with another problem, that one is reported.
      if let entry, index.odd[entry] != nil { continue }
      let path: [JSONValue.Step] =
        [.member("log")] + (entry.map { [.member("entries"), .element($0)] } ?? [])
      let message = "Expected Unicode text, found a lone surrogate, which becomes U+FFFD"
      problems.append((ArchiveProblem(message: message, offset: offset, path: path.reversed()), true))
    }
    return problems
  }
}

extension ArchiveIndex.Entry {
  /// Returns the entry as HAR 1.2 requires it; `nil` if its meaning is not plain.
  fileprivate func corrected(in data: Data) -> ArchiveIndex.Entry? {
    guard let json = try? JSONValue(parsing: data.dropFirst(bytes.lowerBound).prefix(bytes.count)) else {
      return nil
    }
    let corrected = HTTPArchive.Entry(OddEntry.corrected(json))
    let whole = JSONValue.object([.init("log", .object([.init("entries", .array([corrected.json]))]))])
    var text: [UInt8] = []
    whole.write(into: &text)
    guard let index = try? ArchiveIndex(of: Data(text)), index.odd.isEmpty else { return nil }
    let request = corrected.request
    return ArchiveIndex.Entry(
      bytes: bytes, request: self.request,
      requestHash: IndexedArchive.requestHash(method: request.method.rawValue, url: request.url),
      corrected: corrected)
  }
}

/// Escapes of surrogates without their other half, which are not valid Unicode text.
///
/// A browser exports them from strings of JavaScript.
enum LoneSurrogates {
  /// Returns the document with U+FFFD in their place, which has the same length, and their offsets; `nil` without any.
  static func replaced(in data: Data) -> (data: Data, offsets: [Int])? {
    var bytes = [UInt8](data)
    var offsets: [Int] = []
    var position = 0
    while position < bytes.count {
      guard bytes[position] == UInt8(ascii: "\\") else {
        position += 1
        continue
      }
      guard let unit = unit(at: position, of: bytes) else {
        position += 2
        continue
      }
      if (0xD800...0xDBFF).contains(unit), let low = self.unit(at: position + 6, of: bytes),
        (0xDC00...0xDFFF).contains(low)
      {
        position += 12
        continue
      }
      if (0xD800...0xDFFF).contains(unit) {
        offsets.append(position)
        bytes.replaceSubrange(position..<position + 6, with: #"\uFFFD"#.utf8)
      }
      position += 6
    }
    return offsets.isEmpty ? nil : (Data(bytes), offsets)
  }

  /// The code unit of an escape with four hexadecimal digits (RFC 8259 §7).
  private static func unit(at position: Int, of bytes: [UInt8]) -> UInt16? {
    guard position + 6 <= bytes.count, bytes[position] == UInt8(ascii: "\\"),
      bytes[position + 1] == UInt8(ascii: "u")
    else { return nil }
    let digits = bytes[position + 2..<position + 6]
    return digits.allSatisfy { $0 < 0x80 && Character(Unicode.Scalar($0)).isHexDigit }
      ? UInt16(String(decoding: digits, as: UTF8.self), radix: 16) : nil
  }
}
