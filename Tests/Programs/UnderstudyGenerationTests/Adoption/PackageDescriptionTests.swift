import Foundation
import TestSupport
import Testing
import UnderstudyTesting

@testable import UnderstudyGeneration

/// The folders and the target lines come from the targets of the package.
@Suite(.stallLimit()) struct PackageDescriptionTests {
  /// A package with the module Shop, of which the symbol graph is stored.
  private func shop(doubles: String = "[]", tests: String = "[]") throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let sources = folder.url.appending(path: "Shop")
    try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
    // The word in a comment is not a declaration.
    try Data("// protocol Stack\npublic protocol Stock: Sendable {\n}\nprotocol Orders {}\n".utf8)
      .write(to: sources.appending(path: "Stock.swift"))
    try folder.write(
      """
      {"targets": [
        {"name": "Shop", "c99name": "Shop", "type": "library", "path": "\(folder.path)/Shop", "sources": ["Stock.swift"]},
        {"name": "shop-tests", "c99name": "shop_tests", "type": "test", "path": "\(folder.path)/Checks",
         "target_dependencies": ["Shop"], "product_dependencies": \(tests)},
        {"name": "Other", "c99name": "Other", "type": "library", "path": "\(folder.path)/Other"},
        {"name": "ShopDoubles", "c99name": "ShopDoubles", "type": "library", "path": "\(folder.path)/Doubles",
         "target_dependencies": ["Shop"], "product_dependencies": \(doubles)}
      ]}
      """, to: "targets.json")
    return folder
  }

  private func adopt(_ name: String, in folder: TemporaryFolder) async -> ProgramRun {
    await ProgramRun(
      "adopt \(name) --failure ShopError.make --symbol-graph \(Modules.graphs) --package-description \(folder.path)/targets.json"
    )
  }

  // Catches a build that waits for ever for the package manager, which waits for this command.
  @Test func withADescriptionNothingIsBuilt() async throws {
    let folder = try shop()
    let result = await ProgramRun("adopt Stock --package-description \(folder.path)/targets.json")
    #expect(result.status == 2)
    #expect(
      result.error.contains("The symbol graph of Shop, which declares Stock, is missing. Name it: --module"))
  }

  // Catches doubles in the test target beside a target for them, and internal members that the tests cannot use.
  @Test func theFilesAreInTheTargetsForThem() async throws {
    let folder = try shop()
    let result = await adopt("Stock", in: folder)
    #expect(result.error == "" && result.status == 0)
    let listed = result.lines.dropFirst().prefix(4).map { line in
      line.split(separator: " ").first.map(String.init) ?? ""
    }
    let names = [
      "Doubles/Generated/Stock+Doubles", "Doubles/InMemoryStock", "Checks/StockContract",
      "Checks/StockContractTests",
    ]
    let paths: [String] = names.map { "\(folder.path)/\($0).swift" }
    #expect(listed == paths)
    let double = try folder.read("Doubles/InMemoryStock.swift")
    #expect(double.contains("public import Shop\n"))
    #expect(double.contains("public actor InMemoryStock: Stock {"))
    #expect(double.contains("  public init() {}\n"))
    #expect(double.contains("  public func count(of name: String) async throws(ShopError) -> Int {\n"))
    let tests = try folder.read("Checks/StockContractTests.swift")
    #expect(tests.contains("import Shop\nimport ShopDoubles\nimport Testing\n"))
  }

  // Catches lines for dependencies that exist, and missing ones of the second target.
  @Test func onlyMissingDependenciesArePrinted() async throws {
    let output = await adopt("Stock", in: try shop()).output
    let product = ".product(name: \"Understudy\", package: \"understudy\"),"
    #expect(
      output.contains(
        """
        Next:
          1. In Package.swift, let these targets depend on:
             ShopDoubles:
               \(product)
             shop-tests:
               "ShopDoubles",
               \(product)
               .product(name: "UnderstudyTesting", package: "understudy"),
          2. swift test --filter StockContractTests
             Each clause fails with one sentence until its method in InMemoryStock and the clause are written.
             Those of stock.count.* whose fault occurs before the call pass at once.
          3. Write the methods of InMemoryStock, then the clauses.
          4. Add the live service as a second implementation: checks(of: .inMemory, .live).
             For a client over HTTP, write a backend in memory, and add the product UnderstudyHTTP to the test target.
        """), "\(output)")
    let complete = await adopt(
      "Stock", in: try shop(doubles: #"["Understudy"]"#, tests: #"["Understudy", "UnderstudyTesting"]"#)
    ).output
    #expect(!complete.contains("ShopDoubles:"))
    #expect(complete.contains("     shop-tests:\n       \"ShopDoubles\",\n  2. "))
  }

  // Catches files that do not compile in a target that is isolated by default, and needless modifiers in the others.
  @Test(arguments: [
    (#"{"kind": {"defaultIsolation": {"_0": "MainActor"}}, "tool": "swift"}"#, true),
    (#"{"kind": {"unsafeFlags": {"_0": ["-default-isolation", "MainActor"]}}, "tool": "swift"}"#, true),
    (#"{"kind": {"enableUpcomingFeature": {"_0": "InferIsolatedConformances"}}, "tool": "swift"}"#, false),
  ])
  func theIsolationOfATargetIsThatOfItsFiles(_ setting: String, _ isIsolated: Bool) async throws {
    let folder = try shop()
    try folder.write(
      """
      {"targets": [{"name": "Shop"}, {"name": "shop-tests", "settings": [\(setting)]},
        {"name": "ShopDoubles", "settings": []}]}
      """, to: "manifest.json")
    let result = await ProgramRun(
      "adopt Stock --failure ShopError.make --symbol-graph \(Modules.graphs) --package-description \(folder.path)/targets.json --package-manifest \(folder.path)/manifest.json"
    )
    #expect(result.error == "" && result.status == 0)
    let modifier = isIsolated ? "nonisolated " : ""
    let contract = try folder.read("Checks/StockContract.swift")
    #expect(contract.contains("\n\(modifier)extension Contract where Subject == any Stock {\n"))
    let test = try folder.read("Checks/StockContractTests.swift")
    #expect(test.contains("\n\(modifier)extension Implementation where Subject == any Stock {\n"))
    for name in ["Generated/Stock+Doubles", "InMemoryStock"] {
      #expect(!(try folder.read("Doubles/\(name).swift")).contains("nonisolated"))
    }
  }

  // Catches an option that misses a file: each of them has declarations that would be isolated.
  @Test func everyFileOfAnIsolatedTargetIsNot() async throws {
    let folder = try TemporaryFolder()
    let result = try await ProgramRun(
      "adopt LendingService --module GenerationFixtures --symbol-graph \(Modules.fixtures) --nonisolated --output \(folder.path)"
    )
    #expect(result.error == "" && result.status == 0)
    let heads = [
      "Generated/LendingService+Doubles": "extension Understudy.Intercepted: LendingService where",
      "LendingError+Fault": "extension LendingError {",
      "InMemoryLendingService": "final class InMemoryLendingService: LendingService {",
      "LendingServiceContract": "extension Contract where",
      "LendingServiceContractTests": "extension Implementation where",
    ]
    for (name, head) in heads {
      #expect(try folder.read("\(name).swift").contains("\nnonisolated \(head)"), "\(name)")
    }
    let generated = try folder.read("Generated/LendingService+Doubles.swift")
    #expect(generated.contains("\nnonisolated extension Understudy.Intercepted.Operation where"))
    #expect(generated.contains("\nnonisolated extension Understudy.Intercepted where Base =="))
  }

  @Test func anUnknownProtocolIsReportedWithTheNearest() async throws {
    let result = await adopt("Stcok", in: try shop())
    #expect(result.status == 2)
    #expect(
      result.error == "tool: Protocol Stcok not found in the sources of this package. Did you mean Stock?\n")
  }

  @Test func adoptRequiresAPackage() async throws {
    let folder = try TemporaryFolder()
    try folder.write("{}", to: "targets.json")
    let result = await adopt("Stock", in: folder)
    #expect(result.status == 2)
    #expect(result.error.hasPrefix("tool: The description of the package is not valid: "))
  }
}
