public import Foundation

/// The location and the time limits of a Supabase project.
public struct SupabaseConfiguration: Sendable, Hashable {
  /// The root URL of the project, such as `https://abc.supabase.co`; the paths of the services are appended to it.
  public var projectURL: URL
  /// The public (anonymous or publishable) key, sent as `apikey`.
  public var apiKey: String
  /// The maximum time without any data in an exchange (default: 30 seconds).
  public var timeout: Duration
  /// The delays between the attempts of a read.
  public var backOff: BackOff

  /// Creates the configuration of a project.
  public init(
    projectURL: URL, apiKey: String, timeout: Duration = .seconds(30), backOff: BackOff = .standard
  ) {
    self.projectURL = projectURL
    self.apiKey = apiKey
    self.timeout = timeout
    self.backOff = backOff
  }
}
