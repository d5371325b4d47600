// Services as those of apps for music, films and pictures.

import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

enum MediaError: Error {
  case offline, notFound
  case decoding(any Error)
}

struct Episode: Identifiable, Codable, Hashable, Sendable {
  let id: Int
  let title: String
  let url: URL
}

struct Podcast: Identifiable, Codable, Sendable {
  let id: Int
  var episodes: [Episode]
}

// generated
// logged: isSubscribed
protocol PodcastService: Sendable {
  func search(_ text: String, country: String) async throws(MediaError) -> [Podcast]
  func episodes(of podcast: Podcast.ID) async throws(MediaError) -> [Episode]
  func isSubscribed(to podcast: Podcast.ID) -> Bool
  func subscribe(to podcast: Podcast) throws(MediaError)
  func download(_ episode: Episode) -> AsyncStream<Double>
}

// generated --failure MediaError.init
protocol EpisodeDownloading {
  func download(
    _ episode: Episode, progress: @escaping (Int64, Int64) -> Void,
    completion: @escaping (URL?, HTTPURLResponse?, Error?) -> Void
  ) -> URLSessionDownloadTask
  func resume(with data: Data, completion: @escaping (Result<URL, Error>) -> Void) -> URLSessionTask?
}

enum PlayerState: Equatable, Sendable {
  case stopped
  case playing(Episode, position: TimeInterval)
}

// generated
// logged: pause, rate, setRate, state
// delayed: seek
@MainActor protocol MusicPlayer: AnyObject {
  var state: PlayerState { get }
  var rate: Float { get set }
  func play(_ episode: Episode, from position: TimeInterval) async throws(MediaError)
  func pause()
  func seek(to position: TimeInterval, completion: @escaping (Bool) -> Void)
  func states() -> AsyncStream<PlayerState>
}

struct Photo: Sendable {
  let data: Data
  var metadata: [String: String]
}

// generated
// logged: hasFlash, stop
protocol CameraController: Actor {
  var hasFlash: Bool { get }
  func start() async throws(MediaError)
  func capture(withFlash: Bool) async throws(MediaError) -> Photo
  func stop()
}

// generated --failure MediaError.init
// delayed: albums
protocol PhotoLibrary: Sendable {
  associatedtype Asset: Identifiable & Sendable
  func albums() async -> [String]
  func assets(in album: String?) async throws -> [Asset]
  func picture(of id: Asset.ID, size: (width: Int, height: Int)) async throws(MediaError) -> Data
  func changes() -> AsyncThrowingStream<[Asset], any Error>
}

// generated
// logged: currentTime, setCurrentTime, playbackQueue
protocol VideoPlayback: AnyObject, Sendable {
  @MainActor var currentTime: TimeInterval { get set }
  var playbackQueue: DispatchQueue { get }
  func load(
    _ url: URL, headers: [String: String]?,
    completion: @escaping @Sendable (Result<TimeInterval, MediaError>) -> Void)
  func thumbnails(at times: [TimeInterval]) async throws(MediaError) -> [TimeInterval: Data]
}

// generated --failure MediaError.init
// logged: presets
protocol RadioTuner {
  var presets: [Double] { get }
  func tune(to frequency: Double) throws -> String?
  func scan(onStation: @escaping (Double) -> Void, completion: @escaping (Error?) -> Void)
}

// generated
// logged: cached
protocol LyricsProvider: Sendable {
  func lyrics(of song: String, by artist: String?) async throws(MediaError) -> String?
  func cached(of song: String) -> Swift.Result<String, MediaError>?
  func line(at position: Duration, of song: String) throws(MediaError) -> Substring
}

// generated --failure MediaError.init
// logged: progress
protocol ReaderLibrary: Sendable {
  func open<Book: Decodable & Sendable>(_ type: Book.Type, at url: URL) async throws -> Book
  func highlights(in chapters: some Collection<Int> & Sendable) async throws -> [String]
  func progress(of url: URL) -> Double
  func sync(_ completion: @escaping @Sendable (Error?) -> Void)
}
