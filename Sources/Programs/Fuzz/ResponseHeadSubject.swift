import Foundation
import Understudy
import UnderstudyHTTP

/// The head of the response to a handshake.
struct ResponseHeadSubject: FuzzSubject {
  let name = "response"

  func grow(_ random: inout SeededGenerator) -> [UInt8] {
    func pick(_ texts: [String]) -> String { texts.randomElement(using: &random) ?? "" }
    var lines = [
      pick([
        "HTTP/1.1 101 Switching Protocols", "HTTP/1.1 404", "HTTP/1.1 200 ", "HTTP/1.0 200 OK",
        "HTTP/1.1 99 x", "x",
      ])
    ]
    for _ in 0..<Int.random(in: 0...5, using: &random) {
      let isBad = Int.random(in: 0..<8, using: &random) == 0
      lines.append(
        pick(
          isBad
            ? [" folded", "No colon", "E : f", ":", "G: h\ri", "J: k\nL: m"]
            : [
              "Upgrade: websocket", "connection:Upgrade",
              "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", "A:",
              "B:\tc ", "D: é", "E: \u{FEFF}f",
            ]))
    }
    var input = Array(lines.joined(separator: "\r\n").utf8)
    if Bool.random(using: &random) { input.spoil(&random) }
    return input
  }

  func check(_ input: [UInt8]) throws -> String {
    let head: HTTPResponseHead
    do {
      head = try HTTPResponseHead(input)
    } catch {
      guard error.code == .unreadableResponse else {
        throw FuzzFailure("Refused with the unexpected error \(error).")
      }
      return "refused"
    }
    guard (100...599).contains(head.status) else {
      throw FuzzFailure("\(head.status) is not a valid status.")
    }
    let lines = String(decoding: input, as: UTF8.self).components(separatedBy: "\r\n")
    guard lines.count == head.fields.count + 1, lines[0].contains("\(head.status)") else {
      throw FuzzFailure("\(lines.count) lines are read as \(head).")
    }
    var text = "HTTP/1.1 \(head.status) "
    for (line, field) in zip(lines.dropFirst(), head.fields) {
      guard line.hasPrefix(field.name + ":"), field.value.isEmpty || line.contains(field.value),
        field.value.utf8.allSatisfy({ $0 == 9 || $0 >= 32 && $0 != 127 })
      else { throw FuzzFailure("The line \(line.debugDescription) is read as \(field).") }
      text += "\r\n\(field.name): \(field.value)"
    }
    guard (try? HTTPResponseHead(Array(text.utf8))) == head else {
      throw FuzzFailure("After writing, \(head) is read as another head.")
    }
    return "accepted"
  }
}
