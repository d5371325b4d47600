import Understudy
import UnderstudyPostgreSQL

/// What every project of Supabase has before its first migration: roles, and the schemas `auth`, `storage` and others.
enum ProjectSchema {
  static let state: State = {
    var empty = State()
    for role in [
      "anon", "authenticated", "service_role", "authenticator", "supabase_admin", "supabase_auth_admin",
      "supabase_storage_admin", "supabase_realtime_admin", "supabase_functions_admin",
      "supabase_read_only_user",
      "dashboard_user", "pgbouncer",
    ] {
      empty.catalogue.roles[role] = Role(
        bypassesPolicies: ["service_role", "supabase_admin"].contains(role))
    }
    // `ALTER DEFAULT PRIVILEGES` of the first migration of supabase/postgres.
    for role in ["anon", "authenticated", "service_role"] {
      for schema in ["public", "storage"] {
        empty.catalogue.defaultPrivileges.append(
          DefaultPrivilege(schema: schema, role: role, kinds: Set(Privilege.Kind.allCases)))
        empty.catalogue.defaultCallers.append(DefaultCaller(schema: schema, role: role))
        empty.catalogue.defaultSequencePrivileges += SequencePrivilege.Kind.allCases.map {
          DefaultSequencePrivilege(schema: schema, SequencePrivilege(role: role, kind: $0))
        }
      }
    }
    let session = Session(empty, environment: environment(at: 0, Locked(numbers)))
    do {
      for statement in try Script.parse(sql) { _ = try session.run(statement.statement) }
    } catch {
      preconditionFailure("The schema of an empty project is valid: \(error)")
    }
    return session.state
  }()

  /// The numbers of a schema, which are the same whenever it is read.
  static let numbers = SeededGenerator(seed: 0x5EED)

  /// The environment of a schema.
  ///
  /// - Parameter moment: Microseconds since 2000-01-01 UTC.
  static func environment(at moment: Int64, _ numbers: Locked<SeededGenerator>) -> SessionEnvironment {
    SessionEnvironment(
      now: { moment }, random: { numbers.withLock { $0.next() } }, collation: .unicode, isCancelled: { false }
    )
  }

