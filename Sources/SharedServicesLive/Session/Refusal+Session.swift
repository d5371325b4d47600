import SharedServices

extension Refusal {
  /// Whether the server has ended the session for good, by the codes that supabase-swift goes by.
  var endsSession: Bool {
    switch code {
    case "session_not_found", "session_expired", "refresh_token_not_found", "refresh_token_already_used": true
    default: false
    }
  }
}
