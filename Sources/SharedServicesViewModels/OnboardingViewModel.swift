public import Foundation
public import Observation
public import SharedServices

/// The view model of the screen on which a parent enters the first child (seed 001, example 1).
///
/// Every save ends with ``isLoading`` set to `false`, and with either a stored child and the next step or an error
/// message. A cancelled save shows no message.
@MainActor
@Observable
public final class OnboardingViewModel {
  /// The current step.
  public var currentState: OnboardingState = .notStarted

  /// The text in the name field.
  public var childName: String = ""

  /// The value of the age picker, in years.
  public var childAge: Int = 8

  /// Whether a save is in progress, during which buttons are disabled.
  public private(set) var isLoading: Bool = false

  /// The message of the last failed save, for the user.
  public private(set) var errorMessage: String?

  /// The child as stored by the service.
  public private(set) var currentChild: Child?

  private let auth: any AuthService
  private let children: any ChildrenService
  private let today: @MainActor () -> CalendarDate

  /// Creates a view model.
  ///
  /// - Parameters:
  ///   - auth: The service that returns the signed-in user.
  ///   - children: The service that stores the child.
  ///   - today: The date from which the birthday is calculated (default: the device's).
  public init(
    auth: any AuthService, children: any ChildrenService,
    today: @escaping @MainActor () -> CalendarDate = { CalendarDate(Date(), in: .current) }
  ) {
    self.auth = auth
    self.children = children
    self.today = today
  }

  /// Stores the child and continues with the next step.
  ///
  /// The next step is the one after the step at which the save began, even if ``currentState`` has changed since. A
  /// second call during a save has no effect. Ages are limited to the table's range (6 to 16), because it rejects a
  /// part of the seed's range (1 to 18).
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
