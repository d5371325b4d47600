// swift-tools-version: 6.2

import PackageDescription

/// One toolkit (`Understudy…`) that knows no domain, and one domain (`SharedServices…`) built with it.
let package = Package(
  name: "understudy",
  platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
  products: products(
    "UnderstudyTransport", "Understudy", "UnderstudyHTTP", "UnderstudyServer", "UnderstudyRecording",
    "UnderstudySupabase", "UnderstudyTesting", "UnderstudyRecordingTesting", "UnderstudyCommand",
    "SharedServices", "SharedServicesLive", "SharedServicesForum", "SharedServicesDoubles",
    "SharedServicesBackends", "SharedServicesContracts", "SharedServicesViewModels",
    "SharedServicesVerification",
    "SharedServicesRecordings"
  ) + [
    .executable(name: "understudy", targets: ["understudy-tool"]),
    // Xcode has a scheme for each product. That of "understudy" is "Understudy" if case is ignored.
    .executable(name: "understudy-tool", targets: ["understudy-tool"]),
    // SwiftPM builds the tool of a plugin as a product that has the name of the target.
    .executable(name: "understudy-doubles", targets: ["understudy-doubles"]),
    .executable(name: "shared-services", targets: ["shared-services"]),
    .plugin(name: "UnderstudyPlugin", targets: ["UnderstudyPlugin"]),
  ],
  targets: [
    // The toolkit, lowest layer first.
    module("UnderstudyText"),
    module("UnderstudyTransport"),
    module("Understudy", "UnderstudyText"),
    module("UnderstudyHTTP", "UnderstudyTransport", "Understudy"),
    .systemLibrary(name: "UnderstudyEpoll"),
    module(
      "UnderstudyServer", "UnderstudyHTTP", "Understudy",
      .target(name: "UnderstudyEpoll", condition: .when(platforms: [.linux, .android]))),
    // Apple's SDKs have zlib; on Linux the toolchain itself requires its headers.
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    module("UnderstudyRecording", "UnderstudyHTTP", "Understudy", "UnderstudyText", "CZlib"),
    module("UnderstudyPostgreSQL"),
    module("UnderstudySupabase", "UnderstudyPostgreSQL", "UnderstudyHTTP", "Understudy"),
    module("UnderstudyTesting", "Understudy", "UnderstudyText"),
    // Apart, so that tests without recordings do not link HTTP and zlib.
    module(
      "UnderstudyRecordingTesting", "UnderstudyTesting", "UnderstudyRecording", "UnderstudyHTTP",
      "Understudy"),
    module("UnderstudyConsole", "UnderstudyText"),
    // Without the rest of the toolkit, because an adopter's first command waits until its program is built.
    module("UnderstudyGeneration", "UnderstudyConsole", "UnderstudyText"),
    .executableTarget(
      name: "understudy-doubles", dependencies: ["UnderstudyGeneration", "UnderstudyConsole"],
      swiftSettings: strictness()),
    module(
      "UnderstudyCommand", "UnderstudyGeneration", "UnderstudyConsole", "UnderstudySupabase",
      "UnderstudyRecording", "UnderstudyServer", "UnderstudyHTTP", "Understudy", "UnderstudyText"),
    // Not a target "understudy", which a file system that ignores case would confuse with the module "Understudy".
    .executableTarget(
      name: "understudy-tool", dependencies: ["UnderstudyCommand"], swiftSettings: strictness()),
    // Without "understudy-tool": SwiftPM builds what a plugin depends on before each of its commands.
    .plugin(
      name: "UnderstudyPlugin",
      capability: .command(
        intent: .custom(
          verb: "understudy",
          description: "Record, replay and compare HTTP exchanges; generate doubles")),
      dependencies: ["understudy-doubles"], path: "Sources/UnderstudyPlugin"),

    // The domain of the seeds, lowest layer first.
    module("SharedServices"),
    module("SharedServicesLive", "SharedServices", "UnderstudyTransport"),
    // Apple's SDKs have libxml2 and a module of it.
    .systemLibrary(
      name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]),
    .target(
      name: "SharedServicesForum",
      dependencies: [
        "SharedServices", "SharedServicesLive", "UnderstudyTransport", "CSQLite",
        .target(name: "CLibXML2", condition: .when(platforms: [.linux, .android])),
      ], swiftSettings: strictness(),
      linkerSettings: [
        .linkedLibrary("xml2", .when(platforms: [.macOS, .iOS, .tvOS, .watchOS, .visionOS]))
      ]),
    module("SharedServicesDoubles", "SharedServices", "Understudy"),
    .target(
      name: "SharedServicesBackends",
      dependencies: [
        "SharedServices", "SharedServicesDoubles", "UnderstudySupabase", "UnderstudyHTTP", "Understudy",
      ],
      resources: [.embedInCode("schema.sql")], swiftSettings: strictness()),
    module("SharedServicesViewModels", "SharedServices"),
    .target(
      name: "SharedServicesContracts", dependencies: ["SharedServices", "Understudy"], path: "Contracts",
      swiftSettings: strictness()),
    module(
      "SharedServicesVerification", "SharedServices", "SharedServicesLive", "SharedServicesForum",
      "SharedServicesDoubles", "SharedServicesBackends", "SharedServicesContracts",
      "SharedServicesRecordings", "SharedServicesViewModels", "UnderstudySupabase", "UnderstudyRecording",
      "UnderstudyServer",
      "UnderstudyHTTP", "Understudy"),
    .target(
      name: "SharedServicesRecordings", path: "Recordings",
      resources: [
        .copy("authentication"), .copy("children"), .copy("conversations"), .copy("forum"), .copy("history"),
        .copy("stream"),
      ],
      swiftSettings: strictness()),
    .executableTarget(
      name: "shared-services",
      dependencies: [
        "UnderstudyCommand", "SharedServices", "SharedServicesContracts",
        "SharedServicesBackends", "SharedServicesDoubles", "SharedServicesLive", "SharedServicesRecordings",
        "SharedServicesVerification",
        "SharedServicesViewModels", "UnderstudyConsole", "UnderstudySupabase", "UnderstudyRecording",
        "UnderstudyHTTP", "Understudy",
      ], swiftSettings: strictness()),

    // For whoever works on the package.
    .executableTarget(
      name: "benchmarks",
      dependencies: [
        "CSQLite", "SharedServices", "SharedServicesContracts", "SharedServicesForum",
        "SharedServicesDoubles", "SharedServicesVerification", "SharedServicesViewModels",
        "UnderstudyConsole", "UnderstudyText", "UnderstudyServer", "UnderstudyRecording",
        "UnderstudyHTTP", "Understudy",
      ], path: "Sources/Benchmarks", swiftSettings: strictness()),
    .executableTarget(
      name: "fuzz",
      dependencies: [
        "SharedServicesVerification", "UnderstudyConsole", "UnderstudyServer", "UnderstudyRecording",
        "UnderstudyHTTP", "Understudy",
      ],
      path: "Sources/Fuzz", swiftSettings: strictness()),

    // Tests, in the order of what they test, after what two or more of them need.
    .target(
      name: "TestSupport",
      dependencies: ["SharedServices", "UnderstudyServer", "UnderstudyHTTP", "Understudy"],
      path: "Tests/TestSupport", swiftSettings: strictness()),
    tests(of: "UnderstudyText", "UnderstudyTesting"),
    tests(of: "UnderstudyTransport", "TestSupport", "UnderstudyTesting", "Understudy"),
    tests(of: "Understudy", "TestSupport", "UnderstudyTesting", "UnderstudyHTTP"),
    tests(
      of: "UnderstudyHTTP", "TestSupport", "UnderstudyTransport", "UnderstudyTesting", "UnderstudyRecording",
      "UnderstudyServer",
      "Understudy"),
    tests(of: "UnderstudyPostgreSQL", "TestSupport", "Understudy"),
    tests(of: "UnderstudyServer", "TestSupport", "UnderstudyTesting", "UnderstudyHTTP", "Understudy"),
    tests(
      of: "UnderstudyRecording", "TestSupport", "UnderstudyRecordingTesting", "UnderstudyTesting",
      "UnderstudyServer", "UnderstudyHTTP", "Understudy"),
    tests(
      of: "UnderstudySupabase", "UnderstudyPostgreSQL", "TestSupport", "SharedServicesBackends",
      "UnderstudyTesting", "UnderstudyHTTP",
      "Understudy"),
    tests(of: "UnderstudyTesting", "UnderstudyHTTP", "Understudy"),
    .testTarget(
      name: "UnderstudyRecordingTestingTests",
      dependencies: [
        "TestSupport", "UnderstudyRecordingTesting", "UnderstudyTesting", "UnderstudyRecording",
        "UnderstudyHTTP", "Understudy",
      ],
      resources: [.copy("Recordings")], swiftSettings: strictness()),
    .target(
      name: "GenerationFixturesBase", path: "Tests/GenerationFixtures/Base", swiftSettings: strictness()),
    .target(
      name: "GenerationFixtures", dependencies: ["GenerationFixturesBase"],
      path: "Tests/GenerationFixtures/Services", swiftSettings: strictness()),
    .testTarget(
      name: "UnderstudyGenerationTests",
      dependencies: [
        "UnderstudyGeneration", "UnderstudyConsole", "GenerationFixtures", "GenerationFixturesBase",
        "TestSupport", "UnderstudyTesting", "Understudy",
      ], resources: [.copy("SymbolGraphs")], swiftSettings: strictness()),
    .testTarget(
      name: "UnderstudyCommandTests",
      dependencies: [
        "UnderstudyCommand", "UnderstudyConsole", "TestSupport", "UnderstudySupabase", "UnderstudyTesting",
        "UnderstudyRecording", "UnderstudyServer", "UnderstudyHTTP", "Understudy",
      ], resources: [.copy("Importing/Imported")], swiftSettings: strictness()),
    tests(of: "SharedServices", "TestSupport", "SharedServicesDoubles", "UnderstudyTesting", "Understudy"),
    tests(
      of: "SharedServicesLive", "TestSupport", "SharedServices", "UnderstudySupabase", "UnderstudyTesting",
      "UnderstudyHTTP", "Understudy"),
    tests(
      of: "SharedServicesForum", "TestSupport", "SharedServices", "SharedServicesBackends",
      "UnderstudyTesting", "UnderstudyHTTP", "Understudy"),
    tests(of: "SharedServicesDoubles", "TestSupport", "SharedServices", "UnderstudyTesting", "Understudy"),
    tests(
      of: "SharedServicesBackends", "SharedServices", "SharedServicesDoubles", "SharedServicesLive",
      "UnderstudySupabase", "UnderstudyTesting", "UnderstudyHTTP", "Understudy"),
    tests(
      of: "SharedServicesVerification", "TestSupport", "SharedServices", "SharedServicesForum",
      "SharedServicesBackends",
      "SharedServicesContracts", "SharedServicesDoubles", "SharedServicesRecordings", "UnderstudyRecording",
      "UnderstudyHTTP", "UnderstudyTesting", "Understudy"),
    tests(
      of: "SharedServicesViewModels", "TestSupport", "SharedServices", "SharedServicesBackends",
      "SharedServicesVerification", "SharedServicesContracts", "SharedServicesDoubles", "SharedServicesLive",
      "UnderstudySupabase",
      "UnderstudyTesting",
      "UnderstudyRecording", "UnderstudyHTTP", "Understudy"),
    .testTarget(
      name: "BenchmarksTests",
      dependencies: ["benchmarks", "TestSupport", "UnderstudyConsole", "UnderstudyTesting", "Understudy"],
      swiftSettings: strictness()),
    .testTarget(
      name: "ReadmeTests",
      dependencies: [
        "UnderstudyTransport",
        "UnderstudySupabase", "UnderstudyRecordingTesting", "UnderstudyTesting", "UnderstudyRecording",
        "UnderstudyServer", "UnderstudyHTTP", "Understudy",
      ], resources: [.copy("Recordings")], swiftSettings: strictness()),
  ]
)

func products(_ names: String...) -> [Product] {
  names.map { .library(name: $0, targets: [$0]) }
}

func module(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strictness())
}

func tests(of module: String, _ dependencies: Target.Dependency...) -> Target {
  .testTarget(
    name: module + "Tests", dependencies: [.byName(name: module)] + dependencies, swiftSettings: strictness())
}

func strictness() -> [SwiftSetting] {
  var settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
  ]
  // Set on CI. Not always on: a newer compiler's new warning must not stop anybody's build.
  if Context.environment["UNDERSTUDY_WARNINGS_AS_ERRORS"] != nil {
    settings.append(.treatAllWarnings(as: .error))
  }
  // Set together with `--sanitize=thread`; see Locked.
  if Context.environment["UNDERSTUDY_THREAD_SANITIZER"] != nil {
    settings.append(.define("UNDERSTUDY_THREAD_SANITIZER"))
  }
  return settings
}
