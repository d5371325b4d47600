import Foundation
import TestSupport
import Testing
import UnderstudyTesting

// Each protocol has one requirement that cannot have a double. Catches a generator whose output does not
// compile, or differs from the base, and a refusal without a location and a reason.
@Suite(.stallLimit()) struct RefusalTests {
  @Test(arguments: [
    ("Counter", 15, "Counter cannot have a double: it requires a subclass of Desk"),
    ("Copying", 21, "Copying.copy() cannot have a double: it uses Self"),
    ("Changing", 22, "Changing.change() cannot have a double: it mutates the value"),
    ("Settable", 23, "Settable.name cannot have a double: it mutates the value"),
    ("Handing", 24, "Handing.each(_:) cannot have a double: it rethrows"),
    ("Choosing", 25, "Choosing.run(_:) cannot have a double: it throws a type that the caller chooses"),
    ("Failing", 26, "Failing.run() cannot have a double: it throws an associated type"),
    ("Many", 27, "Many.add(_:) cannot have a double: its parameter numbers is variadic"),
  ])
  func requirementsWithoutADoubleAreReportedWithTheirLocation(_ name: String, _ line: Int, _ reason: String) {
    let run = CommandRun.shop("--protocol", name, "--output", "/no/such/folder/file.swift")
    #expect(run.status == 1)
    #expect(run.output == [])
    #expect(run.errors.count == 1)
    #expect(
      run.errors.first?.hasPrefix("Shop.swift:\(line): \(reason)") == true, "\(run.errors)")
  }

  // Catches doubles of plain `throws` that would throw a Fault, which no code of an app expects.
  @Test(arguments: Effort.some(of: ["Coding", "Loose", "Feed"], every: 3))
  func plainThrowsRequiresTheErrorOfTheApp(_ name: String) {
    let words = [
      "--module", "GenerationFixtures", "--protocol", name, "--output", "/no/such/folder/file.swift",
    ]
    let run = CommandRun(["--modules", Modules.folder] + words)
    #expect(run.status == 1)
    #expect(run.errors.count == 1)
    #expect(run.errors.first?.hasSuffix("for example: --failure AppError.init") == true, "\(run.errors)")
  }

  // Catches a generator that stops at the first requirement, so that the next one is only reported later.
  @Test func allRefusalsAreReported() {
    let run = CommandRun.shop(
      "--protocol", "Changing", "--protocol", "Copying", "--output", "/no/such/folder/file.swift")
    #expect(run.status == 1)
    #expect(run.errors.map { String($0.prefix(14)) } == ["Shop.swift:22:", "Shop.swift:21:"])
  }

  // Catches a setter that is dropped because the getter is known, after which the double does not conform.
  @Test func aSetterThatIsAddedToAGetterIsRefused() {
    let run = CommandRun.depot("--protocol", "Relabelled", "--output", "/no/such/folder/file.swift")
    #expect(run.status == 1)
    #expect(
      run.errors == [
        "Depot.swift:10: Relabelled.label cannot have a double: it adds a setter to a property of a protocol that it refines. Write it by hand, and pass --omit label."
      ])
  }

  // Catches a class-bound double whose setter cannot be implemented, because its stored property is constant.
  @Test func aSetterByHandHasNoUnimplementedDouble() throws {
    let folder = try TemporaryFolder()
    let words = ["--protocol", "Relabelled", "--omit", "label", "--output", "\(folder.path)/Double.swift"]
    let refused = CommandRun(["--symbol-graph", Modules.depot, "--write", "unimplemented"] + words)
    let reason = "Relabelled.label cannot have an unimplemented double: it is settable"
    #expect(refused.status == 1)
    #expect(refused.errors.count == 1)
    #expect(refused.errors.first?.hasPrefix(reason) == true, "\(refused.errors)")
    // By default, the file has what can be written, and says what is missing.
    #expect(CommandRun(["--symbol-graph", Modules.depot] + words).status == 0)
    let text = try folder.read("Double.swift")
    #expect(text.contains("extension Understudy.Intercepted: Relabelled") && text.contains("// \(reason)"))
  }

  // Such a protocol only exists on Apple platforms, so its symbols are added. Catches a conformance of a struct to
  // it, and a call of an optional requirement that the base may not have.
  @Test(arguments: [("c:@M@Shop@objc(pl)Ringing", true), ("s:4Shop7RingingP", false)])
  func aProtocolOfObjectiveCIsRefused(_ id: String, _ isItself: Bool) throws {
    let folder = try TemporaryFolder()
    try folder.writeShop { symbols, relationships in
      func symbol(_ kind: String, _ id: String, _ path: [String], _ word: String) -> [String: Any] {
        [
          "kind": ["identifier": kind], "identifier": ["precise": id], "pathComponents": path,
          "accessLevel": "public",
          "declarationFragments": [
            ["kind": "keyword", "spelling": word], ["kind": "text", "spelling": " "],
            ["kind": "identifier", "spelling": path.last ?? ""], ["kind": "text", "spelling": "()"],
          ],
        ]
      }
      symbols.append(symbol("swift.protocol", id, ["Ringing"], "protocol"))
      symbols.append(
        symbol("swift.method", "c:@M@Shop@objc(pl)Ringing(im)ring", ["Ringing", "ring()"], "func"))
      relationships += [
        [
          "kind": "optionalRequirementOf", "source": "c:@M@Shop@objc(pl)Ringing(im)ring", "target": id,
        ],
        [
          "kind": "conformsTo", "source": id, "target": "c:objc(pl)NSObject",
          "targetFallback": "ObjectiveC.NSObjectProtocol",
        ],
      ]
    }
    let run = CommandRun([
      "--symbol-graph", folder.path, "--protocol", "Ringing", "--output", "\(folder.path)/Ringing.swift",
    ])
    let reason =
      isItself
      ? "it is a protocol of Objective-C (@objc), whose requirements may be optional, and only classes conform to it"
      : "it refines NSObjectProtocol of Objective-C, to which only classes conform"
    #expect(run.status == 1)
    #expect(run.errors == ["Ringing cannot have a double: \(reason)."])
  }

  @Test func refusedRequirementsCanBeWrittenByHand() throws {
    let folder = try TemporaryFolder()
    let run = CommandRun.shop(
      "--protocol", "Many", "--omit", "add(_:)", "--output", "\(folder.path)/Many.swift")
    #expect(run.status == 0)
    let text = try folder.read("Many.swift")
    #expect(text.contains("extension Understudy.Intercepted: Many where Base: Many {}"))
    #expect(text.contains(#"static var add: Self { Self("add") }"#))
    #expect(!text.contains("func add"))
  }

  @Test func aProtocolOfTheStandardLibraryIsWrittenByHand() {
    let run = CommandRun.shop("--protocol", "Labelled", "--output", "/no/such/folder/file.swift")
    #expect(run.status == 2)
    #expect(
      run.errors == [
        "tool: Labelled refines CustomStringConvertible of the standard library: write the conformance to it by hand and pass --omit CustomStringConvertible."
      ])
  }

  @Test func aGenericRequirementThatCannotThrowHasOnlyAConformance() throws {
    let folder = try TemporaryFolder()
    let words = ["--protocol", "Generic", "--output", "\(folder.path)/Generic.swift"]
    let refused = CommandRun(["--symbol-graph", Modules.graphs, "--write", "unimplemented"] + words)
    #expect(refused.status == 1)
    #expect(refused.errors.first?.hasSuffix("Pass --write intercepted.") == true, "\(refused.errors)")
    #expect(CommandRun(["--symbol-graph", Modules.graphs] + words).status == 0)
    #expect(try !folder.read("Generic.swift").contains("UnimplementedGeneric"))
  }
}
