/// The words of the names of secrets, in the languages and spellings of programs.
///
/// A name is a secret's by its head noun: `passwordResetToken` is a token, and `token_type` is a type.
enum SecretVocabulary {
  /// A noun that names a secret at the end of a name.
  struct Noun: Sendable {
    /// Its words without separators, in lower case.
    let text: String
    let value: SecretValue
    /// Whether it also ends a word: `userpassword`.
    var isJoined = false
    /// Whether it also begins a name, as nouns of many languages do: `senhaAtual`.
    var isFirst = false
    /// Whether it names several secrets, or their number.
    var isPlural = false
  }

  /// All nouns, without repetitions.
  static let nouns: [Noun] = {
    var seen: Set<String> = []
    return (english + compounds + others).filter { seen.insert($0.text).inserted }
  }()

  private static func nouns(_ words: String, _ value: SecretValue, isJoined: Bool = false) -> [Noun] {
    words.split(whereSeparator: \.isWhitespace).map {
      Noun(text: SecretNames.folded(String($0)), value: value, isJoined: isJoined)
    }
  }

  private static func withPlurals(_ nouns: [Noun]) -> [Noun] {
    nouns.flatMap { noun -> [Noun] in
      var plural = Noun(text: noun.text + "s", value: noun.value, isJoined: noun.isJoined)
      plural.isPlural = true
      return [noun, plural]
    }
  }

  private static let english: [Noun] =
    withPlurals(
      nouns("password passwd passphrase passcode secret", .phrase, isJoined: true)
        + nouns("token credential", .token, isJoined: true)
        + nouns("jwt signature bearer_token web_token", .token) + nouns("pin otp totp", .code))
    + nouns(
      """
      pwd pswd psswd psw passwrd db_pass user_pass smtp_pass mysql_pass ftp_pass redis_pass mail_pass email_pass
      login_pass admin_pass root_pass database_pass secret_answer security_answer seed_phrase recovery_phrase
      secret_phrase mnemonic mnemonic_phrase secret_key_base secret_word memorable_word
      """, .phrase)
    + nouns(
      """
      sig bearer creds cred csrf xsrf csrf_middleware_token authenticity_token token_hash saml_response client_assertion
      code_verifier oauth_verifier session_id sess_id php_sess_id jsession_id aspnet_session_id access_key_id
      secret_access_key service_role_key application_key_secret pass pw upw
      """, .token)
    + nouns("cvv cvc cvv2 csc ssn pass_code", .code)
    + nouns("authorization proxy_authorization cookie set_cookie auth_header authorization_header", .field)
    + nouns("auth session laravel_session sid connect_sid nonce_token sas_token", .random)

  /// Nouns that are secrets by the words before them.
  private static let compounds: [Noun] =
    withPlurals(
      pairs(
        """
        api private secret access auth signing encryption decryption encrypt decrypt master session shared account storage
        subscription ssh hmac admin deploy auth anon functions webhook x_api shared_access host_key function
        """, "key", .token)
        + pairs(
          """
          app application client user server service write read bot developer dev live test prod sandbox merchant
          publishable restricted root personal license licence registration integration ingestion ingest instrumentation vault
          db database crypto cipher aes rsa ecdsa ed25519 pgp gpg tls ssl rest send stripe openai anthropic sendgrid mailgun
          google maps firebase algolia mapbox supabase azure github gitlab twilio datadog sentry slack paypal huggingface gemini
          groq mistral cohere deepgram elevenlabs rapidapi pusher ably insert query honeycomb fastly postmark consumer
          """, "key", .random)
        + pairs(
          """
          auth authorization authentication verification verify mfa otp 2fa tfa two_factor recovery backup device pin
          security sms confirmation confirm login one_time pairing activation access unlock oauth invite invitation signup
          user_device reset unlock totp sign_in
          """, "code", .code))
    // Written as one word.
    + ["apikey", "secretkey", "accesskey", "authkey", "privatekey", "masterkey", "sessionkey"].map {
      Noun(text: $0, value: .token, isJoined: true)
    }

  private static func pairs(_ modifiers: String, _ head: String, _ value: SecretValue) -> [Noun] {
    nouns(modifiers, value).map { Noun(text: $0.text + head, value: value) }
  }

