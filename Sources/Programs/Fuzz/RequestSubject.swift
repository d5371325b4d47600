import Foundation
import Understudy
import UnderstudyHTTP
import UnderstudyServer

/// The requests that a server reads: any other parser must find the same requests at the same positions.
struct RequestSubject: FuzzSubject {
  let name = "request"

  static let limits: ServerLimits = {
    var limits = ServerLimits()
    limits.requestLineBytes = 120
    limits.headBytes = 400
    limits.fieldCount = 8
    limits.bodyBytes = 200
    return limits
  }()

  /// The parts of a request on which all parsers must agree.
  struct Request: Hashable {
    var method: String
    var fields: [HTTP.Fields.Field]
    var body: Data?
  }

  /// The result of parsing all bytes.
  struct Reading: Equatable {
    var requests: [Request] = []
    var refusal: RequestRefusal?
    /// Whether unparsed bytes remain after the last request that were not refused.
    var isUnfinished = false
  }

  func grow(_ random: inout SeededGenerator) -> [UInt8] {
    var input: [UInt8] = []
    for _ in 0..<Int.random(in: 1...3, using: &random) { input += RequestGrammar.request(&random) }
    if Int.random(in: 0..<2, using: &random) > 0 { input.spoil(&random) }
    return input
  }

  func check(_ input: [UInt8]) throws -> String {
    let splits = cuts(of: input)
    let whole = try reading(splits[0])
    for pieces in splits.dropFirst() {
      let other = try reading(pieces)
      guard other == whole else {
        throw FuzzFailure("Read in \(pieces.count) pieces: \(other). Read at once: \(whole).")
      }
    }
    try checkAgreement(whole, input)
    try checkWriting(whole.requests)
    guard let refusal = whole.refusal else {
      return whole.isUnfinished ? "unfinished" : "accepted"
    }
    guard [400, 413, 414, 417, 431, 501, 505].contains(refusal.status) else {
      throw FuzzFailure("Refused with the unexpected status \(refusal.status).")
    }
    return "refused with \(refusal.status)"
  }

  private func reading(_ pieces: [[UInt8]]) throws -> Reading {
    var parser = RequestParser(limits: Self.limits, authority: "127.0.0.1:80")
    var reading = Reading()
    var head: RequestHead?
    do {
      for piece in pieces {
        parser.append(piece)
        while let step = try parser.next() {
          switch step {
          case .head(let read):
            try check(read)
            head = read
          case .body(let body):
            guard let read = head else { throw FuzzFailure("Received a body without a head.") }
            head = nil
            guard body?.count ?? 0 <= Self.limits.bodyBytes else {
              throw FuzzFailure("The body is too long.")
            }
            reading.requests.append(
              Request(method: read.method.rawValue, fields: Array(read.fields), body: body))
          }
        }
        // At most a line, whose limit is the largest, and a body may be buffered.
        let limit = 1_024 + 2 + Self.limits.bodyBytes
        guard parser.heldByteCount <= limit else {
          throw FuzzFailure("\(parser.heldByteCount) bytes are buffered, but the limit is \(limit).")
        }
      }
    } catch let refusal as RequestRefusal {
      reading.refusal = refusal
      return reading
    }
    reading.isUnfinished = head != nil || !parser.takeUnread().isEmpty
    return reading
  }

  /// Checks the invariants of accepted heads.
  private func check(_ head: RequestHead) throws {
    let size = head.fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
    guard head.fields.count <= Self.limits.fieldCount, size <= Self.limits.headBytes else {
      throw FuzzFailure("The head is longer than the limits allow.")
    }
    for field in head.fields {
      guard field.name.utf8.allSatisfy(RequestGrammar.isToken), !field.name.isEmpty else {
        throw FuzzFailure("\(field.name.debugDescription) is not a valid field name.")
      }
      guard field.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
        throw FuzzFailure("The value \(field.value.debugDescription) could break out of its line.")
      }
    }
    guard ["http", "https"].contains(head.url.scheme?.lowercased()), head.url.host() != nil else {
      throw FuzzFailure("\(head.url) is not an absolute URL.")
    }
    guard head.minorVersion == 0 || head.fields.values(of: "Host").count == 1 else {
      throw FuzzFailure("Expected one Host field.")
    }
    let lengths = head.fields.values(of: "Content-Length")
    let isChunked = !head.fields.values(of: "Transfer-Encoding").isEmpty
    switch head.framing {
    case .none where lengths.isEmpty && !isChunked: break
    case .sized(let length) where !isChunked && lengths.allSatisfy { Int($0) == length } && !lengths.isEmpty:
      break
    case .chunked where lengths.isEmpty && isChunked: break
    default:
      throw FuzzFailure("\(head.framing) contradicts the fields: \(lengths), chunked: \(isChunked).")
    }
  }

  /// Checks that a reference parser with all bytes finds the same requests.
  private func checkAgreement(_ reading: Reading, _ input: [UInt8]) throws {
    var rest = input[...]
    for request in reading.requests {
      guard let (found, end) = ReferenceRequests.first(in: rest) else {
        throw FuzzFailure("\(request) is accepted, but the reference finds no request there.")
      }
      guard found == request else {
        throw FuzzFailure("\(request) is accepted, but the reference finds \(found).")
      }
      rest = rest[end...]
    }
  }

  /// Checks that requests are equal after writing and parsing them.
  private func checkWriting(_ requests: [Request]) throws {
    var bytes: [UInt8] = []
    for request in requests {
      bytes += Array("\(request.method) \(request.method == "OPTIONS" ? "*" : "/") HTTP/1.1\r\n".utf8)
      var fields = request.fields
      if !fields.contains(where: { $0.name.lowercased() == "host" }) {
        fields.append(HTTP.Fields.Field(name: "Host", value: ""))
      }
      for field in fields { bytes += Array("\(field.name): \(field.value)\r\n".utf8) }
      bytes += Array("\r\n".utf8)
      guard let body = request.body else { continue }
      let isChunked = fields.contains { $0.name.lowercased() == "transfer-encoding" }
      if isChunked, !body.isEmpty {
        bytes += Array("\(String(body.count, radix: 16))\r\n".utf8) + body + Array("\r\n".utf8)
      }
      bytes += isChunked ? Array("0\r\n\r\n".utf8) : Array(body)
    }
    var roomy = Self.limits
    roomy.headBytes += 100
    roomy.fieldCount += 1
    var parser = RequestParser(limits: roomy, authority: "127.0.0.1:80")
    parser.append(bytes)
    var bodies: [Data?] = []
    var heads: [RequestHead] = []
    do {
      while let step = try parser.next() {
        switch step {
        case .head(let head): heads.append(head)
        case .body(let body): bodies.append(body)
        }
      }
    } catch {
      throw FuzzFailure("After writing, \(requests) are refused: \(error)")
    }
    let isSame =
      bodies == requests.map(\.body) && heads.map(\.method.rawValue) == requests.map(\.method)
      && zip(heads, requests).allSatisfy { Array($0.fields).starts(with: $1.fields) }
    guard isSame else { throw FuzzFailure("After writing, \(requests) are read as \(heads) with \(bodies).") }
  }
}
