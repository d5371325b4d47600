import Foundation
import UnderstudyHTTP

/// A filter that removes secrets from descriptions of a request.
struct HiddenSecrets {
  private let keying: RequestKeying
  private let secrets: [String]

  /// - Parameter secrets: The secrets of the request.
  init(_ keying: RequestKeying, _ secrets: [String], _ state: ReplayState) {
    self.keying = keying
    self.secrets = state.secrets.known(with: secrets)
  }

  /// Returns the text without the known secrets, which may occur where no rule detects them.
  func text(_ text: String) -> String {
    secrets.reduce(text) { $0.replacing($1, with: KeyedRequest.mask) }
  }

  /// Returns the method and URL of a request, without the fragment, and without an origin that is ignored.
  func target(_ method: String, _ url: String) -> String {
    var masking = SecretMasking(keying.scanner)
    let bytes = Array(url.prefix { $0 != "#" }.utf8)
    let shown = keying.comparesOrigin ? bytes : Array(bytes[SplitURL(url).path.startIndex...])
    return text("\(method) \(masking.text(shown))")
  }

  /// Returns the index and the request of an entry.
  func entry(_ number: Int, _ state: ReplayState) -> String {
    let request = state.index.archive.request(at: number)
    return "entry \(number), \(target(request.method.rawValue, request.url))"
  }
}