  /// Nouns of other languages, also in the Latin spelling that identifiers have.
  private static let others: [Noun] =
    others(
      """
      passwort passwörter passwoerter kennwort kennwörter kennwoerter geheimnis losungswort
      mot_de_passe mots_de_passe motdepasse mdp phrase_secrète phrase_secrete
      contraseña contraseñas contrasena contrasenas contrasenia contrasenya contrasinal pasahitza palabra_secreta
      senha senhas palavra_passe palavrapasse palavra_chave_secreta segredo
      parola parola_d_ordine parola_segreta parolă parool salasõna salasona
      wachtwoord wachtwoorden hasło haslo hasła hasla heslo hesla geslo lozinka lozinke zaporka
      lösenord losenord passord kodeord adgangskode lykilorð lykilord salasana salasanat
      jelszó jelszo jelszavak slaptažodis slaptazodis şifre sifre şifreniz sifreniz pasvorto nenosiri
      пароль пароли пароля parol парола лозинка құпиясөз κωδικός_πρόσβασης κωδικός κωδικος συνθηματικό συνθηματικο kodikos
      密码 密碼 口令 通行码 mima kouling パスワード ぱすわーど 合言葉 pasuwado 비밀번호 암호 비번 패스워드 bimilbeonho
      كلمة_المرور كلمة_السر كلمه_المرور كلمة_سر رمز_المرور סיסמה סיסמא רمز_عبور رمز_عبور گذرواژه
      पासवर्ड कूटशब्द পাসওয়ার্ড รหัสผ่าน mật_khẩu mat_khau matkhau kata_sandi katasandi sandi kata_laluan
      """, .phrase)
    + others(
      """
      jeton jetons clave claves clé_api cle_api clef_api clé_d_api cle_d_api clé_secrète cle_secrete clé_privée cle_privee
      clave_api clave_secreta clave_privada clave_de_acceso llave_api llave_secreta secreto
      chave_api chave_de_acesso chave_secreta chave_privada chave_de_api chiave_api chiave_segreta chiave_privata segreto
      zugangsschlüssel zugangsschluessel api_schlüssel api_schluessel geheimschlüssel geheimschluessel sitzungsschlüssel
      sitzungsschluessel schlüssel_api zugangsdaten zugriffstoken
      api_sleutel toegangssleutel geheime_sleutel klucz_api klucz_prywatny tajny_klucz api_klíč api_klic
      api_nyckel hemlighet api_avain api_kulcs titkos_kulcs gizli_anahtar api_anahtarı api_anahtari erişim_anahtarı
      токен токены секрет ключ_api api_ключ секретный_ключ ключ_доступа klyuch_api klyuch_dostupa
      令牌 密钥 密鑰 访问令牌 lingpai miyao トークン 秘密鍵 シークレット apiキー アクセスキー 토큰 비밀키 api키
      رمز_الوصول مفتاح_api טוקן מפתח_api टोकन โทเค็น khóa_api khoa_api kunci_api kunci_rahasia token_akses token_acceso
      """, .token)
    + others(
      """
      zugangscode sicherheitscode bestätigungscode bestaetigungscode code_secret code_de_vérification code_de_verification
      codigo_de_verificacion código_de_verificación codigo_de_acceso codigo_de_verificacao código_de_verificação
      codice_di_verifica toegangscode verificatiecode kod_weryfikacyjny код_подтверждения 验证码 驗證碼 暗証番号 認証コード
      인증번호 인증코드 رمز_التحقق mã_xác_minh ma_xac_minh kode_verifikasi doğrulama_kodu dogrulama_kodu
      """, .code)

  private static func others(_ words: String, _ value: SecretValue) -> [Noun] {
    nouns(words, value).map { noun in
      var noun = noun
      noun.isFirst = true
      // Scripts other than the Latin one have no humps, and often no spaces.
      noun.isJoined =
        noun.text.utf8.first.map { $0 >= 0xCD } == true || value == .phrase && noun.text.utf8.count >= 5
      return noun
    }
  }

  /// Words after a noun that do not change what it is: `password2`, `newPasswordConfirmation`, `token_value`.
  static let transparent: [String] = [
    "value", "string", "str", "plain", "plaintext", "raw", "new", "old", "current", "confirm", "confirmation",
    "confirmed", "again", "repeat", "repeated", "retype", "retyped", "verify", "hash", "hashed", "digest",
    "encrypted",
    "encoded", "base64", "b64", "hex", "env", "override", "neu", "alt", "wiederholen", "wiederholung",
    "bestätigung",
    "bestaetigung", "nueva", "nuevo", "actual", "nova", "atual", "antiga", "confirmar", "nouveau", "ancien",
  ]

  /// Words before `password` or `token` in the name of a label, a rule, a number or a position, which is not a secret.
  static let describing: Set<String> = [
    "forgot", "forgotten", "forget", "reset", "change", "enter", "invalid", "wrong", "incorrect", "show",
    "hide",
    "toggle", "require", "required", "requires", "no", "has", "is", "use", "uses", "with", "without", "set",
    "update",
    "need", "needs", "lost", "weak", "strong", "min", "max", "missing", "choose", "create", "expired", "your",
    "a", "the",
    "next", "page", "nextpage", "prevpage", "prev", "previous", "continuation", "sync", "nextsync", "cursor",
    "cancellation", "cancel", "pagination", "start", "end", "first", "last", "design", "color", "prompt",
    "completion",
    "total", "stop", "eos", "bos", "pad", "unk", "sep", "cls", "mask", "special", "input", "output", "per",
    "syntax",
    "comment", "keyword", "type", "string", "number", "skip", "empty", "num", "cached", "reasoning", "audio",
    "image",
    "public", "boarding", "season", "day", "ski", "primary", "foreign", "reserved", "used", "remaining",
    "thinking",
    "lexer", "parser", "source", "cache", "mem", "generated", "accepted", "rejected", "prediction", "count",
    "by",
  ]

  /// The same words that also describe no token: `reset_token` is one.
  static let describingPhrasesOnly: Set<String> = [
    "reset", "change", "update", "create", "set", "lost", "forgot", "public", "source", "first", "last",
    "your",
  ]
}
