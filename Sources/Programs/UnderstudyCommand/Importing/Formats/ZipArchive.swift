import Foundation
import UnderstudyRecording

/// The files in a ZIP archive, as `.saz` is one: stored or deflated, without encryption and Zip64 (APPNOTE 6.3.10).
struct ZipArchive {
  /// The reason why an archive cannot be read.
  struct Failure: Error {
    let message: String
  }

  private struct Member {
    let flags: Int
    let method: Int
    let checksum: UInt32
    let packedSize: Int
    let size: Int
    let offset: Int
  }

  private let bytes: [UInt8]
  private var members: [String: Member] = [:]

  /// The names of the files.
  var names: [String] { members.keys.sorted() }

  /// Reads the directory at the end of an archive (§4.3.12, §4.3.16).
  init(_ data: Data) throws(Failure) {
    bytes = [UInt8](data)
    let signature: [UInt8] = [0x50, 0x4B, 5, 6]
    // The directory's end is followed by a comment of up to 65,535 bytes.
    let first = max(0, bytes.count - 22 - 0xFFFF)
    guard bytes.count >= 22,
      let end = (first...bytes.count - 22).last(where: {
        bytes[$0] == 0x50 && bytes[$0..<$0 + 4].elementsEqual(signature)
      })
    else { throw Failure(message: "The directory of the ZIP archive is missing; the file may be incomplete") }
    let count = number(at: end + 10, 2) ?? 0
    var place = number(at: end + 16, 4) ?? 0
    guard count < 0xFFFF, place != Int(truncatingIfNeeded: UInt32.max) else {
      throw Failure(message: "It is a Zip64 archive, which is not supported")
    }
    for _ in 0..<count {
      guard number(at: place, 4) == 0x0201_4B50, let flags = number(at: place + 8, 2),
        let method = number(at: place + 10, 2), let checksum = number(at: place + 16, 4),
        let packedSize = number(at: place + 20, 4), let size = number(at: place + 24, 4),
        let nameLength = number(at: place + 28, 2), let extraLength = number(at: place + 30, 2),
        let commentLength = number(at: place + 32, 2), let offset = number(at: place + 42, 4),
        place + 46 + nameLength <= bytes.count
      else { throw Failure(message: "The directory of the ZIP archive is damaged at byte \(place)") }
      let name = String(decoding: bytes[place + 46..<place + 46 + nameLength], as: UTF8.self)
      members[name.replacing("\\", with: "/")] = Member(
        flags: flags, method: method, checksum: UInt32(checksum), packedSize: packedSize, size: size,
        offset: offset)
      place += 46 + nameLength + extraLength + commentLength
    }
  }

  /// Returns the contents of a file; `nil` if it is missing.
  func contents(of name: String) throws(Failure) -> Data? {
    guard let member = members[name] else { return nil }
    guard member.flags & 1 == 0 else {
      throw Failure(message: "\(name) is encrypted; save the archive without a password")
    }
    let place = member.offset
    guard number(at: place, 4) == 0x0403_4B50, let nameLength = number(at: place + 26, 2),
      let extraLength = number(at: place + 28, 2)
    else { throw Failure(message: "\(name) is damaged") }
    let start = place + 30 + nameLength + extraLength
    guard start + member.packedSize <= bytes.count else { throw Failure(message: "\(name) is damaged") }
    let packed = Data(bytes[start..<start + member.packedSize])
    let data: Data?
    switch member.method {
    case 0: data = packed
    case 8: data = Inflation.bytes(of: packed, .deflate)
    default:
      throw Failure(message: "\(name) is compressed with the method \(member.method), which is not supported")
    }
    guard let data, data.count == member.size, Inflation.checksum(of: [UInt8](data)) == member.checksum else {
      throw Failure(message: "\(name) is damaged")
    }
    return data
  }

  private func number(at place: Int, _ size: Int) -> Int? {
    guard place >= 0, place + size <= bytes.count else { return nil }
    return bytes[place..<place + size].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
