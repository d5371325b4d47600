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
    /// Whether it names several secrets, or their number.
    var isPlural = false
  }

  /// Returns the words of a text.
  static func words(_ text: String) -> Set<String> {
    Set(text.split(whereSeparator: \.isWhitespace).map(String.init))
  }

  /// All nouns, without repetitions.
  static let nouns: [Noun] = {
    var seen: Set<String> = []
    return (joined + english + compounds).filter { seen.insert($0.text).inserted }
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
        + nouns("token credential", .token, isJoined: true) + nouns("signature", .token)
        + nouns("pin otp totp", .code)
        // Nothing else has these names.
        + pairs(
          """
          access refresh id auth session csrf xsrf api bearer bot device_access personal_access oauth provider
          provider_refresh remember remember_me reset password_reset authenticity csrf_middleware request_verification
          """, "token", .phrase) + pairs("x_amz x_goog x_hub", "signature", .phrase) + nouns("jwt", .phrase))
    + nouns(
      """
      pwd pswd psswd psw passwrd db_pass user_pass smtp_pass mysql_pass ftp_pass redis_pass mail_pass email_pass
      login_pass admin_pass root_pass database_pass secret_answer security_answer seed_phrase recovery_phrase
      secret_phrase mnemonic mnemonic_phrase secret_key_base secret_word memorable_word
      bearer csrf xsrf token_hash saml_response client_assertion code_verifier oauth_verifier
      secret_access_key service_role_key application_key_secret access_key_id
      php_sess_id jsession_id aspnet_session_id
      """, .phrase)
    + nouns("sig creds cred session_id sess_id", .token) + nouns("pass pw upw psk", .phrase)
    + nouns(
      "cvv cvc cvv2 csc ssn pass_code nip tan mtan smstan code_verification code_de_verification code_confirmation code_de_confirmation",
      .code)
    + nouns(
      "authorization proxy_authorization cookie set_cookie auth_header authorization_header", .field)
    + nouns("auth session laravel_session sid connect_sid sas_token sign hmac", .random)
    + nouns("client_key_data", .token)

  /// Nouns that are secrets by the words before them.
  private static let compounds: [Noun] =
    withPlurals(
      pairs(
        """
        api private secret access auth signing encryption decryption encrypt decrypt master session shared account storage
        subscription ssh hmac admin deploy anon functions webhook x_api shared_access host function stream recovery
        wpa wifi wlan wep pre_shared local
        """, "key", .phrase)
        + pairs(
          """
          app application client user routing server service write read bot developer dev live test prod sandbox merchant
          publishable restricted root personal license licence registration integration ingestion ingest instrumentation vault
          db database crypto cipher aes rsa ecdsa ed25519 pgp gpg tls ssl rest send stripe openai anthropic sendgrid mailgun
          google maps firebase algolia mapbox supabase azure github gitlab twilio datadog sentry slack paypal huggingface gemini
          groq mistral cohere deepgram elevenlabs rapidapi pusher ably insert query honeycomb fastly postmark consumer
          """, "key", .random)
        + pairs(
          """
          auth authorization authentication verification verify mfa otp 2fa tfa two_factor recovery backup device pin
          security sms confirmation confirm login one_time pairing activation access unlock oauth invite invitation signup
          user_device reset totp sign_in oob
          """, "code", .code))

  /// Nouns of several words that are also written as one.
  private static let joined: [Noun] = nouns(
    "apikey secretkey accesskey authkey privatekey masterkey sessionkey accesstoken authtoken refreshtoken",
    .phrase,
    isJoined: true)

  private static func pairs(_ modifiers: String, _ head: String, _ value: SecretValue) -> [Noun] {
    nouns(modifiers, value).map { Noun(text: $0.text + head, value: value) }
  }

  // MARK: Other languages

  /// The words of other languages that are English too, so that they say nothing alone.
  static let isEnglish: Set<String> = words(
    """
    token tokens key keys code codes pin api access auth session secret secrets private sms otp
    verification confirmation
    """)

  /// What a word of another language says in a name.
  enum Sense: Sendable {
    case password
    case token
    case key
    /// `secret`, `private`.
    case secret
    /// `access`, `API`, `session`.
    case access
    case pin
    case code
    /// `verification`, `security`.
    case verification
  }

  /// The words of other languages, also in the Latin spelling that identifiers have.
  ///
  /// In many languages the noun is first: `senhaAtual`, `clé d’accès`. So the order of the words does not matter.
  static let senses: [String: Sense] = {
    var senses: [String: Sense] = [:]
    for (words, sense) in wordsOfSenses {
      for word in words.split(whereSeparator: \.isWhitespace) {
        senses[SecretNames.folded(String(word))] = sense
      }
    }
    return senses
  }()

  /// The parts of these words.
  static let parts: Set<String> = Set(
    wordsOfSenses.flatMap { words, _ in
      words.split { $0.isWhitespace || $0 == "_" }.map { SecretNames.folded(String($0)) }
    })

  private static let wordsOfSenses: [(String, Sense)] = [
    (
      """
      passwort passwörter passwoerter kennwort kennwörter kennwoerter losungswort mot_de_passe mots_de_passe mdp
      contraseña contraseñas contrasena contrasenas contrasenia contrasenya contrasinal pasahitza senha senhas
      palavra_passe parola_d_ordine parool salasõna salasona wachtwoord wachtwoorden toegangswoord
      hasło haslo hasła hasla heslo hesla heslom geslo lozinka lozinke zaporka lösenord losenord passord kodeord
      adgangskode lykilorð lykilord salasana salasanan salasanat jelszó jelszo jelszava slaptažodis slaptazodis
      şifre sifre şifresi sifresi şifreniz sifreniz parolanız parolă pasvorto nenosiri fjalëkalimi fjalekalimi
      пароль пароли пароля паролю parol парола паролата лозинка құпиясөз κωδικός_πρόσβασης κωδικός κωδικος συνθηματικό
      συνθηματικο kodikos synthimatiko 密码 密碼 口令 通行码 mima kouling パスワード ぱすわーど 合言葉 pasuwado pasuwaado
      비밀번호 암호 비번 패스워드 bimilbeonho amho كلمة_المرور كلمة_السر كلمه_المرور كلمه_السر كلمة_مرور كلمة_سر
      kalimat_almurur סיסמה סיסמא סיסמת sisma رمز_عبور گذرواژه کلمه_عبور पासवर्ड कूटशब्द পাসওয়ার্ড รหัสผ่าน mật_khẩu mat_khau
      kata_sandi sandi kata_laluan frase_segreta frase_secreta phrase_secrète phrase_secrete գաղտնաբառ პაროლი
      """, .password
    ),
    (
      """
      jeton jetons jetonu token tokeni tokenu tokena tokenem tokens токен токена токены токену 令牌 lingpai トークン 토큰 טוקן
      टोकन โทเค็น توكن zugriffstoken zugangstoken toegangstoken
      """, .token
    ),
    (
      """
      schlüssel schluessel clé cle clef clés cles clave claves llave chave chaves chiave chiavi sleutel klucz klucza klíč klic
      kľúč kluc nyckel nyckeln nøgle noegle nogle nøkkel noekkel nokkel avain avaimen kulcs kulcsa anahtar anahtarı anahtari
      cheie cheia ключ ключа ключи κλειδί κλειδι kleidi مفتاح المفتاح מפתח mafteach कुंजी kunji 密钥 密鑰 鍵 鑰 钥 キー 키 khóa khoa
      kunci กุญแจ کلید key keys miyao
      """, .key
    ),
    (
      """
      parola parole parolei geheim geheimer geheime geheimes geheimnis secret secrète secrete secrets secreta secreto secretos segreta segreto
      segredo segredos geheimsleutel tajny tajna tajne tajné tajný tajemství tajemstvi sekret sekrety sekretny hemlig hemliga
      hemligt hemlighet hemmelig hemmelige hemmelighed hemmelighet salainen salaisen salaisuus titkos titok gizli sır secretă
      secretul секрет секрета секретный секретний секретна тайный μυστικό μυστικο mystiko السري سري سر סוד סודי sodi गुप्त
      秘密 秘 机密 私密 私 비밀 bí_mật bi_mat rahasia ลับ مخفی privé prive privée privee privada privado privata privato privat
      privater private privatni privátní prywatny prywatna soukromý soukromy приватный приватний закрытый geheimschlüssel
      geheimschluessel
      """, .secret
    ),
    (
      """
      api acces accès acceso acesso accesso access zugriff zugriffs zugang zugangs toegang toegangs dostęp dostep dostępu
      dostepu přístup pristup přístupu pristupu доступ доступа доступу πρόσβασης προσβασης erişim erisim pääsy paasy
      hozzáférés hozzaferes hozzáférési åtkomst atkomst adgang adgangs tilgang tilgangs akses truy_cập truy_cap الوصول وصول
      גישה पहुंच पहुँच アクセス 访问 訪問 接入 액세스 접근 เข้าถึง دسترسی session sitzung sitzungs sesión sesion sessão sessao
      sessione sesja sesji auth апи chiffrement verschlüsselungs cifrado
      """, .access
    ),
    (
      """
      pin pincode pinkod pinkodi pinkodu pinkoodi tunnusluku geheimzahl 暗証番号 暗証 пин пинкод пін пінкод πιν الرقم_السري
      رقم_سري mã_pin ma_pin
      """, .pin
    ),
    (
      """
      code codes kod kodu kody kodi kód kood koodi código codigo codice codici код кода коду コード 码 碼 코드 번호 رمز קוד कोड mã ma
      kode รหัส κωδ
      """, .code
    ),
    (
      """
      vérification verification verificación verificacion verificação verificacao verifica verificatie weryfikacji
      weryfikacyjny ověřovací overovaci ověření overeni подтверждения підтвердження проверки doğrulama dogrulama
      bestätigungs bestaetigungs sicherheits einmal seguridad segurança seguranca sécurité securite sicurezza beveiligings
      veiligheids bezpieczeństwa bezpieczenstwa безопасности безпеки verifikasi keamanan xác_minh xac_minh 验证 驗證 認証 인증
      التحقق אימות सत्यापन verifierings verifiserings bekræftelses bekraeftelses bekreftelses vahvistus güvenlik guvenlik sms
      otp confirmation confirmación confirmacion
      """, .verification
    ),
  ]

  /// Words after a noun that do not change what it is: `password2`, `newPasswordConfirmation`, `token_value`.
  static let transparent: [String] = [
    "value", "string", "str", "plain", "plaintext", "raw", "new", "old", "current", "confirm", "confirmation",
    "confirmed", "again", "repeat", "repeated", "retype", "retyped", "verify", "hash", "hashed", "digest",
    "encrypted",
    "encoded", "base64", "b64", "hex", "env", "override", "neu", "alt", "attuale", "nuova", "vecchia",
    "actuelle", "wiederholen", "wiederholung",
    "bestätigung",
    "bestaetigung", "nueva", "nuevo", "actual", "nova", "atual", "antiga", "confirmar", "nouveau", "ancien",
    "prod", "production", "staging", "dev", "development", "test", "live", "sandbox",
  ]

  /// Words after `password` or `token` that change what it is: `password_hint`, `token_type`.
  ///
  /// Words of other languages are not among them: `passwordUtente` is a password.
  static let changing: Set<String> = words(
    """
    hint hints policy policies strength length rule rules reset expired expires expiry expiration expire
    type types count counts name names id ids url urls uri uris endpoint endpoints updated changed change
    at on in date time age field fields label labels placeholder error errors message messages help
    description required enabled disabled min max arn ref refs prefix suffix kind class status state
    algorithm algo alg address symbol issuer issued scope scopes page path paths file files folder link
    links list index size limit limits usage used budget version format mode method provider store storage
    manager handler service service_id source info data meta metadata settings options option config form
    input button icon title text last set valid validity validation valid_until lifetime ttl duration
    exchange refresh request response created creation generated encryption salt iterations cost rotation
    login less protected authentication auth grant flow screen view visible visibility show hidden match
    matches attempts history owner user users username email length_min group groups header headers param
    parameter is has was needs by for from to per price sale supply holders balance amount decimals
    contract chain logo ids bucket count_total plan level key keys
    """)

  /// Words of other languages that change what a name is: `dicaSenha`, `passwortGeändertAm`, `clé_publique`.
  private static let changingOfOthers: Set<String> = words(
    """
    hinweis tipp indice indication pista dica suggerimento podpowiedz подсказка ipucu vihje typ tipo türü turu тип
    tyyppi soort τύπος rodzaj länge laenge longueur longitud comprimento lunghezza długość длина richtlinie politique
    politica política politika polityka политика geändert geaendert modifié cambiado cambiada alterada alterado modificata
    изменен ablauf abgelaufen vencimiento validade scadenza срок vergessen oublié oublie olvidada olvidado esqueceu esqueci
    dimenticata забыли öffentlich öffentlicher oeffentlicher publique pública publica público publico pubblica pubblico
    publiczny открытый публичный προϊόντος producto produit produto prodotto produktu продукта товара
    """)

  /// The same in scripts without spaces.
  private static let changingParts = [
    "公钥", "公鑰", "公开", "公開", "공개", "提示", "类型", "類型", "长度", "長さ", "策略", "忘", "ヒント", "种类", "種類", "유형", "힌트",
  ]

  /// Returns whether a word of another language changes what a name is.
  static func isChanging(_ word: String) -> Bool {
    changingOfOthers.contains(word)
      || word.utf8.first.map { $0 >= 0xE0 } == true && changingParts.contains(where: word.contains)
  }

  /// Words before `password` or `token` in the name of a label, a rule, a number or a position, which is not a secret.
  static let describing: Set<String> = words(
    """
    forgot forgotten forget reset change enter invalid wrong incorrect show hide toggle require required
    requires no has is use uses with without set update need needs lost weak strong min max missing choose
    create expired your a the next page nextpage prevpage prev previous continuation sync nextsync cursor
    cancellation cancel pagination start end first last design color prompt completion total stop eos bos
    pad unk sep cls mask special input output per syntax comment keyword type string number skip empty num
    cached reasoning audio image public boarding season day ski primary foreign reserved used remaining
    thinking call zodiac lexer parser source cache mem generated accepted rejected prediction count by
    """)

  /// Those of them that do not describe a token: `reset_token` is one.
  static let describingPhrasesOnly: Set<String> = words(
    """
    reset change update create set lost forgot public source first last your
    """)
}
