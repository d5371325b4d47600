extension TokenForm {
  /// The forms of the tokens of all known issuers.
  static let all: [TokenForm] = issuers.flatMap { issuer in
    issuer.patterns.map { TokenForm(issuer.name, issuer.source, $0) }
  }

  /// The source of a form that its issuer does not describe, but on which scanners of several authors agree.
  private static let observed = "Observation"

  /// The issuers with a mark in their tokens, and the document or the program of the issuer that shows it.
  private static let issuers: [(name: String, source: String, patterns: [String])] = [
    // Clouds.
    ("Akamai", "Create authentication credentials", ["akab-<16 alnum>-<16 alnum>"]),
    ("Alibaba Cloud", "Create an AccessKey pair", ["LTAI<16-21 alnum>"]),
    ("Alibaba Cloud", "AssumeRole", ["STS.<20-40 alnum>"]),
    ("Amazon Web Services", "IAM identifiers", ["A[BKS]IA<16 caps>", "ACCA<16 caps>"]),
    ("Amazon Web Services", observed, ["IQoJb3JpZ2lu<100+ base64>", "FwoGZXIvYXdz<100+ base64>"]),
    (
      "Amazon Bedrock", "Securing Amazon Bedrock API keys",
      ["ABSK<80+ base64>", "bedrock-api-key-<40+ base64>"]
    ),
    ("AWS AppSync", "API_KEY authorization", ["da2-<26 lower>"]),
    ("Amazon Marketplace Web Service", observed, ["amzn.mws.<uuid>"]),
    (
      "Login with Amazon", "Access token; LWA credentials",
      ["Atz[ar]|<60+ base64>", "amzn1.oa2-cs.v1.<64 hex>"]
    ),
    ("Alchemy", observed, ["alcht_<30+ alnum>"]),
    ("Appwrite", "API keys", ["standard_<200+ hex>"]),
    ("Backblaze", "Application keys", ["K00[0-9]<27 base64 random>"]),
    ("Baidu AI Cloud", "API key authentication", ["bce-v3/ALTAK-<16+ alnum>/<40 hex>"]),
    ("Cloudflare", "Token formats", ["cf[au]t_<48 alnum>", "cfk_<48 alnum>"]),
    ("Cloudflare", "Origin CA keys", ["v1.0-<24 hex>-<146 hex>"]),
    ("Cloudflare", "Turnstile: get started", ["0x4AAAAAAA<25-28 word>"]),
    ("Deno Deploy", "Access tokens", ["dd[opw]_<36 alnum>"]),
    ("DigitalOcean", "Personal access tokens", ["do[opr]_v1_<64 hex>"]),
    ("Exoscale", "IAM keys", ["EXO<24+ hex>"]),
    (
      "Fly.io", "superfly/macaroon, format.go",
      ["fm1[ar]_<40+ base64>", "fm2_<40+ base64>", "fo1_<40+ word>"]
    ),
    ("Google", observed, ["AIza<35 word>", "AQ.<40+ word random>", "GOCSPX-<24+ word>"]),
    (
      "Google", "Using OAuth 2.0 to access Google APIs",
      ["ya29.<20+ dotted>", "1//0<40+ word>", "4/0A<60+ word>"]
    ),
    ("Heroku", "Heroku API token prefix", ["HRKU-<36+ word>"]),
    (
      "Microsoft Entra", "Microsoft Entra client secret (Purview entity definitions)",
      ["<3 unreserved>[78]Q~<31-34 unreserved>"]
    ),
    (
      "Microsoft Azure", "microsoft/security-utilities, PreciselyClassifiedSecurityKeys",
      [
        "<76 base64>+ASt<5 base64>[AQgw]==", "<76 base64>+ABa<5 base64>[AQgw]==",
        "<76 base64>+AMC<5 base64>[AQgw]==", "<76 base64>ACDb<5 base64>[AQgw]==",
        "<76 base64>APIM<5 base64>[AQgw]==", "<44 word>AzFu<5 word>[AQgw]==",
        "<33 base64>+ASb[A-P]<5 base64>=", "<33 base64>+AEh[A-P]<5 base64>=",
        "<33 base64>+ARm[A-P]<5 base64>=", "<33 base64>AIoT[A-P]<5 base64>=",
        "<33 base64>AzCa[A-P]<5 base64>=", "<33 base64>AZEG[A-P]<5 base64>=",
        "<42 base64>+ACR[A-D]<5 base64>", "<42 alnum>AzSe[A-D]<5 alnum>", "<52 alnum>JQQJ9[9DH]<25+ alnum>",
      ]
    ),
    ("Netlify", "Change to the Netlify authentication token format", ["nf[bcopu]_<36 word>"]),
    ("OpenShift", "User-owned OAuth access tokens", ["sha256~<43 word>"]),
    ("Rancher", "API keys", ["token-<5 lower>:<54 lower>"]),
    ("Render", "The Render API", ["rnd_<28+ alnum random>"]),
    ("Scaleway", "Create API keys", ["SCW<17 caps>"]),
    ("Tencent Cloud", "Access key", ["AKID<32 alnum>"]),
    ("UpCloud", "API tokens", ["ucat_<26+ alnum>"]),
    ("Vercel", "Introducing new token formats and secret scanning", ["vc[aikpr]_<40+ word>"]),
    ("Vercel", "Vercel Blob", ["vercel_blob_rw_<24+ word>"]),
    ("Volcano Engine", observed, ["AKLT<40+ alnum>"]),
    (
      "Yandex Cloud", "IAM token; API key; OAuth token",
      ["t1.<20+ word><0-2 [=]>.<86 word><0-2 [=]>", "AQVN<35-38 word>", "y0_<50+ word>"]
    ),

    // Databases.
    ("Aiven", "Connect to a service", ["AVNS_<15+ word>"]),
    ("Astra DB", "Application tokens", ["AstraCS:<24 alnum>:<64 hex>"]),
    ("ClickHouse Cloud", observed, ["4b1d<38 alnum>"]),
    ("CockroachDB Cloud", "Manage service accounts", ["CCDB1_<22 alnum>_<40 alnum>"]),
    ("Confluent", "API secret format", ["cflt<60 base64>"]),
    ("Convex", "Deploy keys", ["prod:<3-60 word>|<20+ base64>", "dev:<3-60 word>|<20+ base64>"]),
    ("Databricks", observed, ["dapi<32 hex><0-1 [-]><0-1 digit>", "dose<32 hex>"]),
    ("Elastic", "Service account tokens", ["AAEAAWVsYXN0aWMv<20+ base64>"]),
    ("Elastic Cloud", "API keys", ["essu_<40+ base64>"]),
    ("Gel", "CLI: authentication", ["nbwt1_<40+ dotted>"]),
    ("InfluxDB 3", "Manage tokens", ["apiv3_<40+ word>"]),
    ("MongoDB Atlas", observed, ["mdb_sa_sk_<40 word>"]),
    ("Neon", "API keys", ["napi_<40+ lower>"]),
    ("Pinecone", "Manage API keys", ["pcsk_<40+ word>"]),
    (
      "PlanetScale", "Service tokens; passwords",
      ["pscale_tkn_<32+ dotted>", "pscale_pw_<32+ dotted>", "pscale_oauth_<32+ dotted>"]
    ),
    (
      "Supabase", "Understanding API keys",
      ["sb_secret_<10+ word>", "sb_publishable_<5+ word>", "sbp_<40 hex>", "sbp_oauth_<40 hex>"]
    ),
    ("Tinybird", "Auth tokens", ["p.eyJ<60+ dotted>"]),
    ("Turbopuffer", "Authentication", ["tpuf_<30+ word>"]),
    ("Xata", "API keys", ["xau_<40+ word>"]),

    // Code hosting and continuous integration.
    (
      "Atlassian", "Manage API tokens for your Atlassian account",
      ["ATATT3xFf<40+ base64>", "ATCTT3xFf<40+ base64>", "ATSTT3xFf<40+ base64>"]
    ),
    ("Bitbucket", observed, ["ATBB<24+ alnum>", "BBDC-<40-50 base64>"]),
    ("Buildkite", "Token security", ["bkua_<32+ word>", "bka[aj]_<32+ dotted>", "bkct_<32+ dotted>"]),
    ("CircleCI", "Managing API tokens", ["CCIPAT_<30+ word>", "CCIPRJ_<30+ word>"]),
    ("Dependency-Track", "API keys", ["odt_<32+ word>"]),
    (
      "GitHub", "About authentication to GitHub",
      ["gh[opru]_<16+ word crc>", "ghs_<16+ dotted crc>", "github_pat_<9+ word>"]
    ),
    (
      "GitLab", "GitLab token overview",
      [
        "glpat-<14+ dotted>", "gloas-<14+ dotted>", "gldt-<14+ dotted>", "glrt-<14+ dotted>",
        "glrtr-<14+ dotted>", "glcbt-<14+ dotted>", "glptt-<14+ dotted>", "glft-<14+ dotted>",
        "glimt-<14+ dotted>", "glagent-<14+ dotted>", "glwt-<14+ dotted>", "glsoat-<14+ dotted>",
        "glffct-<14+ dotted>",
      ]
    ),
    ("GitLab", "Runner registration tokens", ["GR1348941<20 word>"]),
    ("Harness", "Manage API keys", ["[ps]at.<22 word>.<24 alnum>.<20 alnum>"]),
    ("Ionic", observed, ["ion_<42 lower>"]),
    ("Octopus Deploy", "How to create an API key", ["API-<25-36 caps random>"]),
    ("SonarQube", "Generating and using tokens", ["sq[apu]_<40 hex>"]),
    ("SonarQube Cloud", observed, ["sqco_<59 alnum>"]),
    ("Snyk", "Snyk API token formats", ["snyk_[su]at.<20+ dotted>"]),
    ("Sourcegraph", "Sourcegraph secret formats", ["sg[dp]_<40+ word>", "slk_<64 hex>"]),

    // Package registries.
    ("Clojars", "Deploy tokens", ["CLOJARS_<60 alnum>"]),
    ("crates.io", observed, ["cio<32 alnum random>"]),
    ("Docker", "Personal access tokens; organization access tokens", ["dckr_[op]at_<20+ word>"]),
    ("JFrog", observed, ["AKCp<60+ alnum>", "cmVmdGtu<56 alnum>"]),
    ("npm", "About access tokens", ["npm_<36 alnum crc>"]),
    ("NuGet", "microsoft/security-utilities, PreciselyClassifiedSecurityKeys", ["oy2<43 [a-z2-7] random>"]),
    ("Private Packagist", "Composer authentication", ["packagist_[a-z][a-z][a-z]_<28+ hex>"]),
    ("PyPI", "API token format", ["pypi-AgE<40+ word>"]),
    ("RubyGems", "API key", ["rubygems_<48 hex>"]),

    // Language models and speech.
    ("Anthropic", "API overview: authentication", ["sk-ant-<20+ word>"]),
    ("Anyscale", observed, ["esecret_<20+ word>"]),
    ("Apify", "API integration", ["apify_api_<36 alnum>"]),
    ("Braintrust", observed, ["bt-st-<40+ alnum>"]),
    ("Browserbase", "API keys", ["bb_live_<20+ word>"]),
    ("Cartesia", "Authentication", ["sk_car_<20+ word>"]),
    ("Cerebras", "API keys", ["csk-<40+ alnum>"]),
    ("Cursor", "Authentication", ["key_<64 hex>"]),
    ("E2B", "API key", ["e2b_<40 hex>"]),
    ("ElevenLabs", observed, ["sk_<48 hex>"]),
    ("Firecrawl", "Authentication", ["fc-<32 hex>"]),
    ("Fireworks AI", "API keys", ["fw_<22+ alnum random>"]),
    ("Groq", observed, ["gsk_<48+ alnum>"]),
    ("Helicone", "API keys", ["sk-helicone-<28+ word>"]),
    ("Hugging Face", "User access tokens", ["hf_<34+ alnum>", "api_org_<34 alnum>"]),
    ("Jina AI", "API key", ["jina_<40+ word>"]),
    ("LangSmith", "Create an account and API key", ["lsv2_[ps][kt]_<32+ word>"]),
    ("Langfuse", "API and SDK keys", ["sk-lf-<32+ word>", "pk-lf-<32+ word random>"]),
    ("LlamaCloud", "Get an API key", ["llx-<40+ alnum>"]),
    ("Modal", "Token credentials", ["as-<22 alnum random>"]),
    ("NVIDIA", observed, ["nvapi-<50+ word>"]),
    (
      "OpenAI, DeepSeek, Moonshot AI, Stability AI", observed,
      ["sk-proj-<20+ word>", "sk-svcacct-<20+ word>", "sk-admin-<20+ word>", "sk-<17+ word random>"]
    ),
    ("OpenRouter", "Authentication", ["sk-or-v1-<64 hex>"]),
    ("Perplexity", "Authentication", ["pplx-<40+ alnum>"]),
    ("Replicate", "API tokens", ["r8_<37 word>"]),
    ("RunPod", "API keys", ["rpa_<40+ alnum>"]),
    ("Tavily", "Quickstart", ["tvly-<24+ word random>"]),
    ("Together AI", observed, ["tgp_v1_<40+ word>"]),
    ("Voiceflow", "Dialog API", ["VF.[DW][MS].<24 hex>.<16 alnum>"]),
    ("Voyage AI", "API key", ["pa-<43 word random>"]),
    ("Weights & Biases", "API keys", ["wandb_v1_<40+ word>"]),
    ("xAI", "The Hitchhiker's Guide to Grok", ["xai-<70+ word>"]),

    // Payments and shops.
    ("Cashfree", "API keys", ["cfsk_ma_<30+ word>"]),
    ("Checkout.com", "API keys", ["sk_sbox_<24+ lower>"]),
    ("Duffel", observed, ["duffel_live_<40+ base64>", "duffel_test_<40+ base64>"]),
    ("EasyPost", "Authentication", ["EZ[AT]K<54 alnum>"]),
    ("eBay", "OAuth access tokens", ["v^1.1#<60+ [A-Za-z0-9^#+/=]>"]),
    ("eBay", "Get your application keys", ["[PS][RB][DX]-<12 hex>-<4 hex>-<4 hex>-<4 hex>-<4 hex>"]),
    (
      "Flutterwave", "Authentication",
      ["FLWSECK_TEST-<12+ word>", "FLWSECK-<12+ word>", "FLWPUBK_TEST-<12+ word>"]
    ),
    ("GoCardless", observed, ["live_<40 word random>", "sandbox_<40 word random>"]),
    ("IETF", "RFC 8959, The \"secret-token\" URI scheme", ["secret-token:<16+ unreserved>"]),
    ("Klarna", "API credentials", ["klarna_live_api_<20+ base64>", "klarna_test_api_<20+ base64>"]),
    ("Lob", "API keys", ["live_<35 hex>", "test_<35 hex>"]),
    ("Mercado Pago", "Credentials", ["APP_USR-<12-20 digit>-<6 digit>-<32 hex>-<4-12 digit>"]),
    ("Midtrans", "API authorization", ["Mid-server-<20+ word>", "SB-Mid-server-<20+ word>"]),
    (
      "Mollie", "Authentication",
      ["live_<30 alnum random>", "test_<30 alnum random>", "access_<30-40 alnum random>"]
    ),
    ("Paddle", "Authentication", ["pdl_live_<30+ word>", "pdl_sdbx_<30+ word>", "pdl_ntfset_<40+ base64>"]),
    ("Pagar.me", observed, ["ak_live_<30 alnum>"]),
    ("PayPal", "Get an access token", ["A21AA<60+ word>"]),
    (
      "PayPal", "Braintree: access tokens",
      ["access_token$production$<16 lower>$<32 hex>", "access_token$sandbox$<16 lower>$<32 hex>"]
    ),
    (
      "Plaid", "Token endpoints",
      [
        "access-sandbox-<36 word>", "access-development-<36 word>", "access-production-<36 word>",
        "link-sandbox-<uuid>", "link-production-<uuid>", "public-sandbox-<uuid>", "public-production-<uuid>",
      ]
    ),
    ("Polar", "Organization access tokens", ["polar_[a-z]at_<30+ word>", "polar_whs_<30+ word>"]),
    ("Ramp", observed, ["ramp_sec_<48 alnum>"]),
    ("Razorpay", "API keys", ["rzp_live_<14+ alnum>", "rzp_test_<14+ alnum>"]),
    ("Shippo", "Authentication", ["shippo_live_<40 hex>", "shippo_test_<40 hex>"]),
    (
      "Shopify", "Length of the Shopify access token is increasing; app secret key length has increased",
      ["shp[acps][atps]_<32 hex>"]
    ),
    ("Shopify", observed, ["shptka_<32 hex>", "shpua_<32 hex>", "prtapi_<32 hex>"]),
    (
      "Square", "Access tokens and other Square credentials",
      [
        "sq0atp-<22+ word>", "sq0csp-<40+ word>", "sq0idp-<22+ word>", "sandbox-sq0[ci][ds]b-<22+ word>",
        "EAAA<60 word>",
      ]
    ),
    (
      "Stripe", "API keys",
      [
        "[rs]k_live_<12+ word>", "[rs]k_test_<12+ word>", "pk_live_<20+ word>", "pk_test_<20+ word>",
        "sk_org_<20+ word>", "ek_live_<20+ word>", "ek_test_<20+ word>",
      ]
    ),
    (
      "Stripe", "The PaymentIntent object",
      ["pi_<16+ alnum>_secret_<20+ alnum>", "seti_<16+ alnum>_secret_<20+ alnum>"]
    ),
    ("Standard Webhooks", "Specification: signature scheme", ["whsec_<24+ base64>"]),
    ("WooCommerce", "REST API: authentication", ["c[ks]_<40 hex>"]),
    ("Xendit", "API keys", ["xnd_production_<30+ word>", "xnd_development_<30+ word>"]),

    // Chats, mail, telephones and social networks.
    ("Brevo", "Getting started", ["xkeysib-<64+ word>", "xsmtpsib-<64+ word>"]),
    ("Cal.com", "API keys", ["cal_<32 hex>", "cal_live_<32 hex>", "cal_test_<32 hex>"]),
    (
      "Discord", "API reference: authentication",
      [
        "M[Tjz][AEIMQUYcgk][w-z0-5]<19-24 word>.<6-7 word>.<27-38 word>",
        "N[DTjz][AEIMQUYcgk][w-z0-5]<19-24 word>.<6-7 word>.<27-38 word>",
        "O[DT][AEIMQUYcgk][w-z0-5]<19-24 word>.<6-7 word>.<27-38 word>",
      ]
    ),
    ("Discord", observed, ["mfa.<84 word>"]),
    ("Dropbox", "OAuth guide", ["sl.u.<60+ word>", "sl.<120+ word>"]),
    ("HubSpot", "Private apps", ["pat-[a-z][a-z][1-9]-<uuid>"]),
    ("Instagram", "Instagram API: access tokens", ["IGQ<100+ word>", "IGAA<100+ word>"]),
    ("Intercom", "Authentication", ["dG9rO<30+ base64>"]),
    ("Kit", "API keys", ["kit_<32 hex>"]),
    ("Klaviyo", "Authenticate API requests", ["pk_<34 hex>", "pk_<6 alnum>_<34 hex>"]),
    ("LinkedIn", observed, ["WPL_AP[01].<16 alnum>.<6+ base64>"]),
    ("MailerSend", "API tokens", ["mlsn.<64 hex>"]),
    ("Mailchimp", "About API keys", ["<32 hex>-us<1-2 digit>"]),
    ("Mailchimp Transactional", "Quick start", ["md-<22 word random>"]),
    ("Mailgun", observed, ["key-<32 hex>"]),
    (
      "Meta", "Access tokens for Meta technologies",
      ["EAACEdEose0cBA<10+ alnum>", "EAA<100+ alnum>", "THAA<100+ word>"]
    ),
    ("OneSignal", "Keys and IDs", ["os_v2_app_<60+ lower>", "os_v2_org_<60+ lower>"]),
    ("Pinterest", "Token debugger", ["pina_<40+ word>", "pinr.<40+ dotted>"]),
    ("PubNub", "Keysets", ["sec-c-<32+ base64>", "pub-c-<uuid>", "sub-c-<uuid>"]),
    ("RapidAPI", observed, ["<10 lower>msh<15 lower>p1<6 lower>jsn<12 lower>"]),
    ("Resend", "API keys", ["re_<20+ word random>"]),
    ("SendGrid", "API keys", ["SG.<40+ dotted>"]),
    (
      "Slack", "Tokens",
      [
        "xox[abceoprs]-<15+ word>", "xoxd-<15+ base64>", "xoxe.xox[bp]-<15+ word>", "xapp-<20+ word>",
        "xwfp-<20+ word>",
      ]
    ),
    ("Telegram", "Bot API: authorizing your bot", ["<7-11 digit>[0-9]:AA<33 word>"]),
    (
      "TikTok", "Manage user access tokens",
      ["act.<40+ [A-Za-z0-9!.*_-] random>", "rft.<40+ [A-Za-z0-9!.*_-] random>"]
    ),
    ("Twilio", "REST API: API keys", ["SK<32 hex>", "AC<32 hex>"]),
    ("X", "OAuth 2.0 bearer token", ["AAAAAAAAAAAAAAAAAAAAA<10+ base64>=<40+ alnum>"]),
    ("Zoho", "OAuth: access tokens", ["1000.<32 hex>.<32 hex>"]),

    // Monitoring.
    ("Axiom", "API tokens", ["xa[ap]t-<uuid>"]),
    ("Dynatrace", "Tokens and authentication", ["dt0[a-z]<2 digit>.<24 caps>.<64 caps>"]),
    ("FullStory", observed, ["na1.<100 base64>"]),
    ("Grafana", "Service accounts; access policies", ["glc_<32+ base64>", "glsa_<32+ word>"]),
    ("Grafana", observed, ["eyJrIjoi<60+ base64>"]),
    ("Honeycomb", "Authentication", ["hc[a-z][ilm]k_<58 lower>"]),
    (
      "New Relic", "New Relic API keys",
      [
        "NRAK-<27 alnum>", "NRII-<25-32 word>", "NRIQ-<25-32 word>", "NRJS-<19 word>", "NRBR-<19 hex>",
        "NRRA-<42 hex>", "<32 alnum>FFFFNRAL", "<42 alnum>-NRMA",
      ]
    ),
    ("PostHog", "API overview", ["ph[csx]_<40+ word>"]),
    ("Rootly", observed, ["rootly_<64 hex>"]),
    (
      "Sentry", "Token and credential formats",
      ["sntry[aiu]_<64 hex>", "sntrys_<20+ [A-Za-z0-9+/=]>_<43 [A-Za-z0-9+/]>"]
    ),

    // Secret stores, identity and networks.
    (
      "1Password", "Use service accounts; Secret Key",
      [
        "ops_eyJ<100+ base64>", "A3-<6 caps>-<6 caps>-<5 caps>-<5 caps>-<5 caps>-<5 caps>",
        "A3-<6 caps>-<11 caps>-<5 caps>-<5 caps>-<5 caps>",
      ]
    ),
    ("age", "The age file encryption format", ["AGE-SECRET-KEY-1<58 caps>"]),
    (
      "Doppler", "Token formats",
      [
        "dp.pt.<40-44 alnum>", "dp.ct.<40-44 alnum>", "dp.sa.<40-44 alnum>", "dp.st.<40+ dotted>",
        "dp.scim.<40-44 alnum>", "dp.audit.<40-44 alnum>",
      ]
    ),
    ("HashiCorp Terraform", "API tokens", ["<14 alnum>.atlasv1.<60-70 base64>"]),
    ("HashiCorp Vault", "Tokens: token prefixes", ["hv[brs].<24+ word>"]),
    ("Infisical", "Service tokens", ["st.<24 hex>.<32 hex>.<32 hex>"]),
    ("Kong Konnect", "Personal and system access tokens", ["[ks]pat_<40+ alnum>"]),
    ("MaxMind", observed, ["<6 alnum>_<29 alnum>_mmk"]),
    ("NetBird", "netbirdio/netbird, personal_access_token.go", ["nbp_<36 alnum>"]),
    (
      "Ory", "Ory token formats",
      ["ory_[a-z][a-z]_<30+ dotted>", "ory_pat_<20+ alnum>", "ory_apikey_<20+ alnum>"]
    ),
    ("Portainer", "Access tokens", ["ptr_<44 base64>"]),
    ("Prefect", observed, ["pn[bu]_<36 alnum>"]),
    ("Pulumi", observed, ["pul-<40 hex>"]),
    ("Stytch", "API keys", ["secret-live-<36+ base64>", "secret-test-<36+ base64>"]),
    ("Tailscale", "Key prefixes", ["tskey-<16+ word random>"]),
    ("Unkey", "Root keys", ["unkey_<16+ alnum random>"]),
    ("Zuplo", "API key best practices", ["zpka_<32+ word>"]),

    // Other tools.
    ("42", observed, ["s-s4t2[au][df]-<64 hex>"]),
    ("Adafruit IO", observed, ["aio_<28 alnum>"]),
    ("Adapty", "Server-side API", ["secret_live_<16+ dotted>"]),
    ("Adobe", observed, ["p8e-<32 word>"]),
    ("Airtable", "Personal access tokens", ["pat<14 alnum>.<64 hex>"]),
    (
      "Asana", "Personal access token",
      ["[01]/<13-20 digit>:<32 hex>", "2/<13-20 digit>/<13-20 digit>:<32 hex>"]
    ),
    ("Bannerbear", observed, ["bb_[mp][ar]_<30 hex>"]),
    ("Builder.io", "API keys", ["bpk-<32 hex>"]),
    ("ClickUp", "Authentication", ["pk_<6-9 digit>_<32 caps>"]),
    ("Close", observed, ["api_<20-24 alnum>.<20-24 alnum>"]),
    ("ConfigCat", "SDK keys", ["configcat-sdk-1/<22 word>/<22 word>"]),
    ("Contentful", "Personal access tokens", ["CFPAT-<43 word>"]),
    ("dbt Cloud", "Service account tokens", ["dbt[cu]_<40+ base64>"]),
    ("DeepL", "Authentication", ["<uuid>:fx"]),
    ("DevCycle", "SDK keys", ["dvc_server_<20+ word>", "dvc_mobile_<20+ word>"]),
    ("Figma", observed, ["fig[dpu]_<36+ base64>", "fig[du]r_<36+ base64>"]),
    ("Flagsmith", "Server-side environment keys", ["ser.<22 alnum random>"]),
    ("Frame.io", observed, ["fio-u-<64 base64>"]),
    ("GitBook", "Authentication", ["gb_api_<40 alnum>"]),
    (
      "GrowthBook", "API authentication",
      ["secret_admin_<16+ alnum>", "secret_readonly_<16+ alnum>", "secret_user_<16+ alnum>"]
    ),
    ("Infracost", observed, ["ico-<32 alnum random>"]),
    (
      "Inngest", "Signing keys",
      ["signkey-prod-<32+ hex>", "signkey-test-<32+ hex>", "signkey-branch-<32+ hex>"]
    ),
    (
      "LaunchDarkly", "Keys",
      ["sdk-<uuid>", "mob-<uuid>", "rel-<uuid>", "api-<8 hex>-<4 hex>-4<3 hex>-<4 hex>-<12 hex>"]
    ),
    ("Linear", observed, ["lin_api_<32+ alnum>", "lin_oauth_<32+ alnum>", "lin_wh_<32+ alnum>"]),
    ("Liveblocks", "Authentication", ["sk_dev_<30+ word>", "sk_prod_<30+ word>"]),
    ("Mapbox", "Access tokens", ["[pst]k.eyJ<40+ dotted>"]),
    ("n8n", "API authentication", ["n8n_api_<40+ word>"]),
    ("Nightfall", observed, ["NF-<32 alnum random>"]),
    ("Notion", "Updated token format", ["ntn_<40+ alnum>", "secret_<43 alnum random>"]),
    ("Persona", "API keys", ["persona_production_<20+ word>", "persona_sandbox_<20+ word>"]),
    ("Postman", "Postman API authentication", ["PMAK-<59 word>", "PMAT-<26 caps>"]),
    ("Radar", "Authentication", ["prj_live_sk_<40 hex>", "prj_test_sk_<40 hex>"]),
    ("ReadMe", observed, ["rdme_<70 alnum>"]),
    ("RevenueCat", "API keys", ["sk_<24+ alnum random>", "atk_<24+ alnum random>"]),
    ("Salesforce", "OAuth tokens and session IDs", ["00D<12-15 alnum>!<80+ dotted>", "5Aep861<60+ dotted>"]),
    ("Salesforce", observed, ["3MVG9<60+ dotted>"]),
    ("Google Calendar", observed, ["private-<32 hex>"]),
    ("StackHawk", "API keys", ["hawk.<20 word>.<20 word>"]),
    ("Statsig", "API keys", ["secret-<43 alnum>", "console-<43 alnum>"]),
    ("Trello", "Authorization", ["ATTA<60+ alnum>"]),
    ("Trigger.dev", "API keys", ["tr_dev_<20+ alnum>", "tr_prod_<20+ alnum>", "tr_pat_<30+ alnum>"]),
    ("Typeform", "Personal access token", ["tfp_<40+ dotted>"]),
    ("Ubidots", observed, ["BBFF-<30 alnum>"]),
    ("Upstash", "QStash: signing keys", ["sig_<24-40 alnum random>"]),
    ("Val Town", "Authentication", ["vtwn_<20+ alnum>"]),
    ("Wix", "API keys", ["IST.eyJ<60+ dotted>"]),
    // Tickets, and hashes of passwords.
    (
      "Apereo CAS", "CAS protocol specification, 3.7",
      [
        "ST-<1-9 digit>-<20+ word>", "TGT-<1-9 digit>-<20+ word>",
        "PGT-<1-9 digit>-<20+ word>",
      ]
    ),
    (
      "crypt", "crypt(5)",
      [
        "$2[aby]$<2 digit>$<53 [A-Za-z0-9./]>", "$6$<1-16 [A-Za-z0-9./]>$<86 [A-Za-z0-9./]>",
        "$5$<1-16 [A-Za-z0-9./]>$<43 [A-Za-z0-9./]>",
      ]
    ),
    ("Apache", "Password formats", ["$apr1$<1-8 [A-Za-z0-9./]>$<22 [A-Za-z0-9./]>"]),
    ("Django", "Password management", ["pbkdf2_sha256$<4-7 digit>$<10+ alnum>$<43 base64>="]),
  ]
}
