import Foundation

extension HTTP.Fields {
  /// Whether a comma-separated list field contains a token (RFC 9110 §5.6.1).
  func hasToken(_ token: String, in name: String, ignoringCase: Bool = true) -> Bool {
    values(of: name).contains { list in
      list.split(separator: ",").contains { element in
        let element = element.trimmingCharacters(in: .whitespaces)
        return ignoringCase ? element.lowercased() == token.lowercased() : element == token
      }
    }
  }
}
