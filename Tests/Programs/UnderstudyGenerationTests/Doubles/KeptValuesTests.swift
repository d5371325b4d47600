import TestSupport
import Testing
import UnderstudyTesting

// Catches an unimplemented double that is declared as Sendable, but stores other values.
@Suite(.stallLimit()) struct KeptValuesTests {
  @Test(arguments: [
    ("Stacking", "struct UnimplementedStacking: Stacking {"),
    ("Counting", "struct UnimplementedCounting: Counting, Sendable {"),
    ("Holding", "struct UnimplementedHolding<Item>: Holding {"),
  ])
  func aDoubleIsSendableWhereAllThatItKeepsIs(_ name: String, _ head: String) throws {
    let folder = try TemporaryFolder()
    let run = CommandRun.depot("--protocol", name, "--output", "\(folder.path)/Double.swift")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try folder.read("Double.swift").contains(head))
  }

  @Test func aSendableDoubleOfValuesThatAreNotSendableIsRefused() {
    let run = CommandRun.depot(
      "--protocol", "Sharing", "--write", "unimplemented", "--output", "/no/such/file.swift")
    #expect(run.status == 1)
    #expect(
      run.errors == [
        "Sharing.shared cannot have an unimplemented double: the double would store a Crate, which is not Sendable. Pass --write intercepted."
      ])
  }
}
