/// Why nothing can be written: one line for each reason.
struct GenerationError: Error, CustomStringConvertible {
  let reasons: [String]

  init(_ reasons: [String]) {
    self.reasons = reasons
  }

  init(_ reason: String) {
    self.init([reason])
  }

  var description: String { reasons.joined(separator: "\n") }
}
