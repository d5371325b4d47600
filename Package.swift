// swift-tools-version: 6.2

import PackageDescription

/// One toolkit (`Understudy…`) that knows no domain, and one domain (`SharedServices…`) built with it.
let package = Package(
  name: "understudy",
  platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
  products: products(
    "UnderstudyContracts", "UnderstudyTransport", "UnderstudyDoubles", "UnderstudyServer",
    "UnderstudyRecording", "UnderstudyBackend", "UnderstudyReports", "UnderstudyTrials", "UnderstudyTesting",
    "UnderstudyCommand",
    "SharedServices", "SharedServicesLive", "SharedServicesForum", "SharedServicesInMemory",
    "SharedServicesContracts", "SharedServicesViewModels", "SharedServicesScenarios",
    "SharedServicesAgreement", "SharedServicesExchanges",
    "SharedServicesRecordings"
  ) + [
    .executable(name: "understudy", targets: ["understudy"]),
    .executable(name: "understudy-generate", targets: ["UnderstudyGenerator"]),
    .plugin(name: "UnderstudyPlugin", targets: ["UnderstudyPlugin"]),
  ],
  targets: [
    // The toolkit.
    module("UnderstudyPrimitives"),
    module("UnderstudyContracts", "UnderstudyPrimitives"),
    .systemLibrary(name: "UnderstudyEpoll"),
    module(
      "UnderstudySockets", "UnderstudyPrimitives",
      .target(name: "UnderstudyEpoll", condition: .when(platforms: [.linux, .android]))),
    module("UnderstudyTransport", "UnderstudySockets", "UnderstudyPrimitives"),
    module("UnderstudyDoubles", "UnderstudyTransport", "UnderstudyPrimitives"),
    module(
      "UnderstudyServer", "UnderstudyDoubles", "UnderstudyTransport", "UnderstudySockets",
      "UnderstudyPrimitives"),
    module("UnderstudyRecording", "UnderstudyTransport", "UnderstudyPrimitives"),
    module("UnderstudyBackend", "UnderstudyTransport", "UnderstudyPrimitives"),
    module("UnderstudyReports", "UnderstudyContracts", "UnderstudyDoubles", "UnderstudyPrimitives"),
    module(
      "UnderstudyTrials", "UnderstudyContracts", "UnderstudyDoubles", "UnderstudyRecording",
      "UnderstudyTransport", "UnderstudyPrimitives"),
    module(
      "UnderstudyTesting", "UnderstudyReports", "UnderstudyContracts", "UnderstudyDoubles",
      "UnderstudyRecording", "UnderstudyTransport", "UnderstudyPrimitives"),
    module(
      "UnderstudyCommand", "UnderstudyGeneration", "UnderstudyReports", "UnderstudyContracts",
      "UnderstudyDoubles", "UnderstudyRecording", "UnderstudyBackend", "UnderstudyServer",
      "UnderstudyTransport", "UnderstudyPrimitives"),
    module("UnderstudyGeneration"),
    // Needs nothing of what it writes, so that it builds when doubles do not.
    .executableTarget(
      name: "UnderstudyGenerator", dependencies: ["UnderstudyGeneration"], swiftSettings: strictness()),
    .executableTarget(
      name: "UnderstudyTool", dependencies: ["UnderstudyCommand"], swiftSettings: strictness()),
    .plugin(
      name: "UnderstudyPlugin",
      capability: .command(
        intent: .custom(
          verb: "understudy",
          description: "Inspect, check, compare and serve recordings of HTTP exchanges; write doubles")),
      dependencies: ["UnderstudyTool", "UnderstudyGenerator"], path: "Sources/UnderstudyPlugin"),

    // The domain of the seeds.
    module("SharedServices"),
    module("SharedServicesLive", "SharedServices", "UnderstudyTransport", "UnderstudyPrimitives"),
    // Apple's SDKs have libxml2 and a module of it.
    .systemLibrary(
      name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]),
    .target(
      name: "SharedServicesForum",
      dependencies: [
        "SharedServices", "SharedServicesLive", "UnderstudyTransport", "UnderstudyPrimitives", "CSQLite",
        .target(name: "CLibXML2", condition: .when(platforms: [.linux, .android])),
      ], swiftSettings: strictness(),
      linkerSettings: [
        .linkedLibrary("xml2", .when(platforms: [.macOS, .iOS, .tvOS, .watchOS, .visionOS]))
      ]),
    module(
      "SharedServicesInMemory", "SharedServices", "SharedServicesExchanges", "UnderstudyBackend",
      "UnderstudyTransport", "UnderstudyPrimitives"),
    module(
      "SharedServicesContracts", "SharedServices", "SharedServicesLive", "SharedServicesForum",
      "SharedServicesInMemory", "SharedServicesRecordings", "UnderstudyContracts", "UnderstudyDoubles",
      "UnderstudyBackend", "UnderstudyRecording", "UnderstudyServer", "UnderstudyTransport",
      "UnderstudyTrials", "UnderstudyPrimitives"),
    module(
      "SharedServicesMutants", "SharedServices", "SharedServicesContracts", "SharedServicesInMemory",
      "UnderstudyBackend", "UnderstudyContracts", "UnderstudyPrimitives"),
    module("SharedServicesViewModels", "SharedServices"),
    module(
      "SharedServicesScenarios", "SharedServices", "SharedServicesContracts", "SharedServicesInMemory",
      "SharedServicesViewModels", "UnderstudyBackend", "UnderstudyDoubles", "UnderstudyPrimitives",
      "UnderstudyTransport"),
    module(
      "SharedServicesAgreement", "SharedServices", "SharedServicesContracts", "SharedServicesForum",
      "SharedServicesInMemory",
      "SharedServicesLive", "SharedServicesViewModels", "UnderstudyBackend", "UnderstudyDoubles",
      "UnderstudyServer", "UnderstudyTransport", "UnderstudyPrimitives"),
    .target(
      name: "SharedServicesRecordings", path: "Recordings",
      resources: [
        .copy("authentication"), .copy("children"), .copy("conversations"), .copy("forum"), .copy("history"),
        .copy("stream"),
      ],
      swiftSettings: strictness()),
    .target(
      name: "SharedServicesExchanges", path: "Contracts",
      resources: [
        .embedInCode("authentication.json"), .embedInCode("children.json"),
        .embedInCode("conversations.json"), .embedInCode("forum.json"), .embedInCode("messages.json"),
        .embedInCode("exchanges.schema.json"), .embedInCode("schema.sql"),
      ], swiftSettings: strictness()),
    .executableTarget(
      name: "understudy",
      dependencies: [
        "UnderstudyCommand", "UnderstudyContracts", "UnderstudyDoubles", "SharedServices",
        "SharedServicesAgreement", "SharedServicesContracts", "SharedServicesExchanges",
        "SharedServicesInMemory", "SharedServicesLive", "SharedServicesMutants", "SharedServicesRecordings",
        "SharedServicesScenarios",
        "SharedServicesViewModels", "UnderstudyBackend", "UnderstudyRecording",
        "UnderstudyTransport",
      ], swiftSettings: strictness()),

    .executableTarget(
      name: "benchmarks",
      dependencies: [
        "CSQLite", "SharedServices", "SharedServicesContracts", "SharedServicesForum",
        "SharedServicesInMemory",
        "SharedServicesScenarios", "SharedServicesViewModels", "UnderstudyContracts", "UnderstudyServer",
        "UnderstudyRecording", "UnderstudyDoubles",
        "UnderstudyTransport", "UnderstudySockets", "UnderstudyPrimitives",
      ], path: "Sources/Benchmarks", swiftSettings: strictness()),

    .executableTarget(
      name: "fuzz",
      dependencies: [
        "UnderstudyServer", "UnderstudyRecording", "UnderstudyTransport", "UnderstudyPrimitives",
      ],
      path: "Sources/Fuzz", swiftSettings: strictness()),

    .executableTarget(
      name: "drops", dependencies: ["SharedServicesAgreement", "UnderstudyPrimitives"], path: "Sources/Drops",
      swiftSettings: strictness()),

    // Tests, in the order of what they test.
    tests(of: "UnderstudyContracts", "UnderstudyReports", "UnderstudyPrimitives"),
    tests(of: "UnderstudySockets", "UnderstudyPrimitives"),
    tests(
      of: "UnderstudyTransport", "UnderstudyRecording", "UnderstudyServer", "UnderstudySockets",
      "UnderstudyPrimitives"),
    tests(of: "UnderstudyDoubles", "UnderstudyReports", "UnderstudyTransport", "UnderstudyPrimitives"),
    tests(
      of: "UnderstudyServer", "UnderstudyDoubles", "UnderstudyTransport", "UnderstudySockets",
      "UnderstudyPrimitives"),
    tests(
      of: "UnderstudyRecording", "UnderstudyServer", "UnderstudyDoubles", "UnderstudyTransport",
      "UnderstudyPrimitives"),
    tests(
      of: "UnderstudyBackend", "SharedServicesExchanges", "UnderstudyDoubles", "UnderstudyTransport",
      "UnderstudyPrimitives"),
    tests(
      of: "UnderstudyTrials", "UnderstudyContracts", "UnderstudyDoubles", "UnderstudyRecording",
      "UnderstudyTransport", "UnderstudyPrimitives"),
    tests(of: "UnderstudyReports", "UnderstudyContracts", "UnderstudyDoubles", "UnderstudyPrimitives"),
    .testTarget(
      name: "UnderstudyTestingTests",
      dependencies: [
        "UnderstudyTesting", "UnderstudyReports", "UnderstudyContracts", "UnderstudyDoubles",
        "UnderstudyRecording", "UnderstudyTransport", "UnderstudyPrimitives",
      ], resources: [.copy("Recording/Recordings")], swiftSettings: strictness()),
    tests(
      of: "UnderstudyCommand", "UnderstudyReports", "UnderstudyContracts", "UnderstudyDoubles",
      "UnderstudyRecording", "UnderstudyServer", "UnderstudyTransport", "UnderstudyPrimitives"),
    .target(
      name: "GenerationFixturesBase", path: "Tests/GenerationFixtures/Base", swiftSettings: strictness()),
    .target(
      name: "GenerationFixtures", dependencies: ["GenerationFixturesBase"],
      path: "Tests/GenerationFixtures/Services", swiftSettings: strictness()),
    .testTarget(
      name: "UnderstudyGenerationTests",
      dependencies: [
        "UnderstudyGeneration", "GenerationFixtures", "GenerationFixturesBase", "SharedServices",
        "UnderstudyDoubles", "UnderstudyTransport", "UnderstudyPrimitives",
      ], resources: [.copy("SymbolGraphs")], swiftSettings: strictness()),
    tests(of: "SharedServices", "SharedServicesInMemory", "UnderstudyPrimitives"),
    tests(
      of: "SharedServicesLive", "SharedServices", "UnderstudyDoubles", "UnderstudyTransport",
      "UnderstudyPrimitives"),
    tests(
      of: "SharedServicesForum", "SharedServices", "SharedServicesInMemory", "UnderstudyDoubles",
      "UnderstudyTransport", "UnderstudyPrimitives"),
    tests(
      of: "SharedServicesInMemory", "SharedServices", "UnderstudyBackend", "UnderstudyTransport",
      "UnderstudyPrimitives"),
    tests(
      of: "SharedServicesContracts", "SharedServices", "SharedServicesLive", "SharedServicesForum",
      "SharedServicesInMemory", "SharedServicesMutants", "SharedServicesRecordings", "UnderstudyContracts",
      "UnderstudyDoubles",
      "UnderstudyBackend", "UnderstudyRecording", "UnderstudyTransport", "UnderstudyPrimitives",
      "UnderstudyTesting"),
    tests(
      of: "SharedServicesMutants", "SharedServices", "SharedServicesContracts", "UnderstudyContracts",
      "UnderstudyTesting"),
    .testTarget(
      name: "SharedServicesExchangesTests",
      dependencies: [
        "SharedServicesExchanges", "SharedServices", "SharedServicesContracts", "SharedServicesLive",
        "SharedServicesForum", "SharedServicesInMemory", "UnderstudyBackend", "UnderstudyDoubles",
        "UnderstudyRecording", "UnderstudyTransport", "UnderstudyPrimitives",
      ], swiftSettings: strictness()),
    tests(
      of: "SharedServicesViewModels", "SharedServices", "SharedServicesContracts", "SharedServicesInMemory",
      "SharedServicesLive", "UnderstudyBackend", "UnderstudyDoubles", "UnderstudyRecording",
      "UnderstudyTransport", "UnderstudyPrimitives"),
    tests(of: "SharedServicesAgreement", "SharedServices", "UnderstudyDoubles", "UnderstudyTransport"),
    tests(of: "SharedServicesScenarios", "UnderstudyDoubles", "UnderstudyTesting"),
    .testTarget(
      name: "ReadmeTests",
      dependencies: [
        "UnderstudyContracts", "UnderstudyDoubles", "UnderstudyPrimitives", "UnderstudyRecording",
        "UnderstudyServer", "UnderstudyTesting", "UnderstudyTransport",
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
  return settings
}
