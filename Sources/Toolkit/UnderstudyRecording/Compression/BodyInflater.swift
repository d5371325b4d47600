import UnderstudyZlib
import Foundation
package import UnderstudyHTTP

/// A decoder of a body that arrives in pieces, for the content codings `gzip` and `deflate` (RFC 9110 §8.4.1).
package actor BodyInflater {
  /// The state of zlib, which has pointers to itself.
  private final class Stream {
    let state = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    let isOpen: Bool

    init(_ format: Inflation.Format) {
      state.initialize(to: z_stream())
      isOpen = czlib_inflate_begin(state, format.rawValue) == Z_OK
    }

    deinit {
      if isOpen { inflateEnd(state) }
      state.deallocate()
    }
  }

  /// An error thrown when bytes are not in the coding.
  private struct InvalidData: Error {}

  private let coding: String
  private var stream: Stream?
  /// Whether the last byte was the end of a member.
  private var isAtEnd = false
  private var output = [UInt8](repeating: 0, count: 64 << 10)

  private init(_ coding: String) {
    self.coding = coding
  }

  /// Returns a body without its content codings, decoded as it arrives; `nil` if one of them is not supported.
  ///
  /// - Parameter codings: The codings in the order in which they were applied (RFC 9110 §8.4).
  package static func decoded(_ body: HTTP.Body, _ codings: [String]) -> HTTP.Body? {
    guard codings.allSatisfy({ ["gzip", "x-gzip", "deflate"].contains($0) }) else { return nil }
    return codings.reversed().reduce(body) { body, coding in
      HTTP.Body(perReader: {
        let next = body.makeReader()
        let inflater = BodyInflater(coding)
        return {
          while let bytes = try await next() {
            let decoded = try await inflater.decoded(bytes)
            // Bytes may complete no byte of the result.
            if !decoded.isEmpty { return decoded }
          }
          try await inflater.end()
          return nil
        }
      })
    }
  }

  private func decoded(_ bytes: Data) throws(TransportError) -> Data {
    guard let first = bytes.first else { return bytes }
    let stream = self.stream ?? Stream(format(first))
    self.stream = stream
    var input = [UInt8](bytes)
    let count = input.count
    do {
      return try input.withUnsafeMutableBufferPointer { input in
        stream.state.pointee.next_in = input.baseAddress
        stream.state.pointee.avail_in = uInt(count)
        return try inflate(stream)
      }
    } catch {
      throw unreadable("is not valid")
    }
  }

  /// Some servers send deflate without the header of zlib (RFC 1950 §2.2), whose first four bits are 8.
  private func format(_ first: UInt8) -> Inflation.Format {
    coding == "deflate" && first & 0x0F != 8 ? .deflate : .detected
  }

  private func inflate(_ stream: Stream) throws -> Data {
    guard stream.isOpen else { throw InvalidData() }
    var result = Data()
    while true {
      // Another member of a gzip file may follow (RFC 1952 §2.2); bytes of another kind are ignored.
      if isAtEnd {
        guard stream.state.pointee.avail_in > 0, stream.state.pointee.next_in?.pointee == 0x1F else {
          return result
        }
        guard inflateReset(stream.state) == Z_OK else { throw InvalidData() }
        isAtEnd = false
      }
      let (status, count) = output.withUnsafeMutableBufferPointer { output -> (Int32, Int) in
        stream.state.pointee.next_out = output.baseAddress
        stream.state.pointee.avail_out = uInt(output.count)
        let status = UnderstudyZlib.inflate(stream.state, Z_NO_FLUSH)
        return (status, output.count - Int(stream.state.pointee.avail_out))
      }
      result.append(contentsOf: output[..<count])
      switch status {
      case Z_OK: if stream.state.pointee.avail_in == 0, count < output.count { return result }
      // All bytes that have arrived are decoded.
      case Z_BUF_ERROR: return result
      case Z_STREAM_END: isAtEnd = true
      default: throw InvalidData()
      }
    }
  }

  private func end() throws(TransportError) {
    // A body without bytes has no coding.
    guard stream == nil || isAtEnd else { throw unreadable("ends too early") }
  }

  private func unreadable(_ what: String) -> TransportError {
    TransportError(.unreadableResponse, "The body is encoded with \(coding), and \(what).")
  }
}
