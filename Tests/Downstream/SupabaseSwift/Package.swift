// swift-tools-version: 6.2

import PackageDescription

/// Services built on supabase-swift, under the contracts of the shared services.
let package = Package(
  name: "SupabaseSwiftExample",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [
    .package(name: "understudy", path: "../../.."),
    .package(url: "https://github.com/supabase/supabase-swift", from: "2.37.0"),
  ],
  targets: [
    .target(
      name: "SupabaseSwiftServices",
      dependencies: [
        .product(name: "SharedServices", package: "understudy"),
        .product(name: "Supabase", package: "supabase-swift"),
      ]),
    .testTarget(
      name: "SupabaseSwiftServicesTests",
      dependencies: [
        "SupabaseSwiftServices",
        .product(name: "SharedServices", package: "understudy"),
        .product(name: "SharedServicesContracts", package: "understudy"),
        .product(name: "SharedServicesVerification", package: "understudy"),
        .product(name: "Supabase", package: "supabase-swift"),
        .product(name: "Understudy", package: "understudy"),
        .product(name: "UnderstudyHTTP", package: "understudy"),
        .product(name: "UnderstudyTesting", package: "understudy"),
      ]),
  ]
)
