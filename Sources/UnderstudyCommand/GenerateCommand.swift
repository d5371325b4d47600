import UnderstudyGeneration

extension CommandLineTool {
  /// `generate`: writes doubles of the adopter's own protocols.
  func generate(_ words: [String], console: Console) throws(CommandError) -> Int32 {
    var lines: [String] = []
    let status = GenerateCommand("\(name) generate").run(
      words, write: { lines.append($0) }, writeError: console.writeError)
    for line in lines { try console.write(line) }
    return status
  }
}
