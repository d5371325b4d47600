import Testing
import UnderstudyTesting

@testable import UnderstudyGeneration

// Catches names that do not compile, and long identifiers of clauses.
@Suite(.stallLimit()) struct AdoptedNamesTests {
  private func names(_ name: String) -> AdoptedNames {
    AdoptedNames(
      ServiceProtocol(
        name: name, module: "App", access: .public, place: nil, attributes: [], availability: [],
        isSendable: true, isClassBound: false, associatedTypes: [], refinedNames: [], parents: [],
        requirements: [], hasWhereClause: false, obstacle: nil))
  }

  @Test(arguments: [
    ("LibraryService", "InMemoryLibraryService", "libraryService", "library"),
    ("AccountServiceProtocol", "InMemoryAccountService", "accountService", "account"),
    ("AccountServiceInterface", "InMemoryAccountService", "accountService", "account"),
    ("FeedFetching", "InMemoryFeedFetching", "feedFetching", "feed"),
    ("Chat.Transport", "InMemoryTransport", "transport", "transport"),
    ("URLLoader", "InMemoryURLLoader", "urlLoader", "url"),
    ("API", "InMemoryAPI", "api", "api"),
    ("APIClient", "InMemoryAPIClient", "apiClient", "api"),
    ("Service", "InMemoryService", "service", "service"),
  ])
  func namesFollowTheProtocol(_ name: String, _ double: String, _ contract: String, _ stem: String) {
    let names = names(name)
    #expect(names.double == double)
    #expect(names.contract == contract)
    #expect(names.stem == stem)
  }
}
