import Foundation
import UnderstudyTransport

/// The entries of a recording by the requests that they answer.
struct ReplayIndex: Sendable {
  /// Entries that answer the same request, the secrets in it included.
  struct Line: Sendable {
    let secrets: [String]
    var entries: [Int]
  }

  let entries: [HTTPArchive.Entry]
  /// The key of each entry; `nil` where it has no URL to ask for.
  let keys: [RequestKey?]
  /// Numbers of lines, in the order of their first entries.
  private(set) var linesOfKey: [RequestKey: [Int]] = [:]
  private(set) var lines: [Line] = []
  private var lineOfRequest: [Exact: Int] = [:]

  private struct Exact: Hashable {
    let key: RequestKey
    let secrets: [String]
  }

  init(_ archive: HTTPArchive, matching: RequestMatching, scanner: SecretScanner) {
    entries = archive.entries
    var keys: [RequestKey?] = []
    for (index, entry) in entries.enumerated() {
      let keyed = HTTPRequest(entry.request).map {
        KeyedRequest($0, matching: matching, scanner: scanner)
      }
      keys.append(keyed?.key)
      guard let keyed else { continue }
      let exact = Exact(key: keyed.key, secrets: keyed.secrets)
      if let line = lineOfRequest[exact] {
        lines[line].entries.append(index)
      } else {
        lineOfRequest[exact] = lines.count
        linesOfKey[keyed.key, default: []].append(lines.count)
        lines.append(Line(secrets: keyed.secrets, entries: [index]))
      }
    }
    self.keys = keys
  }

  /// The line of a request whose secrets stand in the recording as they are.
  func line(of key: RequestKey, _ secrets: [String]) -> Int? {
    lineOfRequest[Exact(key: key, secrets: secrets)]
  }
}