  /// The parts of the migrations of supabase/postgres, supabase/auth, supabase/storage and supabase/realtime that clients and policies see.
  static let sql = """
    CREATE SCHEMA auth;
    CREATE SCHEMA storage;
    CREATE SCHEMA extensions;
    CREATE SCHEMA realtime;
    CREATE SCHEMA graphql_public;
    CREATE SCHEMA vault;
    CREATE SCHEMA supabase_migrations;
    GRANT USAGE ON SCHEMA auth, storage, extensions, realtime, graphql_public TO anon, authenticated, service_role;

    CREATE FUNCTION auth.jwt() RETURNS jsonb LANGUAGE sql STABLE AS $$
      SELECT coalesce(nullif(current_setting('request.jwt.claim', true), ''),
        nullif(current_setting('request.jwt.claims', true), ''))::jsonb
    $$;
    CREATE FUNCTION auth.uid() RETURNS uuid LANGUAGE sql STABLE AS $$
      SELECT coalesce(nullif(current_setting('request.jwt.claim.sub', true), ''),
        (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub'))::uuid
    $$;
    CREATE FUNCTION auth.role() RETURNS text LANGUAGE sql STABLE AS $$
      SELECT coalesce(nullif(current_setting('request.jwt.claim.role', true), ''),
        (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role'))::text
    $$;
    CREATE FUNCTION auth.email() RETURNS text LANGUAGE sql STABLE AS $$
      SELECT coalesce(nullif(current_setting('request.jwt.claim.email', true), ''),
        (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email'))::text
    $$;

    -- Sets the column that the trigger names, as the extension does.
    CREATE FUNCTION extensions.moddatetime() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RETURN jsonb_populate_record(NEW, jsonb_build_object(TG_ARGV[0], now()));
    END $$;

    CREATE TABLE auth.users (
      instance_id uuid,
      id uuid NOT NULL PRIMARY KEY,
      aud varchar(255),
      role varchar(255),
      email varchar(255),
      encrypted_password varchar(255),
      email_confirmed_at timestamptz,
      invited_at timestamptz,
      confirmation_token varchar(255),
      confirmation_sent_at timestamptz,
      recovery_token varchar(255),
      recovery_sent_at timestamptz,
      email_change_token_new varchar(255),
      email_change varchar(255),
      email_change_sent_at timestamptz,
      last_sign_in_at timestamptz,
      raw_app_meta_data jsonb,
      raw_user_meta_data jsonb,
      is_super_admin boolean,
      created_at timestamptz,
      updated_at timestamptz,
      phone text DEFAULT NULL UNIQUE,
      phone_confirmed_at timestamptz,
      phone_change text DEFAULT '',
      phone_change_token varchar(255) DEFAULT '',
      phone_change_sent_at timestamptz,
      confirmed_at timestamptz GENERATED ALWAYS AS (LEAST(email_confirmed_at, phone_confirmed_at)) STORED,
      email_change_token_current varchar(255) DEFAULT '',
      email_change_confirm_status smallint DEFAULT 0,
      banned_until timestamptz,
      reauthentication_token varchar(255) DEFAULT '',
      reauthentication_sent_at timestamptz,
      is_sso_user boolean NOT NULL DEFAULT false,
      deleted_at timestamptz,
      is_anonymous boolean NOT NULL DEFAULT false
    );
    CREATE UNIQUE INDEX users_email_partial_key ON auth.users (email) WHERE is_sso_user = false;
    ALTER TABLE auth.users ENABLE ROW LEVEL SECURITY;
    GRANT ALL ON auth.users TO service_role;
    CREATE TABLE auth.identities (
      provider_id text NOT NULL,
      user_id uuid NOT NULL REFERENCES auth.users (id) ON DELETE CASCADE,
      identity_data jsonb NOT NULL,
      provider text NOT NULL,
      last_sign_in_at timestamptz,
      created_at timestamptz,
      updated_at timestamptz,
      email text GENERATED ALWAYS AS (lower(identity_data ->> 'email')) STORED,
      id uuid NOT NULL DEFAULT gen_random_uuid() PRIMARY KEY,
      UNIQUE (provider_id, provider)
    );
    ALTER TABLE auth.identities ENABLE ROW LEVEL SECURITY;
    -- Policies ask for the second factors of a user, which the auth server writes.
    CREATE TYPE auth.factor_type AS ENUM ('totp', 'webauthn', 'phone');
    CREATE TYPE auth.factor_status AS ENUM ('unverified', 'verified');
    CREATE TABLE auth.mfa_factors (
      id uuid NOT NULL PRIMARY KEY,
      user_id uuid NOT NULL REFERENCES auth.users (id) ON DELETE CASCADE,
      friendly_name text,
      factor_type auth.factor_type NOT NULL,
      status auth.factor_status NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      secret text,
      phone text,
      -- Unique in a project, where no two challenges are at the same moment, as they are under a test's clock.
      last_challenged_at timestamptz
    );
    ALTER TABLE auth.mfa_factors ENABLE ROW LEVEL SECURITY;
    GRANT ALL ON auth.mfa_factors TO service_role;

    CREATE TABLE storage.buckets (
      id text PRIMARY KEY,
      name text NOT NULL UNIQUE,
      owner uuid,
      owner_id text,
      public boolean DEFAULT false,
      avif_autodetection boolean DEFAULT false,
      file_size_limit bigint,
      allowed_mime_types text[],
      created_at timestamptz DEFAULT now(),
      updated_at timestamptz DEFAULT now()
    );
    ALTER TABLE storage.buckets ENABLE ROW LEVEL SECURITY;
    CREATE TABLE storage.objects (
      id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
      bucket_id text REFERENCES storage.buckets (id),
      name text,
      owner uuid,
      owner_id text,
      version text,
      metadata jsonb,
      user_metadata jsonb,
      path_tokens text[] GENERATED ALWAYS AS (string_to_array(name, '/')) STORED,
      created_at timestamptz DEFAULT now(),
      updated_at timestamptz DEFAULT now(),
      last_accessed_at timestamptz DEFAULT now(),
      CONSTRAINT bucketid_objname UNIQUE (bucket_id, name)
    );
    ALTER TABLE storage.objects ENABLE ROW LEVEL SECURITY;
    CREATE FUNCTION storage.foldername(name text) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
      SELECT (string_to_array(name, '/'))[1:array_length(string_to_array(name, '/'), 1) - 1]
    $$;
    CREATE FUNCTION storage.filename(name text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
      SELECT (string_to_array(name, '/'))[array_length(string_to_array(name, '/'), 1)]
    $$;
    CREATE FUNCTION storage.extension(name text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
      SELECT reverse(split_part(reverse(storage.filename(name)), '.', 1))
    $$;

    CREATE TABLE realtime.messages (
      id uuid NOT NULL DEFAULT gen_random_uuid() PRIMARY KEY,
      topic text NOT NULL,
      extension text NOT NULL,
      payload jsonb,
      event text,
      private boolean DEFAULT false,
      updated_at timestamptz NOT NULL DEFAULT now(),
      inserted_at timestamptz NOT NULL DEFAULT now()
    );
    ALTER TABLE realtime.messages ENABLE ROW LEVEL SECURITY;
    GRANT SELECT, INSERT, UPDATE ON realtime.messages TO anon, authenticated, service_role;
    CREATE FUNCTION realtime.topic() RETURNS text LANGUAGE sql STABLE AS $$
      SELECT nullif(current_setting('realtime.topic', true), '')::text
    $$;
    -- A failure to send does not fail the statement that sends.
    CREATE FUNCTION realtime.send(payload jsonb, event text, topic text, private boolean DEFAULT true)
    RETURNS void LANGUAGE plpgsql AS $$
    DECLARE
      message_id uuid := gen_random_uuid();
    BEGIN
      PERFORM set_config('realtime.topic', topic, true);
      INSERT INTO realtime.messages (id, topic, extension, event, private, payload)
        VALUES (message_id, topic, 'broadcast', event, private,
          CASE WHEN payload ? 'id' THEN payload ELSE jsonb_set(payload, '{id}', to_jsonb(message_id)) END);
    EXCEPTION WHEN OTHERS THEN
      RAISE WARNING 'WarnSendingBroadcastMessage: %', SQLERRM;
    END $$;
    CREATE FUNCTION realtime.broadcast_changes(topic_name text, event_name text, operation text, table_name text,
      table_schema text, new record, old record, level text DEFAULT 'ROW')
    RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      IF level = 'STATEMENT' THEN
        RAISE EXCEPTION 'function can only be triggered for each row, not for each statement';
      END IF;
      IF operation NOT IN ('INSERT', 'UPDATE', 'DELETE') THEN
        RAISE EXCEPTION 'Unexpected operation type: %', operation;
      END IF;
      PERFORM realtime.send(jsonb_build_object('old_record', old, 'record', new, 'operation', operation,
        'table', table_name, 'schema', table_schema), event_name, topic_name);
    EXCEPTION WHEN OTHERS THEN
      RAISE EXCEPTION 'Failed to process the row: %', SQLERRM;
    END $$;

    CREATE PUBLICATION supabase_realtime;
    """
}
