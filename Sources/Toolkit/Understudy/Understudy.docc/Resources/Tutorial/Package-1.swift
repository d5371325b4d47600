// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "PlainREST",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [.library(name: "Notes", targets: ["Notes"])],
  targets: [
    // What is shipped: it depends on nothing.
    .target(name: "Notes"),
    .testTarget(name: "NotesTests", dependencies: ["Notes"]),
  ]
)
