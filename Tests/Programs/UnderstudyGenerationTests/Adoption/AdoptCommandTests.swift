import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyTesting

@testable import GenerationFixtures
@testable import UnderstudyGeneration

/// The files in Adopted are those that the command writes, and this target compiles them.
@Suite(.stallLimit()) struct AdoptCommandTests {
  private func adopt(_ line: String) async -> ProgramRun {
    await ProgramRun("adopt \(line)")
  }

  private func adoptFixture(_ line: String) async throws -> ProgramRun {
    try await adopt("\(line) --module GenerationFixtures --symbol-graph \(Modules.fixtures)")
  }

  private func firstWord(_ line: String) -> String {
    line.split(separator: " ").first.map(String.init) ?? ""
  }

  private func lines(_ text: String, _ isGenerated: Bool) -> [Substring] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return isGenerated ? Array(lines.dropFirst()) : lines
  }

  // Catches a change after which the files that compile are not those that adopters get.
  @Test(arguments: [
    (
      "LendingService",
      [
        "LendingError+Fault", "InMemoryLendingService", "LendingServiceContract",
        "LendingServiceContractTests",
      ]
    ),
    (
      "Catalogue",
      ["CatalogueFailure+Fault", "InMemoryCatalogue", "CatalogueContract", "CatalogueContractTests"]
    ),
  ])
  func theFilesThatCompileAreTheFilesThatAreWritten(_ name: String, _ files: [String]) async throws {
    let folder = try TemporaryFolder()
    let result = try await adoptFixture("\(name) --output \(folder.path)")
    #expect(result.error == "")
    #expect(result.status == 0)
    let written = ["Generated/\(name)+Doubles"] + files
    let listed = result.lines.dropFirst().prefix(5).map(firstWord)
    let expectedPaths: [String] = written.map { "\(folder.path)/\($0).swift" }
    #expect(listed == expectedPaths)
    let kept = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Adopted")
    // The test would fail here: it is compared below.
    for file in written.dropLast() {
      let expected = try String(contentsOf: kept.appending(path: "\(file).swift"), encoding: .utf8)
      // The first line of the generated file has its path.
      let isGenerated = file.hasPrefix("Generated/")
      let old = lines(expected, isGenerated)
      let new = lines(try folder.read("\(file).swift"), isGenerated)
      #expect(old == new, "\(file)")
    }
  }

  @Test func theTestRunsTheContract() async throws {
    let folder = try TemporaryFolder()
    _ = try await adoptFixture("LendingService --output \(folder.path)")
    #expect(
      try folder.read("LendingServiceContractTests.swift") == """
        import GenerationFixtures
        import Testing
        import Understudy
        import UnderstudyTesting

        struct LendingServiceContractTests {
          @Test(arguments: Contract.lendingService.checks(of: .inMemory))
          func honours(_ check: ContractCheck<any LendingService>) async throws { try await check.run() }
        }

        extension Implementation where Subject == any LendingService {
          /// The double, with injected failures.
          static var inMemory: Self { .double("in-memory", InMemoryLendingService()) { $0 } }
        }

        """)
  }

  // Catches a clause that passes before it is written, one that has two failures, an error of an enumeration that hides
  // which method is not written, and a trap in a double.
  @Test func everyClauseFailsWithItsSentenceUntilItIsWritten() async {
    var failures: [String: [String]] = [:]
    let inMemory = Implementation<any LendingService>.double("in-memory", InMemoryLendingService()) { $0 }
    for check in Contract<any LendingService>.lendingService.checks(of: inMemory) {
      failures[check.clause.id] = await check.outcome().violations.map(\.message)
    }
    func sentence(_ title: String) -> String { "Write what \(title) must do here." }
    func unwritten(_ title: String, line: Int) -> String {
      "InMemoryLendingService.\(title) is not implemented by this double. Write this method by hand (UnderstudyGenerationTests/InMemoryLendingService.swift:\(line))."
    }
    let expected: [String: [String]] = [
      "lending.lend": [unwritten("lend(_:to:days:)", line: 10)],
      "lending.loans": [unwritten("loans()", line: 15)],
      "lending.reminders": [sentence("reminders()")],
      "lending.latest": [sentence("latest()")],
      "lending.forget": [sentence("forget(_:)")],
    ]
    #expect(failures.filter { !$0.key.hasPrefix("lending.loans.") } == expected)
    // A fault before the method needs no method; one after it does.
    #expect(failures["lending.loans.timeout"] == [])
    #expect(failures["lending.loans.answer-lost"] == expected["lending.loans"])
    let catalogue = Implementation<any Catalogue & Sendable>.double("in-memory", InMemoryCatalogue()) { $0 }
    let checks = Contract<any Catalogue & Sendable>.catalogue.checks(of: catalogue)
    for check in checks where check.clause.id.split(separator: ".").count == 2 {
      #expect(await check.outcome().name == "failed")
    }
  }

  // Catches a clause that passes because the error of a method that is not written is the one that it expects.
  @Test func aClauseDoesNotHoldOverAMethodThatIsNotWritten() async {
    let contract = Contract<any LendingService>("lending") {
      Clause("lending.unknown", "A list that cannot be read is an unknown failure.") { trial in
        await trial.expect(throws: LendingError.unknown) { try await trial.subject.loans() }
      }
    }
    let inMemory = Implementation<any LendingService>.double("in-memory", InMemoryLendingService()) { $0 }
    for check in contract.checks(of: inMemory) {
      let messages = await check.outcome().violations.map(\.message)
      #expect(messages.count == 1)
      #expect(messages.first?.hasPrefix("InMemoryLendingService.loans() is not implemented") == true)
    }
  }

  // Catches a test that fails without the name of the method, because the error of the app has none.
  @Test func aMethodThatIsNotWrittenIsAnIssueOfATest() async {
    await withKnownIssue {
      await #expect(throws: LendingError.unknown) { try await InMemoryLendingService().loans() }
    } matching: { issue in
      "\(issue)".contains("InMemoryLendingService.loans() is not implemented by this double.")
    }
  }

  // Catches a fault that becomes the error of another one.
  @Test(
    arguments: [
      (.unauthorized, .signedOut), (.notFound, .copyNotFound), (.conflict, .alreadyTaken),
      (.timeout, .requestTimedOut),
      (.offline, .noConnection), (.hostNotFound, .noConnection), (.forbidden, .unknown),
      (.cancelled, .unknown),
      (.rateLimited(retryAfter: .seconds(7)), .tooManyRequests(retryAfter: 7)),
      (.rateLimited(retryAfter: nil), .tooManyRequests(retryAfter: nil)),
    ] as [(Fault, LendingError)])
  func aFaultIsTheErrorWithItsName(_ fault: Fault, _ error: LendingError) {
    #expect(LendingError(fault) == error)
  }

  // Catches a double in memory that throws where nothing can be thrown, or that no test can create.
  @Test func everyFormIsToBeWritten() async throws {
    let folder = try TemporaryFolder()
    let account = try await adoptFixture("AccountService --failure TodoError.init --output \(folder.path)/a")
    #expect(account.error == "" && account.status == 0)
    let double = try folder.read("a/InMemoryAccountService.swift")
    for line in [
      "    completion(.failure(TodoError(.unimplemented(\"InMemoryAccountService.name(_:)\"))))\n",
      "    completion(false, TodoError(.unimplemented(\"InMemoryAccountService.rename(_:completion:)\")))\n",
      "    onFailure(TodoError(.unimplemented(\"InMemoryAccountService.age(onSuccess:onFailure:)\")))\n",
      "    return nil\n",
    ] { #expect(double.contains(line), "\(line)") }
    let downloads = try await adoptFixture("Downloading --failure TodoError.init --output \(folder.path)/d")
    #expect(downloads.status == 1)
    #expect(downloads.error.contains("Downloading refines Equatable, and only its author knows"))
    let upload = try await adoptFixture("Uploading --failure TodoError.init --output \(folder.path)/u")
    #expect(upload.error == "" && upload.status == 0)
    let uploading = try folder.read("u/InMemoryUploading.swift")
    #expect(uploading.contains("  init() {}\n") && uploading.contains("  init?(id: Int) {\n"))
    #expect(uploading.contains("    Task { throw TodoError(.unimplemented("))
    #expect(try folder.read("u/UploadingContract.swift").components(separatedBy: "Clause(\"").count == 2)
  }

  // Catches a closure that is missing in the value in memory, and a contract of another type than the structure.
  @Test func aStructureOfClosuresIsAdopted() async throws {
    let folder = try TemporaryFolder()
    let result = try await adoptFixture("LoanClient --output \(folder.path)")
    #expect(result.error == "" && result.status == 0)
    #expect(result.output.contains("Write the closures of LoanClient.inMemory, then the clauses."))
    #expect(
      try folder.read("InMemoryLoanClient.swift") == """
        import GenerationFixtures
        import Understudy

        extension LoanClient {
          /// The ``LoanClient`` in memory, for previews and tests.
          ///
          /// Write each closure. Keep the state in a `Locked` that they share.
          static var inMemory: LoanClient {
            LoanClient(
              borrow: { argument1, argument2 in
                throw TodoError(.unimplemented("InMemoryLoanClient.borrow"))
              },
              loans: { () async throws(TodoError) in
                throw TodoError(.unimplemented("InMemoryLoanClient.loans"))
              },
              changes: { argument in
                AsyncThrowingStream { $0.finish(throwing: TodoError(.unimplemented("InMemoryLoanClient.changes"))) }
              },
              count: {
                throw TodoError(.unimplemented("InMemoryLoanClient.count"))
              },
              find: { argument1, argument2 in
                argument2(.failure(TodoError(.unimplemented("InMemoryLoanClient.find"))))
              },
              isOpen: {
                false
              },
              name: "name"
            )
          }
        }

        """)
    let contract = try folder.read("LoanClientContract.swift")
    #expect(contract.contains("extension Contract where Subject == LoanClient {\n"))
    #expect(contract.contains("_ = try await trial.subject.borrow(\"argument1\", 1)\n"))
    let test = try folder.read("LoanClientContractTests.swift")
    #expect(test.contains(".double(\"in-memory\", LoanClient.inMemory) { LoanClient($0) }"))
  }

  // Catches a value that does not compile, because no file of another target can call the initializer.
  @Test func aStructureWithoutAnInitializerIsRefused() async throws {
    let folder = try TemporaryFolder()
    let result = await adopt(
      "Bargain --module BazaarErrors --symbol-graph \(Modules.bazaar)/BazaarErrors.symbols.json --output \(folder.path)"
    )
    #expect(result.status == 1)
    #expect(
      result.error
        == "BazaarErrors.swift:5: Bargain has no initializer that takes each of its closures, or none that its doubles can call. Declare one that is public.\n"
    )
    #expect(try folder.names.isEmpty)
  }

  // Catches a `Result`, a stream and a function behind a type alias that no fault reaches, or that is logged, and an
  // argument that is not known although the type behind its alias is.
  @Test func theTypeBehindAnAliasDecides() async throws {
    let folder = try TemporaryFolder()
    let result = try await adoptFixture("Mailroom --output \(folder.path)")
    #expect(result.error == "" && result.status == 0)
    let doubles = try folder.read("Generated/Mailroom+Doubles.swift")
    #expect(doubles.contains("public func deliver(to box: BoxNumber) async -> Result<Int, DeliveryError> {"))
    #expect(doubles.contains("        .deliver, box, failure: { DeliveryError($0) }\n"))
    #expect(
      doubles.contains(
        "    interceptStream(.deliveries, streamFailure: { DeliveryError($0) as any Error }) { base in\n"))
    #expect(doubles.contains("public func announce(_ receipt: ((Result<Int, DeliveryError>) -> Void)?) {"))
    #expect(doubles.contains("    interceptCallback(\n      .announce,\n"))
    #expect(
      doubles.contains("public func weigh(_ letters: [Int]) async -> Result<[Int : Double], DeliveryError> {")
    )
    #expect(doubles.contains("    nonisolated(unsafe) let progress = progress\n"))
    #expect(doubles.contains("    nonisolated(unsafe) let done = done\n"))
    let contract = try folder.read("MailroomContract.swift")
    #expect(contract.contains("_ = try await trial.subject.deliver(to: trial.uuid()).get()\n"))
  }

  // Catches a fault of the network that becomes an error which only the server causes, a status that is not found
  // behind a type alias, and a failure of the client, such as an invalid address, for a refusal of the server.
  @Test func anErrorWithoutACaseForTheNetworkIsOnlyThatOfTheServer() async throws {
    let folder = try TemporaryFolder()
    let result = try await adoptFixture("SorterService --output \(folder.path)")
    #expect(result.error == "" && result.status == 0)
    #expect(
      try folder.read("SorterService+Fault.swift") == """
        import Foundation
        import GenerationFixtures
        import Understudy

        #if canImport(FoundationNetworking)
          import FoundationNetworking
        #endif

        /// What the live service throws for a fault: `SorterError`, or an error of `URLSession`.
        ///
        /// The cases are guessed from their names. Correct them.
        func sorterServiceError(_ fault: Fault) -> any Error {
          switch fault.symptom {
          case .unauthorized: SorterError.status(401)
          case .forbidden: SorterError.status(403)
          case .notFound: SorterError.status(404)
          case .conflict: SorterError.status(409)
          case .unprocessable: SorterError.status(422)
          case .rateLimited: SorterError.status(429)
          case .refused: SorterError.status(400)
          case .serverError: SorterError.status(500)
          case .unavailable: SorterError.status(503)
          case .unreadable: SorterError.malformedAnswer
          case .timedOut: URLError(.timedOut)
          case .offline: URLError(.notConnectedToInternet)
          case .unreachable: URLError(.cannotConnectToHost)
          case .connectionLost: URLError(.networkConnectionLost)
          case .cancelled: CancellationError()
          case .unimplemented: fault
          default: URLError(.badServerResponse)
          }
        }

        """)
    // Catches a call that is ambiguous, and a sentence that includes the list of parameters.
    let contract = try folder.read("SorterServiceContract.swift")
    #expect(contract.contains("let _: Int = try await trial.subject.sort(trial.uuid())\n"))
    #expect(contract.contains("let _: [String: Int] = try await trial.subject.sort(trial.uuid())\n"))
    #expect(contract.contains("Clause.failures(\"sorter.count\", "))
    #expect(contract.contains("Clause(\"sorter.sort\", \"Sorts the letters.\")"))
  }

  // Catches an overwritten file, and files of a command that failed.
  @Test(arguments: [
    "InMemoryLendingService.swift", "LendingServiceContractTests.swift",
    "Generated/LendingService+Doubles.swift",
  ])
  func anExistingFileIsNotOverwritten(_ name: String) async throws {
    let folder = try TemporaryFolder()
    let parent = folder.file(name).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    try folder.write("// Mine.\n", to: name)
    let result = try await adoptFixture("LendingService --output \(folder.path)/")
    #expect(result.status == 2)
    #expect(
      result.error
        == "tool: \(folder.path)/\(name) exists, and adopt overwrites nothing. Move it away, or choose another folder with --output or --doubles.\n"
    )
    #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path).last == name)
    #expect(try folder.read(name) == "// Mine.\n")
  }

  // Catches a second initializer of an error that two services throw, which does not compile.
  @Test func aMappingThatExistsIsUsed() async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "extension LendingError {\n  init(_ fault: Fault) { self = .unknown }\n}\n", to: "Errors.swift")
    let result = try await adoptFixture("LendingService --output \(folder.path)")
    #expect(result.status == 0)
    #expect(
      try folder.names == [
        "Errors.swift", "Generated", "InMemoryLendingService.swift", "LendingServiceContract.swift",
        "LendingServiceContractTests.swift",
      ])
    let own = try TemporaryFolder()
    #expect(try await adoptFixture("LendingService --failure make --output \(own.path)").status == 0)
    #expect(try own.names.count == 4)
    #expect(try own.read("InMemoryLendingService.swift").contains("throw make(.unimplemented("))
  }

  @Test(arguments: [
    ("", "adopt requires the name of a protocol, such as LibraryService. See tool adopt --help."),
    ("A B", "Unexpected argument \"B\". See tool adopt --help."),
    ("A --outptu x", "Unknown option \"--outptu\". Did you mean --output? See tool adopt --help."),
    (
      "A --error E --failure f",
      "--error cannot be combined with --failure f, which chooses the error."
    ),
    ("A --package-description /no/such.json", "File not found: /no/such.json (in %)."),
    (
      "LendingServise --module GenerationFixtures --symbol-graph * --output x",
      "Protocol LendingServise not found in GenerationFixtures. Did you mean LendingService?"
    ),
    (
      "ClosedShelf --module GenerationFixtures --symbol-graph * --output x",
      "ClosedError has no case or initializer whose values adopt can write. Write its init(_: Fault), and pass --failure ClosedError.init."
    ),
    (
      "Catalogue --module GenerationFixtures --symbol-graph * --output x --error Missing",
      "Missing not found in GenerationFixtures, GenerationFixturesBase. Write its init(_: Fault), and pass --failure Missing.init."
    ),
  ])
  func whatCannotBeDoneIsOneLine(_ line: String, _ message: String) async throws {
    let result = try await adopt(line.replacing("*", with: Modules.fixtures))
    let expected = message.replacing("%", with: FileManager.default.currentDirectoryPath)
    #expect(result.error == "tool: \(expected)\n")
    #expect(result.output == "")
    #expect(result.status == 2)
  }

  // Catches a file of a protocol that cannot have a contract for one type.
  @Test func aProtocolWithAnAssociatedTypeIsRefusedWithItsLocation() async throws {
    let folder = try TemporaryFolder()
    let result = try await adoptFixture("Repository --output \(folder.path)")
    #expect(result.status == 1)
    #expect(
      result.error.contains("Generics.swift:11: Repository has an associated type, Item."), "\(result.error)")
    #expect(try folder.names.isEmpty)
  }
}
