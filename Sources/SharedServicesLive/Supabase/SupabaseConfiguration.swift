public import Foundation

/// Which Supabase project to talk to, and how patiently.
public struct SupabaseConfiguration: Sendable, Hashable {
  /// The root of the project, such as `https://abc.supabase.co`; the paths of the services are added to it.
  public var projectURL: URL
  /// The public (anonymous or publishable) key, sent as `apikey`.
  public var apiKey: String
  /// The longest silence that is borne in one exchange, 30 seconds by default.
  public var timeout: Duration
  /// What is waited between the tries of a read.
  public var backOff: BackOff

  /// A project with its key.
  public init(
    projectURL: URL, apiKey: String, timeout: Duration = .seconds(30), backOff: BackOff = .standard
  ) {
    self.projectURL = projectURL
    self.apiKey = apiKey
    self.timeout = timeout
    self.backOff = backOff
  }
}
