/// An extension that a project uses and that acts outside of the database, where nothing happens here.
///
/// Its functions exist once the schema creates it, so that migrations and triggers run: jobs are listed and requests are
/// queued, and neither is ever run.
enum ProjectExtension: String, CaseIterable {
  case cron = "pg_cron"
  case net = "pg_net"

  /// The extension that a statement creates, by what the statement ignores.
  init?(ignored: String) {
    guard let found = Self.allCases.first(where: { ignored == "CREATE EXTENSION \($0.rawValue)" }) else {
      return nil
    }
    self = found
  }

  /// What does not happen, for the list of what is ignored.
  var note: String {
    switch self {
    case .cron: "CREATE EXTENSION pg_cron (jobs are not run)"
    case .net: "CREATE EXTENSION pg_net (requests are not sent)"
    }
  }

  /// The tables and functions that SQL of projects names.
  var sql: String {
    switch self {
    case .cron:
      """
      CREATE SCHEMA cron;
      CREATE TABLE cron.job (
        jobid bigserial PRIMARY KEY,
        schedule text NOT NULL,
        command text NOT NULL,
        nodename text NOT NULL DEFAULT 'localhost',
        nodeport integer NOT NULL DEFAULT 5432,
        database text NOT NULL DEFAULT 'postgres',
        username text NOT NULL DEFAULT current_user,
        active boolean NOT NULL DEFAULT true,
        jobname text,
        UNIQUE (jobname, username)
      );
      CREATE TABLE cron.job_run_details (
        jobid bigint, runid bigserial PRIMARY KEY, job_pid integer, database text, username text, command text,
        status text, return_message text, start_time timestamptz, end_time timestamptz
      );
      CREATE FUNCTION cron.schedule(job_name text, schedule text, command text) RETURNS bigint LANGUAGE sql AS $$
        INSERT INTO cron.job (jobname, schedule, command) VALUES ($1, $2, $3)
        ON CONFLICT (jobname, username) DO UPDATE
          SET schedule = excluded.schedule, command = excluded.command, active = true
        RETURNING jobid
      $$;
      CREATE FUNCTION cron.schedule(schedule text, command text) RETURNS bigint LANGUAGE sql AS $$
        INSERT INTO cron.job (schedule, command) VALUES ($1, $2) RETURNING jobid
      $$;
      CREATE FUNCTION cron.unschedule(job_id bigint) RETURNS boolean LANGUAGE plpgsql AS $$
      BEGIN
        DELETE FROM cron.job WHERE jobid = job_id;
        IF NOT FOUND THEN RAISE EXCEPTION 'could not find valid entry for job ''%''', job_id; END IF;
        RETURN true;
      END $$;
      CREATE FUNCTION cron.unschedule(job_name text) RETURNS boolean LANGUAGE plpgsql AS $$
      BEGIN
        DELETE FROM cron.job WHERE jobname = job_name;
        IF NOT FOUND THEN RAISE EXCEPTION 'could not find valid entry for job ''%''', job_name; END IF;
        RETURN true;
      END $$;
      """
    case .net:
      """
      CREATE SCHEMA net;
      GRANT USAGE ON SCHEMA net TO anon, authenticated, service_role;
      CREATE TABLE net.http_request_queue (
        id bigserial PRIMARY KEY,
        method text NOT NULL,
        url text NOT NULL,
        headers jsonb,
        body bytea,
        timeout_milliseconds integer NOT NULL
      );
      CREATE TABLE net._http_response (
        id bigint, status_code integer, content_type text, headers jsonb, content text, timed_out boolean,
        error_msg text, created timestamptz NOT NULL DEFAULT now()
      );
      CREATE FUNCTION net.http_get(
        url text, params jsonb DEFAULT '{}', headers jsonb DEFAULT '{}', timeout_milliseconds integer DEFAULT 5000
      ) RETURNS bigint LANGUAGE sql SECURITY DEFINER AS $$
        INSERT INTO net.http_request_queue (method, url, headers, timeout_milliseconds)
        VALUES ('GET', $1, $3, $4) RETURNING id
      $$;
      CREATE FUNCTION net.http_post(
        url text, body jsonb DEFAULT '{}', params jsonb DEFAULT '{}',
        headers jsonb DEFAULT '{"Content-Type": "application/json"}', timeout_milliseconds integer DEFAULT 5000
      ) RETURNS bigint LANGUAGE sql SECURITY DEFINER AS $$
        INSERT INTO net.http_request_queue (method, url, headers, body, timeout_milliseconds)
        VALUES ('POST', $1, $4, convert_to($2::text, 'UTF8'), $5) RETURNING id
      $$;
      CREATE FUNCTION net.http_delete(
        url text, params jsonb DEFAULT '{}', headers jsonb DEFAULT '{}', timeout_milliseconds integer DEFAULT 5000
      ) RETURNS bigint LANGUAGE sql SECURITY DEFINER AS $$
        INSERT INTO net.http_request_queue (method, url, headers, timeout_milliseconds)
        VALUES ('DELETE', $1, $3, $4) RETURNING id
      $$;
      """
    }
  }
}
