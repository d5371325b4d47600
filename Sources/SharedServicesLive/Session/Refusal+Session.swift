import SharedServices

extension Refusal {
  /// Whether the server has ended the session permanently, by the error codes that supabase-swift checks.
  var endsSession: Bool {
    switch code {
    case "session_not_found", "session_expired", "refresh_token_not_found", "refresh_token_already_used": true
    default: false
    }
  }
}
