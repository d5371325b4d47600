// swift-tools-version: 6.2

import PackageDescription

/// An app's todos, and everything that proves them: how a package adopts Understudy.
let package = Package(
  name: "TodoApp",
  platforms: [.macOS(.v14), .iOS(.v17)],
  products: [.library(name: "Todos", targets: ["Todos"])],
  dependencies: [.package(name: "understudy", path: "../../..")],
  targets: [
    // What is shipped: it depends on nothing.
    .target(name: "Todos"),
    // The doubles, in one target, for previews and for every test target.
    .target(name: "TodoDoubles", dependencies: ["Todos", toolkit("Understudy")]),
    // What every implementation must do, and the implementations.
    .target(
      name: "TodoContracts",
      dependencies: [
        "Todos", "TodoDoubles", toolkit("Understudy"), toolkit("UnderstudyHTTP"),
        toolkit("UnderstudyRecording"),
      ], resources: [.copy("Recordings")]),
    .executableTarget(
      name: "todos-command",
      dependencies: ["TodoContracts", "Todos", toolkit("Understudy"), toolkit("UnderstudyCommand")]),
    .testTarget(
      name: "TodoAppTests",
      dependencies: [
        "Todos", "TodoContracts", "TodoDoubles", toolkit("Understudy"), toolkit("UnderstudyTesting"),
      ]),
  ]
)

func toolkit(_ name: String) -> Target.Dependency {
  .product(name: name, package: "understudy")
}
