extension Redaction {
  /// The header fields of common services and proxies whose values are credentials.
  static let standardHeaderNames: Set<String> = [
    "Authorization", "Proxy-Authorization", "X-Authorization", "X-Original-Authorization", "Authentication",
    "Cookie",
    "Set-Cookie", "apikey", "X-API-Key", "X-Auth-Token", "X-Auth-Key", "X-Access-Token", "X-CSRF-Token",
    "X-XSRF-Token", "X-Amz-Security-Token", "X-Goog-Api-Key", "X-Goog-IAP-JWT-Assertion", "Api-Key",
    "Ocp-Apim-Subscription-Key", "X-Vault-Token", "X-Consul-Token", "PRIVATE-TOKEN", "JOB-TOKEN",
    "DEPLOY-TOKEN",
    "X-Gitlab-Token", "X-Shopify-Access-Token", "X-Figma-Token", "DD-API-KEY", "DD-APPLICATION-KEY",
    "X-Hub-Signature",
    "X-Hub-Signature-256", "Stripe-Signature", "X-Slack-Signature", "X-Twilio-Signature",
    "X-Shopify-Hmac-Sha256",
    "X-Algolia-API-Key", "X-Parse-REST-API-Key", "X-Parse-Master-Key", "X-Parse-Session-Token",
    "X-Session-Id",
    "X-Session-Token", "X-Functions-Key", "X-Plex-Token", "X-Redmine-API-Key", "X-Api-Secret",
    "X-RapidAPI-Key",
    "X-Honeycomb-Team", "X-Insert-Key", "X-Query-Key", "X-License-Key", "X-Postmark-Server-Token",
    "X-Postmark-Account-Token", "Fastly-Key", "X-ClientSecret", "X-Hasura-Admin-Secret",
    "CF-Access-Client-Secret",
    "CF-Access-Token", "Cf-Access-Jwt-Assertion", "X-Forwarded-Access-Token", "X-MS-Token-AAD-Access-Token",
    "X-Registry-Auth", "X-WP-Nonce", "X-Secret", "X-Secret-Key", "X-Token", "X-JWT-Assertion", "X-Emby-Token",
    "X-TrackerToken", "Circle-Token", "X-Rollbar-Access-Token", "X-Papertrail-Token",
    "X-Cisco-Meraki-API-Key",
    "X-Ops-Token", "Client-Secret", "X-Password", "X-Access-Key", "X-Signature",
  ]

  /// The names of secrets that also count as the last part of a longer name.
  static let standardEndings: Set<String> = [
    "access_token", "refresh_token", "id_token", "token", "auth_token", "session_token", "csrf_token",
    "api_key", "api_token",
    "authorization", "password", "passwd", "passphrase", "passcode", "secret", "client_secret", "secret_key",
    "secret_access_key", "access_key", "access_key_id", "account_key", "shared_access_key", "shared_key",
    "encryption_key", "signing_key", "master_key", "service_role_key", "private_key", "ssh_key", "auth_key",
    "subscription_key", "otp", "totp", "jwt", "bearer", "auth_code", "verification_code", "mfa_code",
    "session_id",
    "webhook_secret", "password_confirmation", "password_hash", "authenticity_token",
  ]

  /// The names of JSON members, form fields and query items whose values are secrets.
  static let standardFieldNames: Set<String> = standardEndings.union([
    "provider_token", "provider_refresh_token", "token_hash", "hashed_token", "x_api_key", "new_password",
    "current_password", "password1", "password2", "password_confirm", "password_digest", "client_assertion",
    "code_verifier", "device_code", "authorization_code", "otp_code", "one_time_code", "two_factor_code",
    "recovery_code", "recovery_codes", "backup_code", "backup_codes", "sig", "signature", "x_amz_signature",
    "x_amz_security_token", "x_goog_signature", "anon_key", "db_pwd", "user_pwd", "login_pwd", "db_pass",
    "user_pass", "smtp_pass", "mysql_pass",
    "ftp_pass", "redis_pass", "mail_pass", "email_pass", "login_pass", "admin_pass", "root_pass",
    "database_pass",
    "saml_response", "csrfmiddlewaretoken", "csrf", "xsrf", "request_verification_token", "phpsessid",
    "jsessionid",
    "sessid", "connect.sid", "asp.net_sessionid", "laravel_session", "remember_token", "remember_me_token",
    "storage_key_secret", "hmac_key", "hmac_secret", "consumer_secret", "app_secret",
    "application_key_secret",
    "bot_token", "personal_access_token",
  ])
}
