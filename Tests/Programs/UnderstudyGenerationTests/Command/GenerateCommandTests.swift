import Foundation
import TestSupport
import Testing
import UnderstudyTesting

@Suite(.stallLimit()) struct GenerateCommandTests {
  // Catches arguments with a wrong meaning, and errors without a remedy.
  @Test(arguments: [
    ("--protocol", "--protocol requires a value. See tool generate --help."),
    ("--colour", "Unknown option \"--colour\". See tool generate --help."),
    ("--write fake", "Unknown kind of double \"fake\". Valid values: intercepted, unimplemented."),
    ("", "generate requires --protocol or a generated file. See tool generate --help."),
    ("--protocol Orders", "generate requires --output. See tool generate --help."),
    (
      "--protocol Orders --output doubles.txt",
      "--output requires a .swift file or a folder, which exists or ends with /, found doubles.txt."
    ),
    (
      "--protocol Orders --output a.swift",
      "generate requires --module or --symbol-graph. See tool generate --help."
    ),
    (
      "--protocol Orders --output a.swift --symbol-graph /no/such",
      "--symbol-graph: file not found: /no/such."
    ),
    (
      "--protocol Orders --output a.swift --module Shop --modules /no/such",
      "Compiled module Shop not found in /no/such. Is it the name of a target?"
    ),
    ("/no/such.swift", "File not found: /no/such.swift (in \(FileManager.default.currentDirectoryPath))."),
    (
      "--check=no a.swift",
      "--check does not take a value, found \"no\". See tool generate --help."
    ),
    ("--help=no", "--help does not take a value, found \"no\". See tool generate --help."),
    (
      "--protocol Orders --protocol Orders --output a.swift",
      "--protocol Orders is repeated. See tool generate --help."
    ),
    ("--module Shop --modules a --modules b", "--modules is repeated. See tool generate --help."),
    (
      "\(#filePath)",
      "\(#filePath) is not a generated file: its first line does not start with \"// Written by: understudy generate \"."
    ),
    (
      "/no/such.swift --module Shop",
      "--module cannot be combined with files, whose first lines have the options."
    ),
  ])
  func badArgumentsAreOneLineAndExitStatusTwo(_ line: String, _ message: String) {
    let run = CommandRun(line.split(separator: " ").map(String.init))
    #expect(run.errors == ["tool: \(message)"])
    #expect(run.output == [])
    #expect(run.status == 2)
  }

  @Test func anUnknownProtocolIsReportedWithTheKnownOnes() {
    let run = CommandRun.shop("--protocol", "Order", "--output", "a.swift")
    #expect(run.errors.count == 1)
    #expect(
      run.errors.first?.hasPrefix(
        "tool: Protocol Order not found in Shop. Valid values: Bounded, Changing, Choosing, ") == true
    )
  }

  // Catches an omission that is lost, or that is in the command of a file whose protocol has no such requirement.
  @Test func aFolderGetsAFileForEachProtocolWithItsOwnCommand() throws {
    let folder = try TemporaryFolder()
    let run = CommandRun.shop(
      "--module", "Shop", "--protocol", "Orders", "--protocol", "Stock", "--omit", "cancel", "--output",
      "\(folder.path)/new/")
    #expect(run.errors == [])
    #expect(
      run.output == ["\(folder.path)/new/Orders+Doubles.swift", "\(folder.path)/new/Stock+Doubles.swift"])
    let first = try ["Orders", "Stock"].map { name in
      try folder.read("new/\(name)+Doubles.swift").prefix { !$0.isNewline }
    }
    let command = "// Written by: understudy generate --module Shop --protocol"
    #expect(
      first == [
        "\(command) Orders --omit cancel --output \(folder.path)/new/Orders+Doubles.swift",
        "\(command) Stock --output \(folder.path)/new/Stock+Doubles.swift",
      ])
    let orders = try folder.read("new/Orders+Doubles.swift")
    #expect(orders.contains("func place(_ name: String)"))
    let conformance = orders.components(separatedBy: "/// A `Orders`")[0]
    #expect(conformance.contains(#"Self("cancel")"#))
    #expect(!conformance.contains("func cancel"))
    #expect(
      CommandRun.shop("--protocol", "Stock", "--omit", "cancel", "--output", "\(folder.path)/").errors
        == ["tool: --omit cancel: requirement not found in Stock."])
  }

  // Catches a check that writes, that ignores differences, or that requires more than the file.
  @Test func aCheckReportsDifferencesAndAFileIsRegeneratedFromItsFirstLine() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/Stock.swift"
    #expect(
      CommandRun.shop("--protocol", "Stock", "--failure", "Shop.make(of:)", "--output", path).output == [path]
    )
    let text = try folder.read("Stock.swift")
    #expect(text.contains("--failure 'Shop.make(of:)' --output \(path)\n"))
    #expect(CommandRun.shop("--check", path).output == ["1 file is up to date."])

    // Once in the conformance: the table has it in another line.
    let changed = text.replacing(
      "      try await base.count(of: name)", with: "      try await base.count(of: \"\")")
    try folder.write(changed, to: "Stock.swift")
    let check = CommandRun.shop("--check", path)
    #expect(check.status == 1)
    #expect(check.output == [])
    let number = try #require(
      text.split(separator: "\n", omittingEmptySubsequences: false).firstIndex {
        $0.contains("base.count(of: name)")
      })
    #expect(
      check.errors == [
        "\(path) is out of date:",
        "\(path):\(number + 1): -       try await base.count(of: \"\")",
        "\(path):\(number + 1): +       try await base.count(of: name)",
        "tool: To update, run the same command without --check.",
      ])
    #expect(try folder.read("Stock.swift") == changed)

    #expect(CommandRun.shop(path).output == [path])
    #expect(try folder.read("Stock.swift") == text)
    #expect(CommandRun.shop(path).output == ["\(path) is up to date."])
  }

  // Catches an option that is lost when the file is regenerated, and a declaration that stays isolated by default.
  @Test func aFileForAnIsolatedTargetIsRegeneratedAsOne() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/Stock.swift"
    #expect(CommandRun.shop("--protocol", "Stock", "--nonisolated", "--output", path).errors == [])
    let text = try folder.read("Stock.swift")
    #expect(text.prefix { !$0.isNewline }.hasSuffix("--nonisolated --output \(path)"))
    let words = ["extension ", "struct ", "public struct ", "class "]
    #expect(text.split(separator: "\n").filter { line in words.contains { line.hasPrefix($0) } } == [])
    #expect(text.contains("nonisolated public struct UnimplementedStock: Stock {"))
    #expect(CommandRun.shop("--check", path).output == ["1 file is up to date."])
    try folder.write(text.replacing("--nonisolated ", with: ""), to: "Stock.swift")
    #expect(CommandRun.shop("--check", path).status == 1)
  }

  // Catches a failed command that has updated some of the files.
  @Test func aRefusalLeavesTheOtherFilesUnchanged() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/Stock.swift"
    _ = CommandRun.shop("--protocol", "Stock", "--output", path)
    let changed = try folder.read("Stock.swift") + "// Changed.\n"
    try folder.write(changed, to: "Stock.swift")
    try folder.write("// Written by: understudy generate --protocol Many --output b.swift\n", to: "b.swift")
    let run = CommandRun.shop(path, "\(folder.path)/b.swift")
    #expect(run.status == 1)
    #expect(run.output == [])
    #expect(try folder.read("Stock.swift") == changed)
  }

  // Catches a misspelled name, and a conformance that therefore is not @retroactive.
  @Test(arguments: ["a.swift", "/no/such/folder/"])
  func aRetroactiveProtocolThatNothingRefinesIsRefused(_ output: String) {
    let run = CommandRun.shop("--protocol", "Orders", "--retroactive", "Order", "--output", output)
    #expect(run.status == 2)
    #expect(run.errors == ["tool: --retroactive Order: not Orders, nor a protocol that it refines."])
  }

  // Catches a check that compares an empty file with an empty text.
  @Test func aFileWithoutAProtocolInItsFirstLineIsRefused() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/Stock.swift"
    _ = CommandRun.shop("--protocol", "Stock", "--output", path)
    try folder.write("// Written by: understudy generate --output \(path)\n", to: "Stock.swift")
    let check = CommandRun.shop("--check", path)
    #expect(check.status == 2)
    #expect(check.output == [])
    #expect(
      check.errors == [
        "tool: The first line of \(path) is invalid: --protocol is missing."
      ])
  }

  @Test func aConformanceToAProtocolOfAnotherPackageIsRetroactive() throws {
    let folder = try TemporaryFolder()
    let run = CommandRun.shop(
      "--protocol", "Stock", "--protocol", "Orders", "--retroactive", "Stock", "--output",
      "\(folder.path)/Both.swift")
    #expect(run.status == 0)
    let text = try folder.read("Both.swift")
    #expect(text.contains("extension Understudy.Intercepted: @retroactive Stock where Base: Stock {"))
    #expect(text.contains("extension Understudy.Intercepted: Orders where Base: Orders {"))
  }

  @Test func aCheckOfAMissingFileFails() throws {
    let folder = try TemporaryFolder()
    let run = CommandRun.shop("--check", "--protocol", "Stock", "--output", "\(folder.path)/Stock.swift")
    #expect(run.status == 1)
    #expect(run.errors.first == "\(folder.path)/Stock.swift is missing.")
  }

  // Catches output that depends on the order in which the compiler writes a symbol graph.
  @Test func theOrderOfASymbolGraphDoesNotMatter() throws {
    let folder = try TemporaryFolder()
    try folder.writeShop { symbols, relationships in
      symbols.reverse()
      relationships.reverse()
    }
    let path = "\(folder.path)/Orders.swift"
    _ = CommandRun.shop("--protocol", "Orders", "--output", path)
    #expect(CommandRun(["--symbol-graph", folder.path, "--check", path]).errors == [])
  }

  // Catches requirements that are omitted because their module is unknown.
  @Test func aProtocolOfAModuleWithoutASymbolGraphIsReported() throws {
    let folder = try TemporaryFolder()
    try folder.writeShop { _, relationships in
      relationships.append([
        "kind": "conformsTo", "source": "s:4Shop5StockP", "target": "s:5Other7ClosingP",
        "targetFallback": "Other.Closing",
      ])
    }
    let words = [
      "--symbol-graph", folder.path, "--protocol", "Stock", "--output", "\(folder.path)/Stock.swift",
    ]
    #expect(
      CommandRun(words).errors == [
        "tool: Stock refines Closing of Other, whose symbol graph is missing: pass it with --symbol-graph, or write the conformance to it by hand and pass --omit Closing."
      ])
    #expect(CommandRun(words + ["--omit", "Closing"]).errors == [])
  }

  @Test func aProtocolThatIsNotSendableIsWrittenWithANote() throws {
    let folder = try TemporaryFolder()
    try folder.writeShop { _, relationships in
      relationships.removeAll { $0["source"] == "s:4Shop5StockP" && $0["target"] == "s:s8SendableP" }
    }
    let path = "\(folder.path)/Stock.swift"
    let run = CommandRun(["--symbol-graph", folder.path, "--protocol", "Stock", "--output", path])
    #expect(run.output == [path])
    #expect(run.errors.count == 1)
    #expect(run.errors.first?.hasPrefix("tool: Stock is not Sendable, so Intercepted requires") == true)
  }
}
