public import Foundation
public import Observation
public import SharedServices

/// The screen on which a parent names the first child (seed 001, example 1).
///
/// Whatever a service does, a save ends with ``isLoading`` off, and with either a new child and the next step or
/// a message. A cancelled save shows nothing.
@MainActor
@Observable
public final class OnboardingViewModel {
  /// The step that is on the screen.
  public var currentState: OnboardingState = .notStarted

  /// What is written in the name field.
  public var childName: String = ""

  /// What the age picker stands at, in years.
  public var childAge: Int = 8

  /// Whether a save is under way; buttons are disabled meanwhile.
  public private(set) var isLoading: Bool = false

  /// What went wrong with the last save, for the user.
  public private(set) var errorMessage: String?

  /// The child as the service stored it.
  public private(set) var currentChild: Child?

  private let auth: any AuthService
  private let children: any ChildrenService
  private let today: @MainActor () -> CalendarDate

  /// A view model over these services.
  ///
  /// - Parameters:
  ///   - auth: Says who is signed in.
  ///   - children: Stores the child.
  ///   - today: The day from which a birthday is reckoned; the device's unless said otherwise.
  public init(
    auth: any AuthService, children: any ChildrenService,
    today: @escaping @MainActor () -> CalendarDate = { CalendarDate(Date(), in: .current) }
  ) {
    self.auth = auth
    self.children = children
    self.today = today
  }

  /// Stores the child and goes on to the next step.
  ///
  /// The next step is the one after that at which the save began, whatever happened to ``currentState`` meanwhile.
  /// A second tap while the first is under way does nothing. The ages are the table's own (6 to 16), not the
  /// seed's 1 to 18, of which the table refuses some.
  public func saveChildAndProceed() async {
    guard !isLoading else { return }
    let name = childName.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !name.isEmpty, Child.ages.contains(childAge) else {
      errorMessage = "Please enter a valid name and age"
      return
    }
    let (age, step) = (childAge, currentState)
    isLoading = true
    errorMessage = nil
    defer { isLoading = false }
    do {
      let userID = try await auth.currentUserID()
      currentChild = try await children.createChild(
        NewChild(userID: userID, name: name, age: age, birthday: today().adding(years: -age)))
      currentState = step.next() ?? step
    } catch AppError.cancelled {
    } catch {
      errorMessage = error.userFacingMessage
    }
  }
}
