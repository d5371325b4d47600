// swift-tools-version: 6.2

import PackageDescription

/// Tests with a deliberate mistake, which must fail and say why, and correct tests under hard conditions, which must pass.
let package = Package(
  name: "Mistakes",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [.package(name: "understudy", path: "../../..")],
  targets: [
    .testTarget(
      name: "MistakesTests",
      dependencies: [
        toolkit("Understudy"), toolkit("UnderstudyHTTP"), toolkit("UnderstudyRecording"),
        toolkit("UnderstudyRecordingTesting"), toolkit("UnderstudyTesting"),
      ]),
    // The test that README.md shows.
    .testTarget(
      name: "FirstTests",
      dependencies: [
        .product(name: "Understudy", package: "understudy"),
        .product(name: "UnderstudyTesting", package: "understudy"),
      ]),
    .testTarget(
      name: "HardConditionsTests", dependencies: [toolkit("Understudy"), toolkit("UnderstudyTesting")]),
  ]
)

func toolkit(_ name: String) -> Target.Dependency {
  .product(name: name, package: "understudy")
}
