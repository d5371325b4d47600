import Foundation
import Understudy
import UnderstudyHTTP
import UnderstudyRecording

/// HAR documents: the scanner over bytes must accept and refuse the same documents as a tree parser, with the same
/// error positions.
struct ArchiveSubject: FuzzSubject {
  let name = "archive"
  let count = 1_000_000

  func grow(_ random: inout SeededGenerator) -> [UInt8] {
    var grammar = ArchiveGrammar(random: random)
    var input = Array(grammar.document().utf8)
    random = grammar.random
    switch Int.random(in: 0..<6, using: &random) {
    case 0...2: break
    case 3: spoilToken(of: &input, &random)
    default: input.spoil(&random)
    }
    return input
  }

  /// Replaces a token with a piece of JSON or with invalid UTF-8.
  private func spoilToken(of input: inout [UInt8], _ random: inout SeededGenerator) {
    let place = Int.random(in: 0..<input.count, using: &random)
    let end = min(input.count, place + Int.random(in: 0...2, using: &random))
    input.replaceSubrange(place..<end, with: Self.tokens.randomElement(using: &random) ?? [])
  }

  private static let tokens: [[UInt8]] =
    ["{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud800", "null", "-", "1e999", "\u{FEFF}", "é"].map {
      Array($0.utf8)
    } + [
      [0xC0, 0x80], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xF0, 0x8F, 0xBF, 0xBF],
      [0xF4, 0x90, 0x80, 0x80],
    ]

  /// The result of reading a document, or the position of its error.
  private enum Reading {
    case accepted(ReferenceJSON)
    case refused(offset: Int, field: String?)
  }

  private func reference(_ input: [UInt8]) -> Reading {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    do {
      let document = try ReferenceJSON(input, from: input.starts(with: mark) ? mark.count : 0)
      if let problem = ReferenceArchive.problem(in: document) {
        return .refused(offset: problem.offset, field: problem.field)
      }
      return .accepted(document)
    } catch {
      return .refused(offset: error.offset, field: nil)
    }
  }

  func check(_ input: [UInt8]) throws -> String {
    // A slice, so that wrong index bases are detected.
    let data = Data([0] + input).dropFirst()
    let expected = reference(input)
    do {
      let archive = try IndexedArchive(data, strict: true)
      guard case .accepted(let document) = expected else {
        throw FuzzFailure("Accepted, but the reference reports \(expected).")
      }
      try checkContent(of: archive, document)
      guard try same(HTTPArchive(data, strict: true).json, document.json) else {
        throw FuzzFailure("The document differs from that of the reference.")
      }
      return "accepted"
    } catch let error as RecordingError {
      let whole = Result { try HTTPArchive(data, strict: true) }
      guard case .failure(let other as RecordingError) = whole, "\(other)" == "\(error)" else {
        throw FuzzFailure("Refused when indexed: \(error). Read at once: \(whole).")
      }
      let violation = error.violation
      guard case .refused(let offset, let field) = expected, offset == violation?.byteOffset,
        field == violation?.field
      else {
        throw FuzzFailure("Refused with \(error), but the reference reports \(expected).")
      }
      guard violation?.line == input.prefix(offset).count(where: { $0 == 10 }) + 1 else {
        throw FuzzFailure("Wrong line in: \(error)")
      }
      return field == nil ? "invalid JSON" : "violation of HAR 1.2"
    }
  }

  private func checkContent(of archive: IndexedArchive, _ document: ReferenceJSON) throws {
    guard let log = document["log"], case .array(let entries) = log["entries"]?.content else {
      throw FuzzFailure("Accepted without a log.")
    }
    guard archive.entryCount == entries.count else {
      throw FuzzFailure("Expected \(entries.count) entries, found \(archive.entryCount).")
    }
    for (index, expected) in entries.enumerated() {
      let entry = archive.entry(at: index)
      guard same(entry.json, expected.json), same(archive.request(at: index).json, expected["request"]?.json)
      else {
        throw FuzzFailure("Entry \(index) is decoded as \(entry.json.compactText).")
      }
      let (method, url) = (entry.request.method.rawValue, entry.request.url)
      guard archive.requestHash(at: index) == IndexedArchive.requestHash(method: method, url: url) else {
        throw FuzzFailure("Entry \(index): the hash differs from that of a request for \(url).")
      }
    }
    guard same(archive.log.json, IndexedArchive(HTTPArchive(members: [.init("log", log.json)])).log.json)
    else {
      throw FuzzFailure("The log is \(archive.log.json.compactText).")
    }
  }

  /// Returns whether two documents are equal byte by byte; Swift also considers canonically equivalent strings equal.
  private func same(_ one: JSONValue, _ other: JSONValue?) -> Bool {
    other.map { one == $0 && one.compactText.utf8.elementsEqual($0.compactText.utf8) } ?? false
  }
}
