import Foundation
import Testing

/// The code of README.md and of the articles is code of this folder or of a package in Tests/Downstream: what does not
/// compile cannot stay in them.
struct CodeInArticlesTests {
  @Test(arguments: try Article.all())
  func everyBlockIsCompiled(_ article: Article) throws {
    let files = try CompiledFile.all()
    for block in article.blocks where !files.contains(where: { $0.contains(block, gaps: article.gaps) }) {
      let (file, line) = CompiledFile.nearest(to: block, in: files)
      Issue.record(
        """
        \(article.path):\(block.line): No compiled file contains this block of code.
        first line that is not in \(file): \(line)
        Put the code in a file of Tests/ReadmeTests, and copy it from there.
        """)
    }
  }

  @Test func articlesAndFilesAreFound() throws {
    let articles = try Article.all()
    #expect(articles.contains { $0.path == "README.md" && !$0.blocks.isEmpty })
    #expect(articles.contains { $0.path == "Sources/Toolkit/Understudy/Understudy.docc/Understudy.md" })
    #expect(try CompiledFile.all().count > 15)
  }

  @Test(
    arguments: [
      ("let a = 1\nlet b = 2", true), ("  let a = 1\n\n  // A comment.\n  let b = 2", true),
      ("let a = 1\nlet c = 3", false), ("let a = 1\n\nlet c = 3", true), ("let a = 1\n// …\nlet c = 3", true),
      ("let c = 3\n\nlet a = 1", false),
      ("let a = 1\n\nlet a = 1", false), ("let a = 2", false), ("let a", false),
    ])
  func aBlockIsInAFileWhoseLinesItHas(_ code: String, isContained: Bool) {
    let file = CompiledFile(
      name: "A.swift", text: "func f() {\n  let a = 1 // One.\n  let b = 2\n  let c = 3\n}")
    #expect(file.contains(CodeBlock(line: 1, text: code), gaps: .atBlankLines) == isContained)
  }

  @Test func blocksOfOtherLanguagesAreNotRead() {
    let article = Article(
      path: "A.md",
      text: "```swift\nlet a = 1\n```\n\n```sh\nls\n```\n\n- A list:\n\n  ```swift\n  let b = 2\n  ```\n")
    #expect(article.blocks.map(\.line) == [1, 11])
    #expect(article.blocks.map(\.paragraphs) == [[["let a = 1"]], [["let b = 2"]]])
  }
}

/// A Markdown file and its blocks of Swift.
struct Article: CustomTestStringConvertible, Sendable {
  /// Where a block may leave out lines of the file.
  enum Gaps {
    case atBlankLines, anywhere
  }

  let path: String
  let blocks: [CodeBlock]

  /// README.md shows parts of longer functions.
  var gaps: Gaps { path == "README.md" ? .anywhere : .atBlankLines }

  var testDescription: String { path }

  init(path: String, text: String) {
    self.path = path
    var blocks: [CodeBlock] = []
    var open: (line: Int, isSwift: Bool, text: [Substring])?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let content = line.trimmingCharacters(in: .whitespaces)
      if !content.hasPrefix("```") {
        open?.text.append(line)
      } else if let block = open {
        if block.isSwift {
          blocks.append(CodeBlock(line: block.line, text: block.text.joined(separator: "\n")))
        }
        open = nil
      } else {
        open = (index + 1, content == "```swift", [])
      }
    }
    self.blocks = blocks
  }

  /// README.md and the files of all catalogs.
  static func all() throws -> [Article] {
    try (["README.md"] + files(in: ["Sources", "Contracts", "Recordings"], endingWith: ".md"))
      .filter { $0 == "README.md" || $0.contains(".docc/") }
      .map { Article(path: $0, text: try String(contentsOf: root.appending(path: $0), encoding: .utf8)) }
  }
}

/// A block of Swift in an article.
struct CodeBlock: Sendable {
  /// The line of the article where it begins.
  let line: Int
  /// Its lines of code without indentation and comments, divided at blank lines and at the comment "…".
  let paragraphs: [[String]]

  init(line: Int, text: String) {
    self.line = line
    paragraphs = text.split(separator: "\n", omittingEmptySubsequences: false)
      .split { ["", "// …"].contains($0.trimmingCharacters(in: .whitespaces)) }
      .map { $0.compactMap(codeOfLine) }.filter { !$0.isEmpty }
  }
}

/// A source that a test target compiles.
struct CompiledFile: Sendable {
  let name: String
  private let lines: [String]

  init(name: String, text: String) {
    self.name = name
    lines = text.split(separator: "\n").compactMap(codeOfLine)
  }

  /// Whether the file has the lines of a block, in their order, and the lines of each paragraph without a gap.
  func contains(_ block: CodeBlock, gaps: Article.Gaps) -> Bool {
    var rest = lines[...]
    let parts = gaps == .anywhere ? block.paragraphs.joined().map { [$0] } : block.paragraphs
    for part in parts {
      guard let range = rest.firstRange(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    return true
  }

  /// The file that has the most lines of a block, and the first line that it does not have.
  static func nearest(to block: CodeBlock, in files: [CompiledFile]) -> (file: String, line: String) {
    let code = block.paragraphs.flatMap(\.self)
    func missing(_ file: CompiledFile) -> [String] { code.filter { !file.lines.contains($0) } }
    guard let file = files.min(by: { missing($0).count < missing($1).count }) else { return ("any file", "") }
    return (
      file.name, missing(file).first ?? "all lines are there, in another order or with others between them"
    )
  }

  /// The sources of this folder and of the packages that adopt this one.
  static func all() throws -> [CompiledFile] { try found.get() }

  private static let found = Result<[CompiledFile], any Error> {
    let packages = ["TodoApp", "PlainREST", "Mistakes"].flatMap { package in
      ["Package.swift", "Sources", "Tests"].map { "Tests/Downstream/\(package)/\($0)" }
    }
    return try files(in: ["Tests/ReadmeTests"] + packages, endingWith: ".swift").map {
      CompiledFile(name: $0, text: try String(contentsOf: root.appending(path: $0), encoding: .utf8))
    }
  }
}

/// The code of a line, without indentation; `nil` for a comment or a blank line.
private func codeOfLine(_ line: Substring) -> String? {
  let code = line.trimmingCharacters(in: .whitespaces)
  if code.isEmpty || code.hasPrefix("//") { return nil }
  return code.components(separatedBy: " // ")[0].trimmingCharacters(in: .whitespaces)
}

/// The folder of the package.
private let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
  .standardizedFileURL

/// The paths of files below some folders.
private func files(in folders: [String], endingWith suffix: String) throws -> [String] {
  folders.flatMap { folder in
    if folder.hasSuffix(suffix) { return [folder] }
    return
      (FileManager.default.enumerator(atPath: root.appending(path: folder).path)?.compactMap { $0 as? String }
      ?? [])
      .filter { $0.hasSuffix(suffix) }.map { "\(folder)/\($0)" }
  }.sorted()
}
