import UnderstudyHTTP

/// A pattern of SQL's `LIKE`.
struct LikePattern {
  fileprivate enum Part {
    case anything
    case one
    case literal(Unicode.Scalar)
    /// An escape character at the end.
    case nothing
  }

  private let parts: [Part]
  private let ignoresCase: Bool

  init(_ pattern: String, ignoresCase: Bool) {
    var parts: [Part] = []
    var isEscaped = false
    for scalar in (ignoresCase ? pattern.simplyLowercased : pattern).unicodeScalars {
      if isEscaped {
        parts.append(.literal(scalar))
        isEscaped = false
      } else {
        switch scalar {
        case "\\": isEscaped = true
        case "%": parts.append(.anything)
        case "_": parts.append(.one)
        default: parts.append(.literal(scalar))
        }
      }
    }
    if isEscaped { parts.append(.nothing) }
    self.parts = parts
    self.ignoresCase = ignoresCase
  }

  /// Goes back only to the last `%`, so the time is at most the product of both lengths.
  ///
  /// - Throws: 22025 if there is text left for an escape character at the end of the pattern.
  func matches(_ text: String) throws(PostgRESTError) -> Bool {
    let scalars = Array((ignoresCase ? text.simplyLowercased : text).unicodeScalars)
    var (place, part) = (0, 0)
    var retry: (place: Int, part: Int)?
    while place < scalars.count {
      if part < parts.count, case .nothing = parts[part] {
        throw PostgRESTError(code: "22025", message: "LIKE pattern must not end with escape character")
      }
      if part < parts.count, case .anything = parts[part] {
        retry = (place, part + 1)
        part += 1
      } else if part < parts.count, parts[part].takes(scalars[place]) {
        place += 1
        part += 1
      } else if let last = retry {
        retry = (last.place + 1, last.part)
        (place, part) = (last.place + 1, last.part)
      } else {
        return false
      }
    }
    return parts[part...].allSatisfy { if case .anything = $0 { true } else { false } }
  }
}

extension LikePattern.Part {
  fileprivate func takes(_ scalar: Unicode.Scalar) -> Bool {
    switch self {
    case .anything, .one: true
    case .literal(let own): own == scalar
    case .nothing: false
    }
  }
}
