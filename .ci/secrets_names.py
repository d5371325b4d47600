"""The names of secrets in the recordings of `.ci/secrets`."""

# Names that are planted in every place where they can be written.
NAMES = [
    "password", "user[password]", "old_password", "new-password", "aws_secret_access_key", "apiToken", "api_key",
    "access_token", "refreshToken", "id_token", "client_secret", "bearer", "otp", "private_key", "secret", "authToken",
    "sessionToken", "csrf_token", "passphrase", "dbPassword", "stripe_secret_key", "webhook_secret", "jwt", "X-Api-Key",
]

# Names of three sorts, which have different values: passwords that a person chose; tokens and keys; PINs and codes of
# digits. Commas separate them, because some have blanks.
ENGLISH = {
    "password": """
        password2, Password, PASSWORD, userPassword, newPasswordConfirmation, current_password, confirm-password,
        passwordAgain, password_repeat, loginPassword, masterPassword, wifi_password, ADMIN_PASSWORD, rootPassword,
        db.password, spring.datasource.password, smtp-password, pswd, pwd, userPwd, old_pwd, passwd, dbPasswd, smtp_pass,
        db_pass, passphrase2, keyPassphrase, key_passphrase, pass_phrase, passwords, oldPasswords, unlockPassword, keystore_password, KEYSTORE_PASSWORD, wpaPassphrase,
        securityAnswer, secret_answer
        """,
    "token": """
        passwordResetToken, password_reset_token, reset_token, resetToken, tokens, accessTokens, refreshTokens, tokenValue,
        token_value, accessTokenValue, token2, access_token_2, access-token, accessToken, oauth.access_token, ACCESS_TOKEN,
        refresh-token, REFRESH_TOKEN, authHeader, auth_header, authorizationHeader, authToken2, userAuthToken, sessionKey,
        session_key, SESSION_KEY, sessionKeys, sessionSecret, cookieSecret, cookie_secret, APP_KEY, appKey, app_key,
        application-key, api.key, apiKeys, api_keys, API_KEY, API_KEY_PROD, apiKey2, myApiKey, google_maps_api_key, xApiKey,
        secretKey, secretKeys, SECRET_KEY_BASE, secretKeyBase, clientSecret, clientSecretValue, client_secrets, CLIENT_SECRET,
        appSecret, apiSecret, api_secret_key, consumerSecret, accessTokenSecret, oauth_token_secret, signingSecret, signing_key,
        jwtSigningKey, jwt_secret, encryptionKey, ENCRYPTION_KEYS, masterKey, private-key, privateKeys, accessKey,
        awsSecretKey, AWS_SECRET_ACCESS_KEY, storageAccountKey, sharedAccessKey, hmacKey, hmac_secret, webhookSecretKey,
        deployKey, deploy_token, inviteToken, invitation_token, verificationToken, confirmationToken, activation_token,
        unsubscribeToken, rememberToken, csrfToken, xsrf-token, bearerToken, botToken, jwtToken, idToken, ssoToken,
        oauthToken, personalAccessToken, registrationToken, impersonationToken, magicLinkToken, oneTimeToken, otpSecret,
        totp_secret, mfaSecret, recoveryKey, recoveryCodes, backup_codes, sasToken, serviceAccountKey, stream_key, adminKey,
        serverKey, userCredentials, loginCredential, account.credentials, securityToken, authentication_token, authKey, authkey, auth_key, credential, dbSecret, user.token,
        config.secret, sessionTokens, secretValue, secret_string
        """,
    "PIN": """
        pin, PIN, pinCode, pin_code, userPin, card-pin, newPin, confirm_pin, unlockPin, otpCode, otp_code, smsCode,
        verificationCode, verification_code, one_time_code, mfaCode, twoFactorCode, passcode, passCode
        """,
}
# As developers write them in identifiers, and in their own script.
LANGUAGES = {
    "German": {
        "password": "passwort, Kennwort, neuesPasswort, passwort_wiederholen, benutzerpasswort, PASSWORT, kennwort2",
        "token": "geheimnis, schlüssel, apiSchluessel, geheimer_schlüssel, sitzungsschluessel, zugangstoken",
        "PIN": "geheimzahl",
    },
    "French": {
        "password": "motDePasse, mot_de_passe, mdp, nouveauMotDePasse, mot-de-passe, MOT_DE_PASSE, motdepasse",
        "token": "jeton, jeton_acces, jetonAccès, clé_api, cleSecrete, cléSecrète, clef_secrete",
        "PIN": "codePin, code_secret",
    },
    "Spanish": {
        "password": "contraseña, contrasena, nuevaContraseña, contrasenia, clave_acceso, CONTRASENA, confirmar_contraseña",
        "token": "clave, claveSecreta, clave_api, secreto, tokenAcceso, llave_secreta",
        "PIN": "codigo_pin",
    },
    "Portuguese": {
        "password": "senha, novaSenha, senha_atual, confirmarSenha, SENHA, palavra_passe, palavraPasse",
        "token": "chave_api, chaveSecreta, segredo, tokenAcesso, token_de_acesso",
        "PIN": "codigoPin",
    },
    "Italian": {
        "password": "parola_d_ordine, nuovaPassword, passwordUtente, password_attuale",
        "token": "chiave_api, chiaveSegreta, segreto, tokenAccesso",
        "PIN": "codice_pin",
    },
    "Dutch": {
        "password": "wachtwoord, nieuwWachtwoord, wachtwoord_bevestigen, WACHTWOORD, huidigWachtwoord",
        "token": "geheime_sleutel, apiSleutel, toegangstoken, geheim",
        "PIN": "pincode",
    },
    "Polish": {
        "password": "hasło, haslo, noweHasło, noweHaslo, haslo_uzytkownika, HASLO",
        "token": "klucz_api, tajnyKlucz, sekret, token_dostępu",
        "PIN": "kodPin",
    },
    "Czech": {
        "password": "heslo, noveHeslo, nové_heslo, heslo_uzivatele, HESLO",
        "token": "tajný_klíč, apiKlic, přístupovýToken",
    },
    "Russian": {
        "password": "пароль, parol, новыйПароль, пароль_пользователя, Пароль",
        "token": "токен, токен_доступа, секрет, секретныйКлюч, ключ_api",
        "PIN": "пинкод, пин_код",
    },
    "Ukrainian": {
        "password": "новийПароль, пароль_користувача",
        "token": "ключ_доступу, секретнийКлюч, токен_доступу",
    },
    "Turkish": {
        "password": "şifre, sifre, parola, yeniSifre, yeni_şifre, kullanici_sifresi, SIFRE",
        "token": "gizliAnahtar, gizli_anahtar, api_anahtarı, erisimTokeni",
    },
    "Chinese": {
        "password": "密码, 密碼, 口令, mima, 新密码, 用户密码, yonghu_mima, 登录密码",
        "token": "令牌, 访问令牌, 密钥, 私钥, api密钥",
        "PIN": "验证码",
    },
    "Japanese": {
        "password": "パスワード, 新しいパスワード, パスワード確認, ログインパスワード, pasuwado",
        "token": "アクセストークン, トークン, 秘密鍵, APIキー",
        "PIN": "暗証番号",
    },
    "Korean": {
        "password": "비밀번호, 새비밀번호, 비밀번호_확인, 암호",
        "token": "토큰, 액세스토큰, 비밀키, api키",
        "PIN": "인증번호",
    },
    "Arabic": {
        "password": "كلمة المرور, كلمة_المرور, كلمة_السر, كلمة_المرور_الجديدة",
        "token": "رمز_الوصول, المفتاح_السري",
        "PIN": "الرقم_السري",
    },
    "Hebrew": {
        "password": "סיסמה, סיסמא, סיסמה_חדשה",
        "token": "טוקן, מפתח_סודי",
    },
    "Persian": {
        "password": "رمز عبور, رمز_عبور, گذرواژه",
    },
    "Hindi": {
        "password": "पासवर्ड, नया_पासवर्ड, कूटशब्द",
        "token": "टोकन, गुप्त_कुंजी",
    },
    "Vietnamese": {
        "password": "mật khẩu, mật_khẩu, matkhau, mat_khau, matKhauMoi",
        "token": "khóa_bí_mật, khoaApi",
        "PIN": "mã_pin",
    },
    "Indonesian": {
        "password": "kataSandi, kata_sandi, kataSandiBaru, sandi, KATA_SANDI",
        "token": "kunci_rahasia, kunciApi",
    },
    "Thai": {
        "password": "รหัสผ่าน, รหัสผ่านใหม่",
    },
    "Swedish": {
        "password": "lösenord, losenord, nyttLösenord, bekräfta_lösenord",
        "token": "hemlighet, hemligNyckel, api_nyckel, åtkomsttoken",
        "PIN": "pinkod",
    },
    "Danish and Norwegian": {
        "password": "adgangskode, kodeord, nyAdgangskode, passord, nyttPassord",
        "token": "hemmelig_nøgle, apiNøkkel, hemmelighed",
    },
    "Finnish": {
        "password": "salasana, uusiSalasana, salasanan_vahvistus",
        "token": "salaisuus, salainenAvain, api_avain",
        "PIN": "tunnusluku",
    },
    "Greek": {
        "password": "κωδικός, κωδικός_πρόσβασης, συνθηματικό, νέοςΚωδικός, kodikos",
        "token": "μυστικό_κλειδί, κλειδί_api",
    },
    "Hungarian": {
        "password": "jelszó, jelszo, újJelszó, ujJelszo, felhasznalo_jelszo",
        "token": "titkosKulcs, titkos_kulcs, api_kulcs",
    },
    "Romanian": {
        "password": "parolă, parolaNoua, parolă_nouă, parola_utilizator",
        "token": "cheie_api, cheieSecretă",
    },
}

HEADERS = [
    "Authorization", "Proxy-Authorization", "Cookie", "X-Api-Key", "X-Auth-Token", "X-Amz-Security-Token", "PRIVATE-TOKEN",
    "apikey", "X-Vault-Token", "X-Goog-Api-Key", "X-Shopify-Access-Token", "DD-API-KEY", "X-Figma-Token", "JOB-TOKEN",
    "X-CSRF-Token", "X-Hasura-Admin-Secret", "CF-Access-Client-Secret", "X-Parse-Session-Token", "Ocp-Apim-Subscription-Key",
]
