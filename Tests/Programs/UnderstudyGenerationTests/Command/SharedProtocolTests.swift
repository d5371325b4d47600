import Foundation
import TestSupport
import Testing
import UnderstudyTesting

// Loading and Unloading both refine Closing.
@Suite(.stallLimit()) struct SharedProtocolTests {
  // Catches a folder in which two files have the same conformance, so that they do not compile together.
  @Test func aCommonRefinedProtocolIsInOneFileOfAFolder() throws {
    let folder = try TemporaryFolder()
    let run = CommandRun.depot(
      "--protocol", "Loading", "--protocol", "Unloading", "--retroactive", "Loading", "--output",
      "\(folder.path)/")
    #expect(run.errors == [])
    let loading = try folder.read("Loading+Doubles.swift")
    let unloading = try folder.read("Unloading+Doubles.swift")
    #expect(loading.contains("extension Understudy.Intercepted: Closing"))
    #expect(loading.contains(#"Self("close")"#))
    #expect(!unloading.contains("extension Understudy.Intercepted: Closing"))
    #expect(!unloading.contains(#"Self("close")"#))
    #expect(
      unloading.hasPrefix("// Written by: understudy generate --protocol Unloading --omit Closing --output "))
    #expect(unloading.contains("onClose"))
    let paths = ["Loading", "Unloading"].map { "\(folder.path)/\($0)+Doubles.swift" }
    #expect(CommandRun(["--symbol-graph", Modules.depot, "--check"] + paths).status == 0)
  }

  // Catches a protocol that is written to another file although it has its own.
  @Test(arguments: [["Closing", "Loading"], ["Loading", "Closing"]])
  func theChosenProtocolIsInItsOwnFile(_ names: [String]) throws {
    let folder = try TemporaryFolder()
    let run = CommandRun.depot(
      "--protocol", names[0], "--protocol", names[1], "--output", "\(folder.path)/")
    #expect(run.errors == [])
    #expect(try folder.read("Closing+Doubles.swift").contains("extension Understudy.Intercepted: Closing"))
    #expect(try !folder.read("Loading+Doubles.swift").contains("extension Understudy.Intercepted: Closing"))
  }
}
