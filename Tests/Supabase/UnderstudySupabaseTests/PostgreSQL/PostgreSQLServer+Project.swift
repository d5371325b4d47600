#if os(macOS) || os(Linux)
  import Foundation
  import TestSupport

  @testable import UnderstudySupabase

  extension PostgreSQLServer {
    static func name(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }

    /// The schema of a project of Supabase without tables, as the emulator defines it, and a function that runs a
    /// statement as a role, as PostgREST does, and returns its result.
    static let project = """
      DO $$ DECLARE name text; BEGIN
        FOREACH name IN ARRAY ARRAY['anon', 'authenticated', 'service_role'] LOOP
          BEGIN
            EXECUTE format('CREATE ROLE %I NOLOGIN %s', name,
              CASE name WHEN 'service_role' THEN 'BYPASSRLS' ELSE '' END);
          EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
          END;
        END LOOP;
      END $$;
      \(ProjectSchema.sql)
      -- The emulator's service role is the auth server, too.
      GRANT USAGE ON SCHEMA public TO anon, authenticated, service_role;
      ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT ALL ON TABLES TO anon, authenticated, service_role;

      CREATE FUNCTION public.understudy(who text, claims text, statement text) RETURNS json LANGUAGE plpgsql AS $$
      DECLARE result text; state text; message text; detail text; hint text;
      BEGIN
        PERFORM set_config('request.jwt.claims', claims, true);
        PERFORM set_config('role', who, true);
        EXECUTE statement INTO result;
        PERFORM set_config('role', 'none', true);
        RETURN json_build_object('rows', result);
      EXCEPTION WHEN OTHERS THEN
        GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT,
          detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
        RETURN json_build_object('code', state, 'message', message, 'detail', nullif(detail, ''),
          'hint', nullif(hint, ''));
      END $$;
      """
  }
#endif
