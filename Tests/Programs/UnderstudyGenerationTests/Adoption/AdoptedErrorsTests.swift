import TestSupport
import Testing
import UnderstudyTesting

@testable import UnderstudyGeneration

/// The error of a service is in another target than its protocol.
@Suite(.stallLimit()) struct AdoptedErrorsTests {
  private func adopt(_ line: String) async -> ProgramRun {
    await ProgramRun("adopt \(line) --module Bazaar --symbol-graph \(Modules.bazaar)")
  }

  // Catches a file that uses the error without its module, and an internal error of another target, which would be the
  // second candidate.
  @Test(arguments: ["Stall", "Basket", "Returns"])
  func everyFileThatNamesTheErrorImportsItsModule(_ name: String) async throws {
    let folder = try TemporaryFolder()
    let result = await adopt("\(name) --output \(folder.path)")
    #expect(result.error == "" && result.status == 0)
    let files = [
      "Generated/\(name)+Doubles", "BazaarError+Fault", "InMemory\(name)", "\(name)Contract",
    ]
    for file in files {
      let text = try folder.read("\(file).swift")
      #expect(text.contains("BazaarError"), "\(file)")
      #expect(text.contains("import BazaarErrors\n"), "\(file)")
    }
    #expect(!(try folder.read("\(name)ContractTests.swift")).contains("import BazaarErrors"))
    #expect(result.output.contains("       \"BazaarErrors\",\n"))
  }

  // Catches a file that is checked without the module, because its first line does not have it.
  @Test func theCommandOfTheGeneratedFileHasTheModule() async throws {
    let folder = try TemporaryFolder()
    _ = await adopt("Stall --output \(folder.path)")
    let path = "\(folder.path)/Generated/Stall+Doubles.swift"
    let run = CommandRun(["--check", "--symbol-graph", Modules.bazaar, path])
    #expect(run.errors == [] && run.status == 0)
  }

  // Catches the function of the adopter whose error is in another target.
  @Test func theErrorOfAFunctionIsImported() async throws {
    let folder = try TemporaryFolder()
    #expect(await adopt("Stall --failure BazaarError.init --output \(folder.path)").status == 0)
    #expect(try folder.read("InMemoryStall.swift").contains("import BazaarErrors\n"))
    #expect(try folder.read("StallContract.swift").contains("import BazaarErrors\n"))
  }

  // Catches one of several errors that is taken without a question, and a chosen one that no client can throw.
  @Test func ofSeveralErrorsTheAdopterChooses() async throws {
    let folder = try TemporaryFolder()
    let asked = await adopt("Stall --symbol-graph \(Modules.treaty) --output \(folder.path)")
    #expect(asked.status == 2)
    #expect(
      asked.error
        == "tool: Bazaar.swift:5: Stall can throw any error, and more than one may be meant: BazaarErrors.BazaarError, Treaty.Fault. Choose one with --error, or pass --error URLError for those of URLSession.\n"
    )
    let chosen = await adopt(
      "Stall --symbol-graph \(Modules.treaty) --error Treaty.Fault --output \(folder.path)/a")
    #expect(chosen.error == "" && chosen.status == 0)
    #expect(try folder.read("a/InMemoryStall.swift").contains("    throw Treaty.Fault(.unimplemented("))
    let session = await adopt(
      "Stall --symbol-graph \(Modules.treaty) --error URLError --output \(folder.path)/b")
    #expect(session.error == "" && session.status == 0)
    #expect(try folder.read("b/InMemoryStall.swift").contains("    throw stallError(.unimplemented("))
    let hidden = await adopt("Stall --error HiddenError --output \(folder.path)/c")
    #expect(hidden.status == 2)
    #expect(
      hidden.error
        == "tool: HiddenError is internal in BazaarErrors, so that no Stall of Bazaar can throw it. Declare it public, or choose another error with --error.\n"
    )
  }

  // Catches doubles without the initializer of their error, because the tests have one, which no other target sees.
  @Test func aMappingOfTheTestsIsNotThatOfTheDoubles() async throws {
    let folder = try TemporaryFolder()
    #expect(await adopt("Returns --output \(folder.path)/Tests").status == 0)
    let result = await adopt("Stall --output \(folder.path)/Tests --doubles \(folder.path)/Doubles")
    #expect(result.error == "" && result.status == 0)
    #expect(try folder.read("Doubles/BazaarError+Fault.swift").contains("public init(_ fault: Fault)"))
  }

  // Catches a protocol that is refused because another target has a structure of its name.
  @Test func aStructureInAnotherModuleDoesNotHideAProtocol() async throws {
    let folder = try TemporaryFolder()
    let result = await adopt("Bargain --output \(folder.path)")
    #expect(result.error == "" && result.status == 0)
    let other = await ProgramRun(
      "adopt Bargain --module BazaarErrors --symbol-graph \(Modules.bazaar) --output \(folder.path)/a")
    #expect(other.error == "tool: Protocol Bargain is in Bazaar. Choose it with --module Bazaar.\n")
  }
}
