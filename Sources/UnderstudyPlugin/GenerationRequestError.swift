/// Why the generator cannot be asked, in one line.
struct GenerationRequestError: Error, CustomStringConvertible {
  let description: String
}
