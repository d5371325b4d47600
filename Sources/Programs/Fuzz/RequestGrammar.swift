import Understudy

/// A generator of requests that conform to RFC 9112, with some exceptions.
enum RequestGrammar {
  static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }

  private static let longField = "Long: " + String(repeating: "x", count: 60)
  private static let tooLongField = "Long: " + String(repeating: "x", count: 400)
  private static let tooLongTarget = "/" + String(repeating: "y", count: 130)

  static func request(_ random: inout SeededGenerator) -> [UInt8] {
    /// Picks a valid value, or sometimes an invalid one.
    func pick(_ good: [String], or bad: [String] = []) -> String {
      let isBad = !bad.isEmpty && Int.random(in: 0..<16, using: &random) == 0
      return (isBad ? bad : good).randomElement(using: &random) ?? ""
    }
    let method = pick(["GET", "POST", "PUT", "HEAD", "DELETE", "X-y!"], or: ["OPTIONS", "CONNECT"])
    let target = pick(
      ["/", "/a/b?c=d&e=%20", "/ä?<>", "http://h:8080/x", "https://[::1]?q", "/a//../b"],
      or: ["/%zz", "*", "/\u{1}", "a", "http://", tooLongTarget])
    let version = pick(["HTTP/1.1"], or: ["HTTP/1.0", "HTTP/1.9", "HTTP/2.0", "http/1.1"])
    let host = pick(
      ["Host: h", "host:h:80", "HOST: [::1]:1", "Host: "], or: ["Host: a b", "Host: h:x", "Host: [1]", ""])
    var lines = ["\(method) \(target) \(version)", host].filter { !$0.isEmpty }
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      lines.append(
        pick(
          [
            "A: b", "Accept:\t*/* ", "Cookie: a=b; c=\u{E9}", "B: \u{FEFF}x", "X:",
            "Connection: keep-alive, close",
            "Expect: 100-continue", "Upgrade: websocket", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            longField,
          ],
          or: [
            " folded", "No colon", "Space : before", "Expect: more", "Content-Length: 0",
            "Transfer-Encoding: gzip",
            "Host: twice", tooLongField,
          ]))
    }
    var body: [UInt8] = []
    switch Int.random(in: 0..<5, using: &random) {
    case 0, 1:
      body = .random(.random(in: 0...30, using: &random), &random)
      lines.append(
        pick(["Content-Length: ", "content-length:0"], or: ["Content-Length: +", "Content-Length: 9"])
          + "\(body.count)")
      if Int.random(in: 0..<6, using: &random) == 0 { lines.append("Content-Length: \(body.count)") }
    case 2, 3:
      lines.append(
        pick(
          ["Transfer-Encoding: chunked", "transfer-encoding: Chunked"],
          or: ["Transfer-Encoding: gzip, chunked"]))
      body = chunks(&random)
    default: break
    }
    let end = pick(["\r\n"], or: ["\n"])
    return Array((lines.joined(separator: end) + end + "\r\n").utf8) + body
  }

  private static func chunks(_ random: inout SeededGenerator) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      let chunk = [UInt8].random(.random(in: 1...40, using: &random), &random)
      var size = String(chunk.count, radix: 16)
      if Bool.random(using: &random) { size = size.uppercased() }
      if Int.random(in: 0..<4, using: &random) == 0 { size = "00" + size }
      if Int.random(in: 0..<4, using: &random) == 0 {
        size +=
          [";a=\"b\"", " ;\ta = b", ";a=\";\\\"\";b", ";", ";a=\"b"].randomElement(using: &random) ?? ""
      }
      bytes += Array((size + "\r\n").utf8) + chunk + Array("\r\n".utf8)
    }
    bytes += Array("0\r\n".utf8)
    if Int.random(in: 0..<4, using: &random) == 0 { bytes += Array("Trailer: x\r\n".utf8) }
    return bytes + Array("\r\n".utf8)
  }
}
