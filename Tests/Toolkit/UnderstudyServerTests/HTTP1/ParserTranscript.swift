import Foundation
import TestSupport
import UnderstudyHTTP
@testable import UnderstudyServer

/// The steps of a parser, one line each, and a line for a refusal.
func parserTranscript(of pieces: [[UInt8]], limits: ServerLimits = ServerLimits()) -> [String] {
  var parser = RequestParser(limits: limits, authority: "127.0.0.1:1")
  var lines: [String] = []
  for piece in pieces {
    parser.append(piece)
    do {
      while let step = try parser.next() { lines.append(line(step)) }
    } catch {
      return lines + ["\(error.status) \(error.reason)"]
    }
  }
  return lines
}

private func line(_ step: RequestParser.Step) -> String {
  switch step {
  case .head(let head):
    let framing =
      switch head.framing {
      case .none: "none"
      case .sized(let length): "\(length)"
      case .chunked: "chunked"
      }
    var text = "\(head.method) \(head.url) 1.\(head.minorVersion) \(framing)"
    if !head.keepsAlive { text += " close" }
    if head.expectsContinue { text += " expects" }
    for field in head.fields where field.name.hasPrefix("X") { text += " \(field.name)=\(field.value)" }
    return text
  case .body(let body):
    return body.map { "body \(String(decoding: $0, as: UTF8.self))" } ?? "no body"
  }
}

extension [UInt8] {
  /// In pieces of one byte.
  var bytewise: [[UInt8]] {
    map { (byte: UInt8) -> [UInt8] in [byte] }
  }

  /// In two pieces, the first of this length.
  func cut(after count: Int) -> [[UInt8]] {
    let first: [UInt8] = Array(prefix(count))
    return [first, Array(dropFirst(count))]
  }

  /// In two pieces at every position, or at two hundred positions if it is long, and in pieces of one byte.
  var everyCut: [[[UInt8]]] {
    var cuts: [[[UInt8]]] = [bytewise]
    for count in stride(from: 0, to: count, by: Swift.max(1, count / 200)) { cuts.append(cut(after: count)) }
    return cuts
  }
}
