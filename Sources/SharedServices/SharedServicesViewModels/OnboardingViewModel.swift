public import Foundation
public import Observation
public import SharedServices

/// The view model of the screen on which a parent enters the first child (seed 001, example 1).
///
/// Every save ends with ``isLoading`` set to `false`, and with either a stored child and the next step or an error
/// message. A cancelled save shows no message. Saving again after a lost answer stores no second child, and saving
/// again after going back changes the stored one.
@MainActor
@Observable
public final class OnboardingViewModel {
  /// The current step.
  public var currentState: OnboardingState {
    get { form.content.step }
    set { form.content.step = newValue }
  }

  /// The text in the name field.
  public var childName: String {
    get { form.content.name }
    set { form.content.name = newValue }
  }

  /// The value of the age picker, in years.
  public var childAge: Int {
    get { form.content.age }
    set { form.content.age = newValue }
  }

  /// The child as stored by the service.
  public var currentChild: Child? { form.content.child }

  /// Whether a save is in progress, during which buttons are disabled.
  public var isLoading: Bool { actions.isRunning { _ in true } }

  /// The message of the last failed save, for the user.
  public var errorMessage: String? { actions.errorMessage }

  /// The message of the last successful save, for the user.
  public var successMessage: String? { actions.successMessage }

  /// The entries of a user.
  private struct Form {
    var step: OnboardingState = .notStarted
    var name = ""
    var age = 8
    var child: Child?
    /// The number of the newest save whose child is shown.
    var saveShown = 0
    /// The id of the child to be stored, once a save has begun: the service may have stored it.
    var newID: UUID?
  }

  private var form: Owned<Form>
  private let auth: AuthViewModel
  private let actions: ScreenActions
  private let children: any ChildrenService
  private let today: @MainActor () -> CalendarDate
  private let makeID: @MainActor () -> UUID

  /// Creates a view model.
  ///
  /// - Parameters:
  ///   - auth: The holder of the signed-in user.
  ///   - children: The service that stores the child.
  ///   - makeID: The id of a new child.
  ///   - today: The date from which the birthday is calculated (default: the device's).
  public init(
    auth: AuthViewModel, children: any ChildrenService, makeID: @escaping @MainActor () -> UUID = { UUID() },
    today: @escaping @MainActor () -> CalendarDate = { CalendarDate(Date(), in: .current) }
  ) {
    self.auth = auth
    self.children = children
    self.today = today
    self.makeID = makeID
    form = Owned(Form(), empty: Form(), auth: auth)
    actions = ScreenActions(auth: auth)
  }

  /// Stores the child and continues with the next step.
  ///
  /// The next step is the one after the step at which the save began, even if ``currentState`` has changed since. A
  /// second call during a save has no effect. Ages are limited to the table's range (6 to 16), because it rejects a
  /// part of the seed's range (1 to 18).
  public func saveChildAndProceed() async {
    actions.abandonCancelled()
    guard !isLoading else { return }
    let (name, age, step) = (
      childName.trimmingCharacters(in: .whitespacesAndNewlines), childAge, currentState
    )
    guard !name.isEmpty, Child.ages.contains(age) else {
      // The sentence of example 1 of seed 001, whose section on layers has another.
      return actions.refuse(.save, "Please enter a valid name and age")
    }
    await actions.perform(.save, succeedingWith: "Saved successfully") { [self] run throws(AppError) in
      let user = try await actions.user(of: run)
      let stored = try await store(name, age, of: user, in: run)
      // What is stored is shown even if the parent no longer waits for it, so that it is not stored again. A later save
      // knows more: the child may have been deleted and stored again.
      guard actions.isCurrent(run.owner), run.number > form.content.saveShown else { throw .cancelled }
      (form.content.child, form.content.saveShown) = (stored, run.number)
      try run.check()
      form.content.step = step.next() ?? step
    }
  }

  /// Removes the messages, as the button of an alert does.
  public func dismissMessage() {
    actions.dismissMessages()
  }

  private func store(
    _ name: String, _ age: Int, of user: UUID, in run: ScreenActions.Run
  ) async throws(AppError) -> Child {
    let birthday = today().adding(years: -age)
    if let child = form.content.child {
      do throws(AppError) {
        return try await change(child, name, age, birthday)
      } catch .network(.notFound) {
        try run.check()
        let children = try await children.fetchChildren(userID: user)
        try run.check()
        if children.contains(where: { $0.id == child.id }) { throw .network(.notFound) }
        // It was deleted on another device, so it is stored as a new one.
        (form.content.child, form.content.newID) = (nil, nil)
      }
    }
    let mayBeStored = form.content.newID != nil
    let id = form.content.newID ?? makeID()
    form.content.newID = id
    do throws(AppError) {
      return try await children.createChild(
        NewChild(id: id, userID: user, name: name, age: age, birthday: birthday))
    } catch .network(.conflict) where mayBeStored {
      // An earlier save may have stored the child with the values of that time.
      try run.check()
      let child = try await children.fetchChildren(userID: user).first { $0.id == id }
      try run.check()
      guard let child else { throw .network(.conflict) }
      return try await change(child, name, age, birthday)
    }
  }

  private func change(
    _ child: Child, _ name: String, _ age: Int, _ birthday: CalendarDate
  ) async throws(AppError) -> Child {
    var changed = child
    if age != child.age { (changed.age, changed.birthday) = (age, birthday) }
    changed.name = name
    return changed == child ? child : try await children.updateChild(changed)
  }
}
