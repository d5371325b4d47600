import Observation
import Understudy

// Screens over services that return publishers, which stand in for those of Combine.

// MARK: - Services

protocol ScoreService: Sendable {
  func teams() -> StandInPublisher<[String], AppError>
  func scores(of team: String) -> StandInPublisher<Int, AppError>
}

final class Scores: ScoreService {
  private let lions = StandInSubject<Int, AppError>(current: 0)

  func teams() -> StandInPublisher<[String], AppError> { .elsewhere(["lions", "tigers"]) }

  func scores(of team: String) -> StandInPublisher<Int, AppError> {
    team == "lions" ? lions.publisher : .sending(0)
  }

  func score() { lions.send(1) }
}

extension Intercepted.Operation where Base: ScoreService {
  static var teams: Self { Self("teams") }
  static var scores: Self { Self("scores") }
}

extension Intercepted: ScoreService where Base: ScoreService {
  func teams() -> StandInPublisher<[String], AppError> {
    interceptPublisher(.teams, failure: { AppError($0) }) { base in base.teams() }
  }

  func scores(of team: String) -> StandInPublisher<Int, AppError> {
    interceptPublisher(.scores, team, failure: { AppError($0) }) { base, team in base.scores(of: team) }
  }
}

// MARK: - Screens

/// A list of teams, from a publisher of one value.
///
/// The wrong one takes only the value.
@MainActor @Observable final class TeamsModel: LoadingScreen {
  private(set) var teams: [String] = []
  private(set) var isLoading = false
  private(set) var message: String?
  private var subscription: StandInSubscription?
  private let service: any ScoreService
  private let isRight: Bool

  init(service: any ScoreService, isRight: Bool) { (self.service, self.isRight) = (service, isRight) }

  func load() {
    (isLoading, message) = (true, nil)
    subscription = service.teams().sink { [weak self] error in
      Task { @MainActor in self?.end(error) }
    } value: { [weak self] teams in
      Task { @MainActor in self?.show(teams) }
    }
  }

  private func show(_ teams: [String]) { (self.teams, isLoading) = (teams, false) }

  private func end(_ error: AppError?) {
    guard isRight, let error else { return }
    (message, isLoading) = ("\(error)", false)
  }
}

extension Screen {
  static let ignoredCompletion = Screen(
    "ignored completion", "A user opens a list of teams.", breaks: "loading.ends"
  ) { run, isRight in
    let model = TeamsModel(service: run.intercepted(Scores(), as: "scores"), isRight: isRight)
    run.watch(model) { "\($0.isLoading) \($0.teams) \($0.message ?? "")" }
    await run.act(on: model) { model.load() }
  }
}

/// The live score of a team, from a publisher of many values.
///
/// The wrong one says that it is live although the publisher has ended.
@MainActor @Observable final class LiveScoreModel {
  private(set) var score: Int?
  private(set) var isLive = false
  private(set) var message: String?
  private var subscription: StandInSubscription?
  private let service: any ScoreService
  private let isRight: Bool

  init(service: any ScoreService, isRight: Bool) { (self.service, self.isRight) = (service, isRight) }

  func follow(_ team: String) {
    (isLive, message) = (true, nil)
    subscription = service.scores(of: team).sink { [weak self] error in
      Task { @MainActor in self?.end(error) }
    } value: { [weak self] score in
      Task { @MainActor in self?.score = score }
    }
  }

  private func end(_ error: AppError?) {
    if isRight || score == nil { isLive = false }
    message = error.map { "\($0)" }
  }
}

extension Screen {
  static let endedPublisher = Screen(
    "ended publisher", "A user follows a score.", breaks: "live.is.connected"
  ) { run, isRight in
    let scores = Scores()
    let model = LiveScoreModel(service: run.intercepted(scores, as: "scores"), isRight: isRight)
    run.watch(model) { "\($0.score ?? -1) \($0.isLive ? "live" : "") \($0.message ?? "")" }
    var failures = await run.act { model.follow("lions") }
    failures += await run.failures {
      await run.act { scores.score() }
    }
    if !run.altersEvents {
      run.expect("live.is.connected", failures.match(isShown: !model.isLive), "\(failures)")
      run.expect("score.is.shown", !model.isLive || model.score == 1, "\(model.score ?? -1)")
    }
  }
}
