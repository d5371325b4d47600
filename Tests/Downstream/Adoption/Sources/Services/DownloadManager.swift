import Foundation

/// Closures, as before concurrency.
protocol DownloadManager: AnyObject {
  func download(_ url: URL, completion: @escaping (Result<Data, any Error>) -> Void)
  func cancelAll()
  func progress(of url: URL) -> Double
}
