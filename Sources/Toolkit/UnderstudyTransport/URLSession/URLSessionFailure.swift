import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The error of a URLSession task, with the details that distinguish one failure from another.
///
/// Platform-specific codes are not used beyond this type. Apple has a code for each failure. On Linux, -1 stands for
/// every libcurl error that Foundation does not map, and -1011 and -1002 have other meanings than on Apple platforms.
struct URLSessionFailure: Hashable, Sendable {
  /// The body as announced by the head.
  struct AnnouncedBody: Hashable, Sendable {
    /// `Content-Length`, in bytes.
    var length: Int?
    /// Whether the content is decoded on arrival, so that its length cannot be compared.
    var isEncoded = false
  }

  /// The code in `NSURLErrorDomain`; zero for an error of another domain that has no such code.
  var platformCode: Int
  /// On Linux, libcurl's message; for an error of another domain, that domain and its code.
  var detail: String
  /// Whether the request used https.
  var isSecure: Bool
  /// `nil` until the head has arrived.
  var announced: AnnouncedBody?
  /// The number of bytes of the body that arrived.
  var received: Int

  /// The platform-neutral code.
  var code: TransportError.Code {
    switch platformCode {
    case NSURLErrorCancelled: .cancelled
    case NSURLErrorTimedOut: .timedOut
    case NSURLErrorNotConnectedToInternet, NSURLErrorDataNotAllowed, NSURLErrorInternationalRoamingOff,
      NSURLErrorCallIsActive:
      .offline
    case NSURLErrorCannotFindHost, NSURLErrorDNSLookupFailed: .hostNotFound
    case NSURLErrorCannotConnectToHost: .connectionRefused
    case NSURLErrorNetworkConnectionLost: .connectionLost
    // On Linux: "Empty reply from server". On Apple platforms: an invalid answer.
    case NSURLErrorBadServerResponse: announced == nil ? .connectionLost : .unreadableResponse
    case NSURLErrorCannotParseResponse, NSURLErrorCannotDecodeRawData, NSURLErrorCannotDecodeContentData,
      NSURLErrorZeroByteResource:
      .unreadableResponse
    // The request's scheme was checked before it was sent, so this concerns the answer: on Linux, one that does not
    // begin as HTTP/1 does.
    case NSURLErrorUnsupportedURL: .unreadableResponse
    case NSURLErrorHTTPTooManyRedirects, NSURLErrorRedirectToNonExistentLocation: .tooManyRedirects
    case NSURLErrorBadURL, NSURLErrorAppTransportSecurityRequiresSecureConnection,
      NSURLErrorRequestBodyStreamExhausted:
      .invalidRequest
    // From secureConnectionFailed to clientCertificateRequired. On Linux these names have other numbers.
    case -1206 ... -1200: .untrusted
    case NSURLErrorDataLengthExceedsMaximum: .bodyTooLarge
    case NSURLErrorUnknown: codeOfUnknown
    default: .unknown
    }
  }

  private var codeOfUnknown: TransportError.Code {
    guard let announced else {
      let speaksOfTLS = ["ssl", "tls", "certificate"].contains { detail.lowercased().contains($0) }
      return isSecure && speaksOfTLS ? .untrusted : .unreadableResponse
    }
    if let length = announced.length, !announced.isEncoded, received < length { return .connectionLost }
    // "transfer closed with outstanding read data remaining": a chunked body without its last chunk.
    return detail.contains("transfer closed") ? .connectionLost : .unreadableResponse
  }

  /// A description of the failure in one sentence, for a developer.
  var message: String {
    let what =
      switch code {
      case .cancelled: "The request was cancelled"
      case .timedOut: "The request timed out"
      case .offline: "The device has no network"
      case .hostNotFound: "The host was not found"
      case .connectionRefused: "The connection was refused"
      case .connectionLost: "The connection ended before the complete answer arrived"
      case .unreadableResponse: "The response is not valid"
      case .tooManyRedirects: "The redirects form a loop or exceed the limit"
      case .invalidRequest: "The platform cannot send this request"
      case .untrusted: "No secure connection could be established"
      default: "URLSession failed"
      }
    let place =
      switch announced {
      case nil: "before the head of the response"
      case let announced?:
        "after \(received)" + (announced.length.map { " of \($0)" } ?? "") + " bytes of body"
      }
    return "\(what), \(place) (\(platformCode)\(detail.isEmpty ? "" : ": \(detail)"))."
  }
}

extension URLSessionFailure {
  /// Creates the failure of a task; the fields are those of the head, if it has arrived.
  init(_ error: any Error, url: URL?, fields: HTTP.Fields?, received: Int) {
    let error = error as NSError
    let isOfURLSession = error.domain == NSURLErrorDomain
    platformCode = isOfURLSession ? error.code : Self.code(ofSystemCallIn: error) ?? 0
    let description = error.userInfo[NSLocalizedDescriptionKey] as? String ?? ""
    detail = isOfURLSession ? description : "\(error.domain) \(error.code)"
    isSecure = ["https", "wss"].contains(url?.scheme?.lowercased())
    announced = fields.map { fields in
      let encoding = fields["Content-Encoding"] ?? "identity"
      return AnnouncedBody(
        length: fields["Content-Length"].flatMap { Int($0) }, isEncoded: encoding.lowercased() != "identity")
    }
    self.received = received
  }

  /// The code in `NSURLErrorDomain` for the error of a system call.
  ///
  /// URLSession passes it on in the system's domain, for instance when an app returns from the background (53,
  /// ECONNABORTED: AFNetworking #4279), and on WebSockets also in that of Network.framework (stream-chat-swift #1157).
  private static func code(ofSystemCallIn error: NSError) -> Int? {
    guard [NSPOSIXErrorDomain, "kNWErrorDomainPOSIX"].contains(error.domain) else { return nil }
    return switch POSIXErrorCode(rawValue: Int32(truncatingIfNeeded: error.code)) {
    case .ECONNABORTED, .ECONNRESET, .ENETRESET, .ENOTCONN, .EPIPE: NSURLErrorNetworkConnectionLost
    case .ENETDOWN, .ENETUNREACH: NSURLErrorNotConnectedToInternet
    case .ECONNREFUSED, .EHOSTDOWN, .EHOSTUNREACH: NSURLErrorCannotConnectToHost
    case .ETIMEDOUT: NSURLErrorTimedOut
    case .EMSGSIZE: NSURLErrorDataLengthExceedsMaximum
    default: nil
    }
  }
}
