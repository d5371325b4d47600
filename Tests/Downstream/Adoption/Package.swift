// swift-tools-version: 6.2

import PackageDescription

/// Service protocols of every usual form, and test targets that `understudy adopt` fills; see `check`.
let package = Package(
  name: "Adoption",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [.package(name: "understudy", path: "../../..")],
  targets: [
    .target(name: "Services"),
    // Without an error of its own, and with a target for its doubles.
    .target(name: "Weather"),
    .target(name: "WeatherDoubles", dependencies: ["Weather", toolkit("Understudy")]),
    // In the language mode of apps that have not migrated.
    .target(name: "Wallet", swiftSettings: [.swiftLanguageMode(.v5)]),
    // Isolated to the main actor by default, as new apps are.
    .target(name: "Profiles", swiftSettings: [.defaultIsolation(MainActor.self)]),
    // Tests and doubles that are isolated to it by default, of services that are not and of services that are.
    .target(name: "Trains"),
    .target(name: "Stations", swiftSettings: isolated),
    .target(
      name: "StationsDoubles", dependencies: ["Stations", toolkit("Understudy")], swiftSettings: isolated),
    // The error of its services is in another target.
    .target(name: "ShopErrors"),
    .target(name: "Shop", dependencies: ["ShopErrors"]),
    .target(name: "ShopDoubles", dependencies: ["Shop", "ShopErrors", toolkit("Understudy")]),
    // Protocols and models with the names of types of the toolkit.
    .target(name: "Agreements"),
    .testTarget(
      name: "ServicesTests",
      dependencies: ["Services", toolkit("Understudy"), toolkit("UnderstudyTesting")]),
    .testTarget(
      name: "WeatherTests",
      dependencies: ["Weather", "WeatherDoubles", toolkit("Understudy"), toolkit("UnderstudyTesting")]),
    .testTarget(
      name: "WalletTests",
      dependencies: ["Wallet", toolkit("Understudy"), toolkit("UnderstudyTesting")]),
    .testTarget(
      name: "ProfilesTests",
      dependencies: ["Profiles", toolkit("Understudy"), toolkit("UnderstudyTesting")]),
    .testTarget(
      name: "TrainsTests",
      dependencies: ["Trains", toolkit("Understudy"), toolkit("UnderstudyTesting")],
      swiftSettings: isolated),
    .testTarget(
      name: "StationsTests",
      dependencies: ["Stations", "StationsDoubles", toolkit("Understudy"), toolkit("UnderstudyTesting")],
      swiftSettings: isolated),
    .testTarget(
      name: "ShopTests",
      dependencies: [
        "Shop", "ShopErrors", "ShopDoubles", toolkit("Understudy"), toolkit("UnderstudyTesting"),
      ]),
    .testTarget(
      name: "AgreementsTests",
      dependencies: ["Agreements", toolkit("Understudy"), toolkit("UnderstudyTesting")]),
  ]
)

/// The settings of a new app.
var isolated: [SwiftSetting] {
  [
    .defaultIsolation(MainActor.self), .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
  ]
}

func toolkit(_ name: String) -> Target.Dependency {
  .product(name: name, package: "understudy")
}
