#if canImport(Combine)
  public import Combine

  extension StateTimeline {
    /// Watches what a subject publishes, such as an `ObservableObject`.
    ///
    /// ```swift
    /// let timeline = StateTimeline(of: model, startingWith: model.state, publishedBy: { $0.$state })
    /// ```
    ///
    /// A value that is published elsewhere than on the main thread is taken down on the main actor soon after.
    ///
    /// - Parameters:
    ///   - subject: What is watched.
    ///   - initial: The state now. One that the publisher sends at once, as that of `@Published` does, counts once.
    ///   - publisher: What publishes its states.
    public convenience init<States: Publisher>(
      of subject: Subject, startingWith initial: State, publishedBy publisher: @MainActor (Subject) -> States
    ) where States.Output == State, States.Failure == Never {
      let publication = Publication()
      self.init(of: subject, startingWith: initial) { subject, record in
        let isFirst = Locked(true)
        // Sendable, so that it is not taken to be on the main actor, where a publisher need not send.
        publication.subscription = publisher(subject).sink { @Sendable state in
          let repeatsInitial = isFirst.withLock { isFirst in
            defer { isFirst = false }
            return isFirst
          }
          if repeatsInitial, state == initial { return }
          if MainQueue.isCurrent {
            MainActor.assumeIsolated { record(state) }
          } else {
            Task { @MainActor in record(state) }
          }
        }
      }
      self.publication = publication
    }
  }

  /// Keeps a subscription as long as it lives.
  @MainActor final class Publication {
    var subscription: AnyCancellable?
  }
#endif
