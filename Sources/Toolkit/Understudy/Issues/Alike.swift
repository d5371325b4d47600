/// Texts of an expected and of a found value, which may print alike although they differ.
package struct Alike: Sendable {
  /// The expected value.
  package let expected: String
  /// The found value.
  package let found: String
  /// What to do where the values print alike, as a sentence after a space; otherwise empty.
  package let advice: String

  /// A part of a sentence about one of the texts, with the advice as the next sentence.
  package func followed(_ text: String) -> String { advice.isEmpty ? text : text + "." + advice }

  /// Describes two values that are not equal.
  package init<Expected, Found>(_ expected: Expected, _ found: Found) {
    let (one, other) = ("\(expected)", "\(found)")
    guard one == other else {
      (self.expected, self.found, advice) = (one, other, "")
      return
    }
    // The dynamic types: an error is often an existential.
    let types = (String(reflecting: type(of: expected as Any)), String(reflecting: type(of: found as Any)))
    self.expected = "\(one) (\(types.0))"
    self.found = "\(other) (\(types.1))"
    let (reflected, otherReflected) = (String(reflecting: expected), String(reflecting: found))
    advice =
      if types.0 != types.1 {
        " They print alike but have different types: expect a \(types.1), or convert it to a \(types.0) first."
      } else if reflected != otherReflected {
        " They print alike but differ: \(reflected) is not \(otherReflected)."
      } else {
        """
         They print alike, but \(types.0).== returns false: correct it, or describe in `description` what differs.
        """
      }
  }
}
