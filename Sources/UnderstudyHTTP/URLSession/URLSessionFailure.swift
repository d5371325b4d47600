import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a URLSession task failed with, and what else tells one failure from another.
///
/// Both platforms' codes end here. Apple has a code for each failure; on Linux -1 is what every error of
/// libcurl becomes that Foundation does not know, and -1011 and -1002 stand for other things than at Apple.
struct URLSessionFailure: Hashable, Sendable {
  /// The body that the head announced.
  struct AnnouncedBody: Hashable, Sendable {
    /// `Content-Length`, in bytes.
    var length: Int?
    /// Whether what arrives is decoded on the way, so that its length says nothing.
    var isEncoded = false
  }

  /// In the domain of `NSURLErrorDomain`; any other domain counts as -1.
  var platformCode: Int
  /// libcurl's own sentence on Linux.
  var detail: String
  /// Whether the request was for https.
  var isSecure: Bool
  /// `nil` until the head has come.
  var announced: AnnouncedBody?
  /// How many bytes of body came.
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
    // Linux: "Empty reply from server". At Apple, an answer that makes no sense.
    case NSURLErrorBadServerResponse: announced == nil ? .connectionLost : .unreadableResponse
    case NSURLErrorCannotParseResponse, NSURLErrorCannotDecodeRawData, NSURLErrorCannotDecodeContentData,
      NSURLErrorZeroByteResource:
      .unreadableResponse
    // The request's scheme was looked at before it was sent, so this speaks of the answer: on Linux, of one
    // that does not begin as HTTP/1 does.
    case NSURLErrorUnsupportedURL: .unreadableResponse
    case NSURLErrorHTTPTooManyRedirects, NSURLErrorRedirectToNonExistentLocation: .tooManyRedirects
    case NSURLErrorBadURL, NSURLErrorAppTransportSecurityRequiresSecureConnection,
      NSURLErrorRequestBodyStreamExhausted:
      .invalidRequest
    // From secureConnectionFailed to clientCertificateRequired. Linux has other numbers under these names.
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
    // "transfer closed with outstanding read data remaining": a chunked body without its end.
    return detail.contains("transfer closed") ? .connectionLost : .unreadableResponse
  }

  /// One sentence on what happened, for a developer.
  var message: String {
    let what =
      switch code {
      case .cancelled: "The request was cancelled"
      case .timedOut: "Nothing arrived for as long as the request would wait"
      case .offline: "The device has no network"
      case .hostNotFound: "The name of the host has no address"
      case .connectionRefused: "Nothing listens at the address"
      case .connectionLost: "The connection ended before the whole answer was there"
      case .unreadableResponse: "What arrived cannot be read as its protocol and its fields demand"
      case .tooManyRedirects: "The redirects lead nowhere"
      case .invalidRequest: "The platform does not send this request"
      case .untrusted: "No secure connection could be agreed on"
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
  /// The failure of a task whose head had these fields, if it had come.
  init(_ error: any Error, isSecure: Bool, fields: HTTP.Fields?, received: Int) {
    let error = error as NSError
    platformCode = error.domain == NSURLErrorDomain ? error.code : NSURLErrorUnknown
    detail = error.userInfo[NSLocalizedDescriptionKey] as? String ?? ""
    self.isSecure = isSecure
    announced = fields.map { fields in
      let encoding = fields["Content-Encoding"] ?? "identity"
      return AnnouncedBody(
        length: fields["Content-Length"].flatMap { Int($0) }, isEncoded: encoding.lowercased() != "identity")
    }
    self.received = received
  }
}
