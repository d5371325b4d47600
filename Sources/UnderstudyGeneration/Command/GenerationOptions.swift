/// What `generate` is told.
struct GenerationOptions: Equatable {
  /// What can be written for a protocol.
  enum Kind: String, CaseIterable {
    /// The conformance of `Intercepted`.
    case intercepted
    /// The double that implements only what a test says.
    case unimplemented
  }

  // What the first line of a file says.

  var protocols: [String] = []
  var module: String?
  var kinds: [Kind] = Kind.allCases
  /// What is written by hand.
  var omitted: [String] = []
  /// What makes an error of a fault.
  var failure: String?
  /// Modules that are imported besides those that the declarations name.
  var imports: [String] = []
  /// Protocols of other packages.
  var retroactive: [String] = []
  var output: String?

  // What is said for one run.

  var isCheck = false
  /// Generated files, whose first lines say the rest.
  var files: [String] = []
  /// Files or folders of symbol graphs.
  var symbolGraphs: [String] = []
  /// A folder of compiled modules.
  var modules: String?
  var isHelp = false

  init() {}

  /// Reads the words behind `generate`.
  ///
  /// - Parameter origin: Where the words are, for errors.
  init(_ words: [String], of origin: String) throws(GenerationError) {
    var rest = words[...]
    while let word = rest.popFirst() {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let option = word.hasPrefix("-") ? parts[0] : word
      func value() throws(GenerationError) -> String {
        let value = word.hasPrefix("-") && parts.count > 1 ? parts[1] : rest.popFirst()
        guard let value, !value.isEmpty else {
          throw GenerationError("\(option) needs a value. See \(origin) --help.")
        }
        return value
      }
      if ["--help", "-h", "--check"].contains(option), parts.count > 1 {
        throw GenerationError("\(option) takes no value, so \"\(word)\" says nothing. See \(origin) --help.")
      }
      switch option {
      case "--help", "-h": isHelp = true
      case "--protocol":
        let name = try value()
        guard !protocols.contains(name) else {
          throw GenerationError("--protocol \(name) is given twice. See \(origin) --help.")
        }
        protocols.append(name)
      case "--module": module = try value()
      case "--write":
        let name = try value()
        guard let kind = Kind(rawValue: name) else {
          let known = Kind.allCases.map(\.rawValue).joined(separator: ", ")
          throw GenerationError("\"\(name)\" is no kind of double here. Choose from: \(known).")
        }
        kinds = kinds == Kind.allCases ? [kind] : kinds + [kind]
      case "--omit": omitted.append(try value())
      case "--failure": failure = try value()
      case "--import": imports.append(try value())
      case "--retroactive": retroactive.append(try value())
      case "--output": output = try value()
      case "--check": isCheck = true
      case "--symbol-graph": symbolGraphs.append(try value())
      case "--modules": modules = try value()
      case _ where !word.hasPrefix("-"): files.append(word)
      default: throw GenerationError("\"\(word)\" is not an option of generate. See \(origin) --help.")
      }
    }
  }

  /// The words that say again what a file is.
  var words: [String] {
    func repeated(_ option: String, _ values: [String]) -> [String] { values.flatMap { [option, $0] } }
    return repeated("--module", module.map { [$0] } ?? []) + repeated("--protocol", protocols)
      + repeated("--write", kinds == Kind.allCases ? [] : kinds.map(\.rawValue)) + repeated("--omit", omitted)
      + repeated("--failure", failure.map { [$0] } ?? []) + repeated("--import", imports)
      + repeated("--retroactive", retroactive) + repeated("--output", output.map { [$0] } ?? [])
  }
}
