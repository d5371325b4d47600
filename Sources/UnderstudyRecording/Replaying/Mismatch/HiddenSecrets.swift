import Foundation
import UnderstudyHTTP

/// Keeps secrets out of what is said of a request.
struct HiddenSecrets {
  private let keying: RequestKeying
  private let secrets: [String]

  /// - Parameter secrets: Those of the request.
  init(_ keying: RequestKeying, _ secrets: [String], _ state: ReplayState) {
    self.keying = keying
    self.secrets = state.secrets.known(with: secrets)
  }

  /// The text without the secrets that are known: what the rules find in one place may stand in another as well.
  func text(_ text: String) -> String {
    secrets.reduce(text) { $0.replacing($1, with: KeyedRequest.mask) }
  }

  /// The first line of a request, without the fragment, and without an origin that does not count.
  func target(_ method: String, _ url: String) -> String {
    var masking = SecretMasking(keying.scanner)
    let bytes = Array(url.prefix { $0 != "#" }.utf8)
    let shown = keying.comparesOrigin ? bytes : Array(bytes[SplitURL(url).path.startIndex...])
    return text("\(method) \(masking.text(shown))")
  }

  /// An entry by its number and its request.
  func entry(_ number: Int, _ state: ReplayState) -> String {
    let request = state.index.archive.request(at: number)
    return "entry \(number), \(target(request.method.rawValue, request.url))"
  }
}
