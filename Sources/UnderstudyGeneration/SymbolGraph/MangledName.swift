/// The name by which the compiler knows a declaration.
struct MangledName {
  let text: String

  init(_ text: String) {
    self.text = text
  }

  /// The module that is to be imported for it; `nil` for what needs no import, and for what came from C.
  ///
  /// A name of Swift is `s:`, then what it is in: first the module, its length before it (`s:3App4TodoV`). The standard
  /// library and `_Concurrency` have abbreviations.
  var module: String? {
    guard text.hasPrefix("s:") else { return nil }
    let name = text.dropFirst(2)
    let digits = name.prefix(while: \.isNumber)
    guard let length = Int(digits), length > 0 else { return nil }
    let module = name.dropFirst(digits.count).prefix(length)
    // Modules that are part of others, which alone are imported.
    if module.hasPrefix("_") { return nil }
    return module.hasPrefix("FoundationEssentials") || module.hasPrefix("FoundationInternationalization")
      ? "Foundation" : String(module)
  }
}
