// swift-tools-version: 6.2

import PackageDescription

// The examples and the tests require Observation. An app for earlier systems uses the libraries without them.
let isDependency = Context.packageDirectory.contains("/checkouts/")
let platforms: [SupportedPlatform] =
  isDependency
  ? [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)]
  : [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)]

/// One toolkit (`Understudy…`) that knows no domain, and one domain (`SharedServices…`) built with it.
let package = Package(
  name: "understudy",
  platforms: platforms,
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
    module("UnderstudyText", floor: .toolkit),
    module("UnderstudyTransport", floor: .toolkit),
    module("Understudy", floor: .toolkit, "UnderstudyText"),
    module("UnderstudyHTTP", floor: .toolkit, "UnderstudyTransport", "Understudy"),
    .systemLibrary(name: "UnderstudyEpoll", path: Floor.toolkit.sources("UnderstudyEpoll")),
    module(
      "UnderstudyServer", floor: .toolkit, "UnderstudyHTTP", "Understudy",
      .target(name: "UnderstudyEpoll", condition: .when(platforms: [.linux, .android]))),
    // On Linux, the toolchain itself requires the headers.
    systemLibrary("UnderstudyZlib", floor: .toolkit, pkgConfig: "zlib", apt: "zlib1g-dev"),
    module(
      "UnderstudyRecording", floor: .toolkit, "UnderstudyHTTP", "Understudy", "UnderstudyText",
      "UnderstudyZlib"),
    module("UnderstudyPostgreSQL", floor: .supabase),
    module("UnderstudySupabase", floor: .supabase, "UnderstudyPostgreSQL", "UnderstudyHTTP", "Understudy"),
    module("UnderstudyTesting", floor: .toolkit, "Understudy", "UnderstudyText"),
    // Apart, so that tests without recordings do not link HTTP and zlib.
    module(
      "UnderstudyRecordingTesting", floor: .toolkit, "UnderstudyTesting", "UnderstudyRecording",
      "UnderstudyHTTP", "Understudy"),
    module("UnderstudyConsole", floor: .programs, "UnderstudyText"),
    // Without the rest of the toolkit, because an adopter's first command waits until its program is built.
    module("UnderstudyGeneration", floor: .programs, "UnderstudyConsole", "UnderstudyText"),
    program("understudy-doubles", "UnderstudyGeneration", "UnderstudyConsole"),
    module(
      "UnderstudyCommand", floor: .programs, "UnderstudyGeneration", "UnderstudyConsole",
      "UnderstudySupabase", "UnderstudyRecording", "UnderstudyServer", "UnderstudyHTTP", "Understudy",
      "UnderstudyText"),
    // Not a target "understudy", which a file system that ignores case would confuse with the module "Understudy".
    program("understudy-tool", "UnderstudyCommand"),
    // Without "understudy-tool": SwiftPM builds what a plugin depends on before each of its commands.
    .plugin(
      name: "UnderstudyPlugin",
      capability: .command(
        intent: .custom(
          verb: "understudy",
          description: "Record, replay and compare HTTP exchanges; generate doubles")),
      dependencies: ["understudy-doubles"], path: "Sources/Programs/UnderstudyPlugin"),

    // The domain of the seeds, lowest layer first.
    module("SharedServices", floor: .sharedServices),
    module("SharedServicesLive", floor: .sharedServices, "SharedServices", "UnderstudyTransport"),
    // Apple's SDKs have a module of libxml2.
    systemLibrary(
      "SharedServicesLibXML2", floor: .sharedServices, pkgConfig: "libxml-2.0", apt: "libxml2-dev"),
    systemLibrary(
      "SharedServicesSQLite", floor: .sharedServices, pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
    module(
      "SharedServicesForum", floor: .sharedServices, "SharedServices", "SharedServicesLive",
      "UnderstudyTransport", "SharedServicesSQLite",
      .target(name: "SharedServicesLibXML2", condition: .when(platforms: [.linux, .android])),
      linkerSettings: [
        .linkedLibrary("xml2", .when(platforms: [.macOS, .macCatalyst, .iOS, .tvOS, .watchOS, .visionOS]))
      ]),
    module("SharedServicesDoubles", floor: .sharedServices, "SharedServices", "Understudy"),
    module(
      "SharedServicesBackends", floor: .sharedServices, "SharedServices", "SharedServicesDoubles",
      "UnderstudySupabase", "UnderstudyHTTP", "Understudy", resources: [.copy("schema.sql")]),
    module("SharedServicesViewModels", floor: .sharedServices, "SharedServices"),
    .target(
      name: "SharedServicesContracts", dependencies: ["SharedServices", "Understudy"], path: "Contracts",
      swiftSettings: strictness()),
    module(
      "SharedServicesVerification", floor: .sharedServices, "SharedServices", "SharedServicesLive",
      "SharedServicesForum", "SharedServicesDoubles", "SharedServicesBackends", "SharedServicesContracts",
      "SharedServicesRecordings", "SharedServicesViewModels", "UnderstudySupabase", "UnderstudyRecording",
      "UnderstudyServer", "UnderstudyHTTP", "Understudy"),
    .target(
      name: "SharedServicesRecordings", path: "Recordings",
      resources: [
        .copy("authentication"), .copy("children"), .copy("conversations"), .copy("forum"), .copy("history"),
        .copy("stream"),
      ],
      swiftSettings: strictness()),
    program(
      "shared-services", "UnderstudyCommand", "SharedServices", "SharedServicesContracts",
      "SharedServicesBackends", "SharedServicesDoubles", "SharedServicesLive", "SharedServicesRecordings",
      "SharedServicesVerification", "SharedServicesViewModels", "UnderstudyConsole", "UnderstudySupabase",
      "UnderstudyRecording", "UnderstudyHTTP", "Understudy"),

    // For whoever works on the package.
    program(
      "benchmarks", folder: "Benchmarks", "SharedServicesSQLite", "SharedServices", "SharedServicesContracts",
      "SharedServicesForum", "SharedServicesDoubles", "SharedServicesVerification",
      "SharedServicesViewModels", "UnderstudyConsole", "UnderstudyText", "UnderstudyServer",
      "UnderstudyRecording", "UnderstudyHTTP", "Understudy"),
    program(
      "fuzz", folder: "Fuzz", "SharedServicesVerification", "UnderstudyConsole", "UnderstudyServer",
      "UnderstudyRecording", "UnderstudyHTTP", "Understudy"),

    // Tests, in the order of what they test, after what two or more of them need.
    .target(
      name: "TestSupport",
      dependencies: ["SharedServices", "UnderstudyServer", "UnderstudyHTTP", "Understudy"],
      path: "Tests/TestSupport", swiftSettings: strictness()),
    tests(of: "UnderstudyText", floor: .toolkit, "UnderstudyTesting"),
    tests(of: "UnderstudyTransport", floor: .toolkit, "TestSupport", "UnderstudyTesting", "Understudy"),
    tests(of: "Understudy", floor: .toolkit, "TestSupport", "UnderstudyTesting", "UnderstudyHTTP"),
    tests(
      of: "UnderstudyHTTP", floor: .toolkit, "TestSupport", "UnderstudyTransport", "UnderstudyTesting",
      "UnderstudyRecording", "UnderstudyServer", "Understudy"),
    tests(of: "UnderstudyPostgreSQL", floor: .supabase, "TestSupport", "Understudy"),
    tests(
      of: "UnderstudyServer", floor: .toolkit, "TestSupport", "UnderstudyTesting", "UnderstudyHTTP",
      "Understudy"),
    tests(
      of: "UnderstudyRecording", floor: .toolkit, "TestSupport", "UnderstudyRecordingTesting",
      "UnderstudyTesting", "UnderstudyServer", "UnderstudyHTTP", "Understudy"),
    tests(
      of: "UnderstudySupabase", floor: .supabase, "UnderstudyPostgreSQL", "TestSupport",
      "SharedServicesBackends", "UnderstudyTesting", "UnderstudyHTTP", "Understudy"),
    tests(of: "UnderstudyTesting", floor: .toolkit, "UnderstudyHTTP", "Understudy"),
    tests(
      of: "UnderstudyRecordingTesting", floor: .toolkit, "TestSupport", "UnderstudyTesting",
      "UnderstudyRecording", "UnderstudyHTTP", "Understudy", resources: [.copy("Recordings")]),
    .target(
      name: "GenerationFixturesBase", path: "Tests/GenerationFixtures/Base", swiftSettings: strictness()),
    .target(
      name: "GenerationFixtures", dependencies: ["GenerationFixturesBase"],
      path: "Tests/GenerationFixtures/Services", swiftSettings: strictness()),
    tests(
      of: "UnderstudyGeneration", floor: .programs, "UnderstudyConsole", "GenerationFixtures",
      "GenerationFixturesBase", "TestSupport", "UnderstudyTesting", "Understudy",
      resources: [.copy("SymbolGraphs")]),
    tests(
      of: "UnderstudyCommand", floor: .programs, "UnderstudyConsole", "TestSupport", "UnderstudySupabase",
      "UnderstudyTesting", "UnderstudyRecording", "UnderstudyServer", "UnderstudyHTTP", "Understudy",
      resources: [.copy("Importing/Imported")]),
    // A program whose screens trap, which those tests start.
    .executableTarget(
      name: "trapping-screens", dependencies: ["UnderstudyCommand", "Understudy"],
      path: "Tests/Programs/trapping-screens", swiftSettings: strictness()),
    tests(
      of: "SharedServices", floor: .sharedServices, "TestSupport", "SharedServicesDoubles",
      "UnderstudyTesting", "Understudy"),
    tests(
      of: "SharedServicesLive", floor: .sharedServices, "TestSupport", "SharedServices", "UnderstudySupabase",
      "UnderstudyTesting", "UnderstudyHTTP", "Understudy"),
    tests(
      of: "SharedServicesForum", floor: .sharedServices, "TestSupport", "SharedServices",
      "SharedServicesBackends", "UnderstudyTesting", "UnderstudyHTTP", "Understudy"),
    tests(
      of: "SharedServicesDoubles", floor: .sharedServices, "TestSupport", "SharedServices",
      "UnderstudyTesting", "Understudy"),
    tests(
      of: "SharedServicesBackends", floor: .sharedServices, "SharedServices", "SharedServicesDoubles",
      "SharedServicesLive", "UnderstudySupabase", "UnderstudyTesting", "UnderstudyHTTP", "Understudy"),
    tests(
      of: "SharedServicesVerification", floor: .sharedServices, "TestSupport", "SharedServices",
      "SharedServicesForum", "SharedServicesBackends", "SharedServicesContracts", "SharedServicesDoubles",
      "SharedServicesRecordings", "UnderstudyRecording", "UnderstudyHTTP", "UnderstudyTesting", "Understudy"),
    tests(
      of: "SharedServicesViewModels", floor: .sharedServices, "TestSupport", "SharedServices",
      "SharedServicesBackends", "SharedServicesVerification", "SharedServicesContracts",
      "SharedServicesDoubles", "SharedServicesLive", "UnderstudySupabase", "UnderstudyTesting",
      "UnderstudyRecording", "UnderstudyHTTP", "Understudy"),
    tests(
      of: "benchmarks", folder: "BenchmarksTests", floor: .programs, "TestSupport", "UnderstudyConsole",
      "UnderstudyTesting", "Understudy"),
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

/// The folder of a module and of its tests.
///
/// What a floor imports is in `.ci/architecture`.
enum Floor: String {
  case toolkit = "Toolkit"
  case sharedServices = "SharedServices"
  case supabase = "Supabase"
  case programs = "Programs"

  func sources(_ folder: String) -> String { "Sources/\(rawValue)/\(folder)" }
  func tests(_ folder: String) -> String { "Tests/\(rawValue)/\(folder)" }
}

func module(
  _ name: String, floor: Floor, _ dependencies: Target.Dependency..., resources: [Resource] = [],
  linkerSettings: [LinkerSetting] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: floor.sources(name), resources: resources,
    swiftSettings: strictness(), linkerSettings: linkerSettings)
}

/// A library of the system, under a name that no other package uses for it.
///
/// Apple's SDKs have each of them. A manifest that is read on a Mac does not name the package of pkg-config: SwiftPM would
/// search Homebrew's folders for it, and pass its flags to the compiler for every platform, also for iOS.
func systemLibrary(_ name: String, floor: Floor, pkgConfig: String, apt: String) -> Target {
  #if os(macOS)
    .systemLibrary(name: name, path: floor.sources(name))
  #else
    .systemLibrary(name: name, path: floor.sources(name), pkgConfig: pkgConfig, providers: [.apt([apt])])
  #endif
}

func program(_ name: String, folder: String? = nil, _ dependencies: Target.Dependency...) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, path: Floor.programs.sources(folder ?? name),
    swiftSettings: strictness())
}

func tests(
  of module: String, folder: String? = nil, floor: Floor, _ dependencies: Target.Dependency...,
  resources: [Resource] = []
) -> Target {
  let name = folder ?? module + "Tests"
  return .testTarget(
    name: name, dependencies: [.byName(name: module)] + dependencies, path: floor.tests(name),
    resources: resources, swiftSettings: strictness())
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
