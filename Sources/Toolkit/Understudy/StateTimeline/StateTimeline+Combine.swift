#if canImport(Combine)
  public import Combine

  extension StateTimeline {
    /// Creates a timeline of the published states of a subject, such as an `ObservableObject`.
    ///
    /// ```swift
    /// let timeline = StateTimeline(of: model, startingWith: model.state, publishedBy: { $0.$state })
    /// ```
    ///
    /// A value that is published off the main thread is recorded on the main actor shortly after.
    ///
    /// - Parameters:
    ///   - subject: The subject to observe.
    ///   - initial: The current state. If the publisher sends it at once, as that of `@Published` does, it is recorded
    ///     once.
    ///   - publisher: The publisher of its states.
    public convenience init<States: Publisher>(
      of subject: Subject, startingWith initial: State, publishedBy publisher: @MainActor (Subject) -> States
    ) where States.Output == State, States.Failure == Never {
      let publication = Publication()
      self.init(of: subject, startingWith: initial) { subject, record in
        let isFirst = Locked(true)
        // Sendable, so that the closure is not inferred to be on the main actor; a publisher may send elsewhere.
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

  /// Keeps a subscription alive.
  @MainActor final class Publication {
    var subscription: AnyCancellable?
  }
#endif
