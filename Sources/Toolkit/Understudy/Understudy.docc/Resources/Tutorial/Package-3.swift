// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "PlainREST",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [.library(name: "Notes", targets: ["Notes"])],
  // The folder of your clone, or its address and a version.
  dependencies: [.package(name: "understudy", path: "../../..")],
  targets: [
    // What is shipped: it depends on nothing.
    .target(name: "Notes"),
    // The double, for previews and for every test target.
    .target(name: "NotesDoubles", dependencies: ["Notes", toolkit("Understudy")]),
    // What every implementation must do, and the implementations.
    .target(
      name: "NotesContracts",
      dependencies: ["Notes", "NotesDoubles", toolkit("Understudy"), toolkit("UnderstudyHTTP")]),
    .testTarget(
      name: "NotesTests",
      dependencies: [
        "Notes", "NotesContracts", "NotesDoubles", toolkit("Understudy"), toolkit("UnderstudyHTTP"),
        toolkit("UnderstudyTesting"),
      ]),
  ]
)

func toolkit(_ name: String) -> Target.Dependency {
  .product(name: name, package: "understudy")
}
