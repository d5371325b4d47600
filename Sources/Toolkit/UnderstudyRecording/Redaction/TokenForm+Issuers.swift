extension TokenForm {
  private static let open = Int.max

  /// The forms of the tokens of all known issuers.
  static let all: [TokenForm] = hosting + clouds + models + payments + messages + tools

  /// Code hosting, package registries and continuous integration.
  private static let hosting: [TokenForm] =
    ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"].map {
      TokenForm($0, .word, 16...open, checksum: .crc32InBase62)
    }
    + [
      "glpat-", "gldt-", "glrt-", "glptt-", "glft-", "glimt-", "glagent-", "glcbt-", "glsoat-", "gloas-",
      "glffct-",
    ].map {
      TokenForm($0, .dotted, 14...open)
    }
    + [
      TokenForm("github_pat_", .word, 9...open), TokenForm("GR1348941", .word, 20...20),
      TokenForm("npm_", .alphanumeric, 36...36, checksum: .crc32InBase62),
      TokenForm("pypi-AgE", .word, 40...open), TokenForm("rubygems_", .hexadecimal, 48...48),
      TokenForm("CLOJARS_", .alphanumeric, 60...60), TokenForm("dckr_pat_", .word, 20...open),
      TokenForm("dckr_oat_", .word, 20...open), TokenForm("oy2", .alphanumeric, 43...43, isCommon: true),
      TokenForm("cio", .alphanumeric, 32...32, isCommon: true), TokenForm("bkua_", .alphanumeric, 32...open),
      TokenForm("CCIPAT_", .word, 30...open), TokenForm("CCIPRJ_", .word, 30...open),
      TokenForm("sqp_", .hexadecimal, 40...40), TokenForm("squ_", .hexadecimal, 40...40),
      TokenForm("sqa_", .hexadecimal, 40...40), TokenForm("sgp_", .word, 40...open),
      TokenForm("ATATT3xFf", .word, 40...open), TokenForm("ATCTT3xFf", .word, 40...open),
      TokenForm("ATBB", .alphanumeric, 24...open), TokenForm("AKCp", .alphanumeric, 60...open),
      TokenForm("nfp_", .alphanumeric, 32...open, isCommon: true), TokenForm("pul-", .hexadecimal, 40...40),
      TokenForm("ATTA", .alphanumeric, 60...open), TokenForm("glwt-", .word, 20...open),
      TokenForm("buildkite_", .word, 30...open, isCommon: true), TokenForm("tfp_", .word, 40...open),
    ]

  /// Clouds, databases and secret stores.
  private static let clouds: [TokenForm] = [
    TokenForm("AKIA", .capitals, 16...16), TokenForm("ASIA", .capitals, 16...16),
    TokenForm("ABIA", .capitals, 16...16), TokenForm("ACCA", .capitals, 16...16),
    TokenForm("AIza", .word, 16...open), TokenForm("ya29.", .word, 20...open),
    TokenForm("GOCSPX-", .word, 24...open),
    TokenForm("1//0", .word, 40...open), TokenForm("sb_secret_", .word, 10...open),
    TokenForm("sb_publishable_", .word, 5...open), TokenForm("sbp_", .hexadecimal, 40...40),
    TokenForm("dop_v1_", .hexadecimal, 64...64), TokenForm("doo_v1_", .hexadecimal, 64...64),
    TokenForm("dor_v1_", .hexadecimal, 64...64), TokenForm("dp.pt.", .alphanumeric, 40...44),
    TokenForm("dp.st.", .dotted, 40...open), TokenForm("dp.ct.", .alphanumeric, 40...44),
    TokenForm("dp.sa.", .alphanumeric, 40...44), TokenForm("dp.scim.", .alphanumeric, 40...44),
    TokenForm("dp.audit.", .alphanumeric, 40...44), TokenForm("hvs.", .word, 24...open),
    TokenForm("hvb.", .word, 24...open), TokenForm("hvr.", .word, 24...open),
    TokenForm("atlasv1.", .word, 40...open),
    TokenForm("dapi", .hexadecimal, 32...32), TokenForm("LTAI", .alphanumeric, 16...20),
    TokenForm("pscale_tkn_", .dotted, 32...open), TokenForm("pscale_pw_", .dotted, 32...open),
    TokenForm("pscale_oauth_", .dotted, 32...open), TokenForm("AVNS_", .word, 15...open),
    TokenForm("fo1_", .word, 40...open), TokenForm("fm2_", .word, 40...open),
    TokenForm("HRKU-", .word, 36...open),
    TokenForm("rnd_", .alphanumeric, 28...open, isCommon: true),
    TokenForm("vercel_blob_rw_", .word, 24...open),
    TokenForm("tskey-", .word, 16...open, isCommon: true), TokenForm("sha256~", .word, 43...43),
    TokenForm("v1.0-", .word, 140...open), TokenForm("t1.", .word, 86...open),
    TokenForm("AQVN", .word, 35...38),
    TokenForm("y0_", .word, 50...open), TokenForm("ops_eyJ", .word, 200...open),
    TokenForm("AGE-SECRET-KEY-1", .capitals, 58...58), TokenForm("pnu_", .alphanumeric, 36...36),
    TokenForm("pnb_", .alphanumeric, 36...36), TokenForm("dt0c01.", .dotted, 80...open),
    TokenForm("dt0s01.", .dotted, 60...open),
  ]

  /// Language models.
  private static let models: [TokenForm] = [
    TokenForm("sk-", .word, 17...open, isCommon: true), TokenForm("sk-ant-", .word, 20...open),
    TokenForm("sk-proj-", .word, 20...open), TokenForm("sk-svcacct-", .word, 20...open),
    TokenForm("sk-or-v1-", .hexadecimal, 64...64), TokenForm("sk-lf-", .word, 32...open),
    TokenForm("pk-lf-", .word, 32...open, isCommon: true), TokenForm("hf_", .alphanumeric, 34...open),
    TokenForm("r8_", .alphanumeric, 37...37), TokenForm("gsk_", .alphanumeric, 48...open),
    TokenForm("pplx-", .alphanumeric, 40...open), TokenForm("xai-", .alphanumeric, 70...open),
    TokenForm("nvapi-", .word, 50...open), TokenForm("tvly-", .word, 24...open, isCommon: true),
    TokenForm("lsv2_pt_", .word, 32...open), TokenForm("lsv2_sk_", .word, 32...open),
    TokenForm("pcsk_", .word, 40...open), TokenForm("fw_", .alphanumeric, 22...open, isCommon: true),
    TokenForm("fc-", .hexadecimal, 32...32),
  ]

  /// Payments and shops.
  private static let payments: [TokenForm] = [
    TokenForm("sk_live_", .word, 12...open), TokenForm("sk_test_", .word, 12...open),
    TokenForm("rk_live_", .word, 12...open), TokenForm("rk_test_", .word, 12...open),
    TokenForm("pk_live_", .word, 20...open), TokenForm("pk_test_", .word, 20...open),
    TokenForm("whsec_", .word, 24...open),
    TokenForm("shpat_", .hexadecimal, 32...32), TokenForm("shpca_", .hexadecimal, 32...32),
    TokenForm("shppa_", .hexadecimal, 32...32), TokenForm("shpss_", .hexadecimal, 32...32),
    TokenForm("shptka_", .hexadecimal, 32...32), TokenForm("sq0atp-", .word, 22...open),
    TokenForm("sq0csp-", .word, 40...open), TokenForm("sq0idp-", .word, 22...open),
    TokenForm("rzp_live_", .alphanumeric, 14...open), TokenForm("rzp_test_", .alphanumeric, 14...open),
    TokenForm("duffel_live_", .word, 40...open), TokenForm("duffel_test_", .word, 40...open),
    TokenForm("EZAK", .alphanumeric, 54...54), TokenForm("EZTK", .alphanumeric, 54...54),
    TokenForm("FLWSECK_TEST-", .word, 12...open), TokenForm("FLWSECK-", .word, 12...open),
    TokenForm("FLWPUBK_TEST-", .word, 12...open), TokenForm("shippo_live_", .hexadecimal, 40...40),
    TokenForm("shippo_test_", .hexadecimal, 40...40), TokenForm("access-sandbox-", .word, 36...36),
    TokenForm("access-production-", .word, 36...36), TokenForm("zpka_", .word, 32...open),
  ]

  /// Chats, mail and telephones.
  private static let messages: [TokenForm] = [
    TokenForm("xoxb-", .word, 15...open), TokenForm("xoxp-", .word, 15...open),
    TokenForm("xoxa-", .word, 15...open),
    TokenForm("xoxr-", .word, 15...open), TokenForm("xoxs-", .word, 15...open),
    TokenForm("xoxe-", .word, 15...open),
    TokenForm("xoxc-", .word, 15...open), TokenForm("xoxd-", .word, 15...open),
    TokenForm("xoxe.xoxp-", .word, 15...open), TokenForm("xapp-", .word, 20...open),
    TokenForm("xwfp-", .word, 20...open),
    TokenForm("SG.", .dotted, 40...open), TokenForm("key-", .hexadecimal, 32...32),
    TokenForm("xkeysib-", .word, 64...open), TokenForm("xsmtpsib-", .word, 64...open),
    TokenForm("re_", .word, 20...open, isCommon: true), TokenForm("SK", .hexadecimal, 32...32),
    TokenForm("AC", .hexadecimal, 32...32), TokenForm("EAACEdEose0cBA", .alphanumeric, 10...open),
    TokenForm("sl.u.", .word, 60...open), TokenForm("sl.", .word, 120...open),
  ]

  /// Monitoring, design and other tools.
  private static let tools: [TokenForm] = [
    TokenForm("NRAK-", .alphanumeric, 27...27), TokenForm("NRII-", .word, 32...32),
    TokenForm("NRJS-", .word, 19...19),
    TokenForm("NRRA-", .hexadecimal, 42...42), TokenForm("glc_", .word, 32...open),
    TokenForm("glsa_", .word, 32...open),
    TokenForm("eyJrIjoi", .word, 60...open), TokenForm("sntrys_", .word, 60...open),
    TokenForm("sntryu_", .hexadecimal, 64...64), TokenForm("sntrya_", .hexadecimal, 64...64),
    TokenForm("PMAK-", .word, 59...59), TokenForm("lin_api_", .alphanumeric, 32...open),
    TokenForm("lin_oauth_", .alphanumeric, 32...open), TokenForm("ntn_", .alphanumeric, 40...open),
    TokenForm("secret_", .alphanumeric, 43...43, isCommon: true), TokenForm("figd_", .word, 36...open),
    TokenForm("figdr_", .word, 36...open), TokenForm("CFPAT-", .word, 43...43),
    TokenForm("p8e-", .alphanumeric, 32...32), TokenForm("pat-na1-", .word, 36...36),
    TokenForm("pat-eu1-", .word, 36...36),
    TokenForm("API-", .capitals, 25...36, isCommon: true), TokenForm("rdme_", .alphanumeric, 70...70),
    TokenForm("ico-", .alphanumeric, 32...32, isCommon: true), TokenForm("fio-u-", .word, 64...64),
    TokenForm("s-s4t2ud-", .hexadecimal, 64...64), TokenForm("sk.eyJ", .dotted, 40...open),
    TokenForm("pk.eyJ", .dotted, 40...open),
  ]
}
