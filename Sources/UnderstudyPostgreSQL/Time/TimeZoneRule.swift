/// The time zone of a session: a fixed offset, or a zone of the tz database.
package enum TimeZoneRule: Hashable, Sendable {
  case fixed(seconds: Int)
  case named(String)
}
