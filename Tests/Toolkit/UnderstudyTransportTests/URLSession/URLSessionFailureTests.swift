import Foundation
import Testing
import UnderstudyTesting

@testable import UnderstudyTransport

/// One failure on both platforms.
struct PlatformRow: Sendable, CustomTestStringConvertible {
  let name: String
  /// The code on Apple platforms, and the code on Linux with libcurl's message; `nil` where it does not occur.
  let apple: Int?
  let linux: (code: Int, detail: String)?
  var isSecure = false
  var announced: URLSessionFailure.AnnouncedBody?
  var received = 0
  let expected: TransportError.Code

  var testDescription: String { name }
}

@Suite(.stallLimit()) struct URLSessionFailureTests {
  static let rows: [PlatformRow] = [
    .init(
      name: "DNS failure", apple: -1003, linux: (-1003, "Could not resolve host"), expected: .hostNotFound),
    .init(name: "offline", apple: -1009, linux: nil, expected: .offline),
    .init(
      name: "connection refused", apple: -1004, linux: (-1004, "Failed to connect"),
      expected: .connectionRefused),
    .init(
      name: "reset before headers", apple: -1005, linux: (-1005, "Recv failure: Connection reset by peer"),
      expected: .connectionLost),
    .init(
      name: "closed without a byte", apple: -1005, linux: (-1011, "Empty reply from server"),
      expected: .connectionLost),
    .init(
      name: "random bytes", apple: -1017, linux: (-1002, "Received HTTP/0.9 when not allowed"),
      expected: .unreadableResponse),
    .init(
      name: "impossible field", apple: -1017, linux: (-1, "Invalid Content-Length: value"),
      expected: .unreadableResponse),
    .init(name: "stall before headers", apple: -1001, linux: (-1001, ""), expected: .timedOut),
    .init(
      name: "stall mid-body", apple: -1001, linux: (-1001, ""), announced: .init(length: 10), received: 5,
      expected: .timedOut),
    .init(
      name: "body shorter than Content-Length", apple: -1005, linux: (-1, ""),
      announced: .init(length: 10), received: 5, expected: .connectionLost),
    .init(
      name: "decoded body cut short", apple: -1005,
      linux: (-1, "transfer closed with 3 bytes remaining to read"),
      announced: .init(length: 10, isEncoded: true), received: 50, expected: .connectionLost),
    .init(
      name: "reset mid-body", apple: -1005, linux: (-1005, "Recv failure: Connection reset by peer"),
      announced: .init(length: 10), received: 5, expected: .connectionLost),
    .init(
      name: "chunked body cut", apple: -1005,
      linux: (-1, "transfer closed with outstanding read data remaining"), announced: .init(), received: 5,
      expected: .connectionLost),
    .init(
      name: "bad chunk size", apple: -1017,
      linux: (-1, "Illegal or missing hexadecimal sequence in chunked-encoding"), announced: .init(),
      received: 5, expected: .unreadableResponse),
    .init(
      name: "bad gzip, raw", apple: -1015,
      linux: (-1, "Error while processing content unencoding: incorrect header check"),
      announced: .init(length: 5, isEncoded: true), expected: .unreadableResponse),
    .init(
      name: "bad gzip, content", apple: -1016,
      linux: (-1, "Error while processing content unencoding: invalid block type"),
      announced: .init(length: 50, isEncoded: true), received: 7, expected: .unreadableResponse),
    .init(
      name: "untrusted certificate", apple: -1202,
      linux: (-1, "SSL certificate problem: self-signed certificate"), isSecure: true, expected: .untrusted),
    .init(
      name: "no TLS at all", apple: -1200,
      linux: (-1, "OpenSSL/3.0.19: error:0A00010B:SSL routines::wrong version number"), isSecure: true,
      expected: .untrusted),
    .init(
      name: "redirect loop", apple: -1007, linux: (-1007, "Maximum (16) redirects followed"),
      expected: .tooManyRedirects),
    .init(name: "cancelled", apple: -999, linux: (-999, ""), expected: .cancelled),
    .init(
      name: "senseless answer", apple: -1011, linux: nil, announced: .init(), expected: .unreadableResponse),
    .init(name: "plain http forbidden", apple: -1022, linux: nil, expected: .invalidRequest),
    .init(name: "no rule", apple: -3000, linux: nil, announced: .init(), expected: .unknown),
  ]

  @Test(arguments: rows) func bothPlatformsReportTheSameCode(_ row: PlatformRow) {
    for (code, detail) in [row.apple.map { ($0, "") }, row.linux.map { ($0.code, $0.detail) }].compactMap({
      $0
    }) {
      let failure = URLSessionFailure(
        platformCode: code, detail: detail, isSecure: row.isSecure, announced: row.announced,
        received: row.received)
      #expect(failure.code == row.expected, "\(code) \(detail)")
      #expect(failure.message.contains("\(code)"), "A developer finds the platform's code in the message.")
    }
  }

  private func failure(
    _ error: NSError, fields: HTTP.Fields? = nil
  ) -> URLSessionFailure {
    URLSessionFailure(
      error, url: URL(string: "http://127.0.0.1/"), fields: fields, received: 3)
  }

  @Test func detailsAreReadFromTheFields() {
    let error = NSError(
      domain: NSURLErrorDomain, code: -1, userInfo: [NSLocalizedDescriptionKey: "transfer closed"])
    let plain = failure(error, fields: ["content-length": "12", "Content-Encoding": "Identity"])
    #expect(plain.announced == .init(length: 12, isEncoded: false))
    #expect(plain.detail == "transfer closed")
    let encoded = failure(error, fields: ["Content-Encoding": "br"])
    #expect(encoded.announced == .init(length: nil, isEncoded: true))
    let posix = NSError(domain: NSPOSIXErrorDomain, code: -1009)
    #expect(failure(posix).code == .unknown, "A number of another domain means something else.")
    for (url, isSecure) in [
      ("https://a.example/", true), ("WSS://a.example/", true), ("ws://a.example/", false),
    ] {
      let found = URLSessionFailure(error, url: URL(string: url), fields: nil, received: 0)
        .isSecure
      #expect(found == isSecure, "\(url)")
    }
  }

  @Test(arguments: [NSPOSIXErrorDomain, "kNWErrorDomainPOSIX"])
  func errorsOfSystemCallsAreMapped(_ domain: String) {
    let codes: [(POSIXErrorCode, TransportError.Code)] = [
      (.ECONNABORTED, .connectionLost), (.ECONNRESET, .connectionLost), (.ENOTCONN, .connectionLost),
      (.EPIPE, .connectionLost), (.ENETDOWN, .offline), (.ECONNREFUSED, .connectionRefused),
      (.ETIMEDOUT, .timedOut), (.EMSGSIZE, .bodyTooLarge), (.EINVAL, .unknown),
    ]
    for (code, expected) in codes {
      let failure = failure(NSError(domain: domain, code: Int(code.rawValue)))
      #expect(failure.code == expected, "\(code)")
    }
    let message = failure(NSError(domain: domain, code: Int(ECONNABORTED))).message
    #expect(message.contains("\(domain) \(ECONNABORTED)"), "\(message)")
  }
}
