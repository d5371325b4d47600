/// The names of PostgreSQL's own functions, operators, types and catalogues.
///
/// By them, what PostgreSQL refuses differs from what it can do and this engine cannot. Each entry is a name and the
/// types of its arguments, as `pg_proc` and `pg_operator` of PostgreSQL 15 list them: `*` means that the last one
/// may be repeated, `/2` that the last two have defaults. Functions of types that this engine does not have, and those
/// that only the server itself calls, are left out.
enum ServerSignatures {
  /// Returns whether PostgreSQL has a function of this name for these arguments.
  static func hasFunction(_ name: String, _ arguments: [DataType]) -> Bool { has(functions[name], arguments) }

  /// Returns whether PostgreSQL has an operator of this name for these operands.
  static func hasOperator(_ name: String, _ operands: [DataType]) -> Bool { has(operators[name], operands) }

  /// Returns whether PostgreSQL has a catalogue or a view of this name.
  static func hasRelation(_ name: QualifiedName) -> Bool {
    switch name.schema {
    case nil, "pg_catalog"?: catalogues.contains(name.name)
    case "information_schema"?: informationSchema.contains(name.name)
    default: false
    }
  }

  /// The types of PostgreSQL that this engine does not have.
  static let types = words(
    """
    xml point line lseg box path polygon circle money bit varbit macaddr macaddr8 tid xid xid8 cid pg_lsn pg_snapshot
    refcursor jsonpath int2vector oidvector regnamespace regoper regoperator regcollation regdictionary aclitem
    int4multirange int8multirange nummultirange tsmultirange tstzmultirange datemultirange
    """)

  private static func words(_ text: String) -> Set<String> {
    Set(text.split(whereSeparator: \.isWhitespace).map(String.init))
  }

  private static let catalogues = words(
    """
    pg_aggregate pg_am pg_amop pg_amproc pg_attrdef pg_attribute pg_auth_members pg_authid
    pg_available_extension_versions pg_available_extensions pg_backend_memory_contexts pg_cast pg_class
    pg_collation pg_config pg_constraint pg_conversion pg_cursors pg_database pg_db_role_setting
    pg_default_acl pg_depend pg_description pg_enum pg_event_trigger pg_extension pg_file_settings
    pg_foreign_data_wrapper pg_foreign_server pg_foreign_table pg_group pg_hba_file_rules
    pg_ident_file_mappings pg_index pg_indexes pg_inherits pg_init_privs pg_language pg_largeobject
    pg_largeobject_metadata pg_locks pg_matviews pg_namespace pg_opclass pg_operator pg_opfamily
    pg_parameter_acl pg_partitioned_table pg_policies pg_policy pg_prepared_statements pg_prepared_xacts
    pg_proc pg_publication pg_publication_namespace pg_publication_rel pg_publication_tables pg_range
    pg_replication_origin pg_replication_origin_status pg_replication_slots pg_rewrite pg_roles pg_rules
    pg_seclabel pg_seclabels pg_sequence pg_sequences pg_settings pg_shadow pg_shdepend pg_shdescription
    pg_shmem_allocations pg_shseclabel pg_stat_activity pg_stat_all_indexes pg_stat_all_tables
    pg_stat_archiver pg_stat_bgwriter pg_stat_database pg_stat_database_conflicts pg_stat_gssapi
    pg_stat_progress_analyze pg_stat_progress_basebackup pg_stat_progress_cluster pg_stat_progress_copy
    pg_stat_progress_create_index pg_stat_progress_vacuum pg_stat_recovery_prefetch pg_stat_replication
    pg_stat_replication_slots pg_stat_slru pg_stat_ssl pg_stat_subscription pg_stat_subscription_stats
    pg_stat_sys_indexes pg_stat_sys_tables pg_stat_user_functions pg_stat_user_indexes pg_stat_user_tables
    pg_stat_wal pg_stat_wal_receiver pg_stat_xact_all_tables pg_stat_xact_sys_tables
    pg_stat_xact_user_functions pg_stat_xact_user_tables pg_statio_all_indexes pg_statio_all_sequences
    pg_statio_all_tables pg_statio_sys_indexes pg_statio_sys_sequences pg_statio_sys_tables
    pg_statio_user_indexes pg_statio_user_sequences pg_statio_user_tables pg_statistic pg_statistic_ext
    pg_statistic_ext_data pg_stats pg_stats_ext pg_stats_ext_exprs pg_subscription pg_subscription_rel
    pg_tables pg_tablespace pg_timezone_abbrevs pg_timezone_names pg_transform pg_trigger pg_ts_config
    pg_ts_config_map pg_ts_dict pg_ts_parser pg_ts_template pg_type pg_user pg_user_mapping pg_user_mappings
    pg_views
    """)

  private static let informationSchema = words(
    """
    administrable_role_authorizations applicable_roles attributes character_sets
    check_constraint_routine_usage check_constraints collation_character_set_applicability collations
    column_column_usage column_domain_usage column_options column_privileges column_udt_usage columns
    constraint_column_usage constraint_table_usage data_type_privileges domain_constraints domain_udt_usage
    domains element_types enabled_roles foreign_data_wrapper_options foreign_data_wrappers
    foreign_server_options foreign_servers foreign_table_options foreign_tables
    information_schema_catalog_name key_column_usage parameters referential_constraints role_column_grants
    role_routine_grants role_table_grants role_udt_grants role_usage_grants routine_column_usage
    routine_privileges routine_routine_usage routine_sequence_usage routine_table_usage routines schemata
    sequences sql_features sql_implementation_info sql_parts sql_sizing table_constraints table_privileges
    tables transforms triggered_update_columns triggers udt_privileges usage_privileges user_defined_types
    user_mapping_options user_mappings view_column_usage view_routine_usage view_table_usage views
    """)

  private static func has(_ signatures: [Substring]?, _ arguments: [DataType]) -> Bool {
    let candidates = (signatures ?? []).compactMap { candidate($0, arguments.count) }
    guard !candidates.isEmpty else { return false }
    if case .none = Resolution.choose(candidates, for: arguments, isOperator: false) { return false }
    return true
  }

  /// The candidate of a signature, if it takes this number of arguments.
  private static func candidate(_ signature: Substring, _ count: Int) -> Resolution.Candidate? {
    let parts = signature.split(separator: "/")
    let defaults = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    guard let types = parts.first else { return nil }
    let isVariadic = types.hasSuffix("*")
    let names = types.drop { $0 == "(" }.prefix { $0 != "*" && $0 != ")" }.split(separator: ",")
    let parameters = names.compactMap { type(String($0)) }
    guard parameters.count == names.count, count >= parameters.count - defaults - (isVariadic ? 1 : 0),
      count <= parameters.count || isVariadic
    else { return nil }
    guard isVariadic, let last = parameters.last else { return Resolution.Candidate(parameters: parameters) }
    var element = last
    if case .array(let inner) = last { element = inner }
    if last == .anyarray { element = .anyelement }
    return Resolution.Candidate(parameters: parameters.dropLast(), variadic: element)
  }

  private static func type(_ name: String) -> DataType? {
    name.first == "_" ? DataType.builtIn(String(name.dropFirst())).map { .array($0) } : DataType.builtIn(name)
  }

  private static func table(_ text: String) -> [String: [Substring]] {
    var table: [String: [Substring]] = [:]
    for entry in text.replacing("\n", with: " ").split(separator: ";") {
      let words = entry.split(separator: " ")
      if let name = words.first { table[String(name)] = Array(words.dropFirst()) }
    }
    return table
  }

  private static let functions = table(
    """
    abbrev cidr inet; abs float4 float8 int2 int4 int8 numeric; acos float8; acosd float8; acosh float8;
    age timestamp timestamp,timestamp timestamptz timestamptz,timestamptz; amvalidate oid; anyarray_send anyarray;
    anycompatiblearray_send anycompatiblearray; anytextcat anynonarray,text; array_agg anyarray anynonarray;
    array_append anycompatiblearray,anycompatible; array_cat anycompatiblearray,anycompatiblearray;
    array_dims anyarray; array_fill anyelement,_int4 anyelement,_int4,_int4; array_length anyarray,int4;
    array_lower anyarray,int4; array_ndims anyarray;
    array_position anycompatiblearray,anycompatible anycompatiblearray,anycompatible,int4;
    array_positions anycompatiblearray,anycompatible; array_prepend anycompatible,anycompatiblearray;
    array_remove anycompatiblearray,anycompatible; array_replace anycompatiblearray,anycompatible,anycompatible;
    array_send anyarray; array_to_json anyarray anyarray,bool; array_to_string anyarray,text anyarray,text,text;
    array_to_tsvector _text; array_upper anyarray,int4; arraycontained anyarray,anyarray;
    arraycontains anyarray,anyarray; arrayoverlap anyarray,anyarray; ascii text; asin float8; asind float8;
    asinh float8; atan float8; atan2 float8,float8; atan2d float8,float8; atand float8; atanh float8;
    avg float4 float8 int2 int4 int8 interval numeric; bit int4,int4 int8,int4; bit_and int2 int4 int8;
    bit_count bytea; bit_length bytea text; bit_or int2 int4 int8; bit_xor int2 int4 int8; bittypmodin _cstring;
    bool int4 jsonb; bpchar bpchar,int4,bool name; bpchartypmodin _cstring; broadcast inet; cardinality anyarray;
    cbrt float8; ceil float8 numeric; ceiling float8 numeric; char int4 text; char_length bpchar text;
    character_length bpchar text; chr int4; cidr inet; cidr_send cidr; clock_timestamp ();
    col_description oid,int4; concat any*; concat_ws text,any*; convert bytea,name,name; convert_from bytea,name;
    convert_to text,name; corr float8,float8; cos float8; cosd float8; cosh float8; cot float8; cotd float8;
    count () any; covar_pop float8,float8; covar_samp float8,float8; cume_dist () any*; current_database ();
    current_query (); current_schema (); current_schemas bool; current_setting text text,bool; current_user ();
    currval regclass; database_to_xml bool,bool,text; database_to_xml_and_xmlschema bool,bool,text;
    database_to_xmlschema bool,bool,text; date timestamp timestamptz;
    date_bin interval,timestamp,timestamp interval,timestamptz,timestamptz;
    date_part text,date text,interval text,time text,timestamp text,timestamptz text,timetz;
    date_trunc text,interval text,timestamp text,timestamptz text,timestamptz,text;
    datemultirange () _daterange* daterange; daterange date,date date,date,text; daterange_canonical daterange;
    daterange_subdiff date,date; datetime_pl date,time; datetimetz_pl date,timetz; dcbrt float8; decode text,text;
    degrees float8; dense_rank () any*; dexp float8; div numeric,numeric; dlog1 float8; dlog10 float8;
    dpow float8,float8; dround float8; dsqrt float8; dtrunc float8; encode bytea,text; enum_first anyenum;
    enum_last anyenum; enum_range anyenum anyenum,anyenum; enum_send anyenum; every bool; exp float8 numeric;
    extract text,date text,interval text,time text,timestamp text,timestamptz text,timetz; factorial int8;
    family inet; first_value anyelement; float4 float8 int2 int4 int8 jsonb numeric;
    float8 float4 int2 int4 int8 jsonb numeric; floor float8 numeric; fmgr_c_validator oid;
    fmgr_internal_validator oid; fmgr_sql_validator oid; format text text,any*; format_type oid,int4;
    gcd int4,int4 int8,int8 numeric,numeric; gen_random_uuid ();
    generate_series int4,int4 int4,int4,int4 int8,int8 int8,int8,int8 numeric,numeric numeric,numeric,numeric
    timestamp,timestamp,interval timestamptz,timestamptz,interval;
    generate_subscripts anyarray,int4 anyarray,int4,bool; get_bit bytea,int8; get_byte bytea,int4;
    get_current_ts_config (); getdatabaseencoding (); getpgusername (); host inet; hostmask inet;
    inet_client_addr (); inet_client_port (); inet_same_family inet,inet; inet_send inet; inet_server_addr ();
    inet_server_port (); inetand inet,inet; inetmi inet,inet; inetmi_int8 inet,int8; inetnot inet;
    inetor inet,inet; inetpl inet,int8; initcap text; int2 float4 float8 int4 int8 jsonb numeric;
    int2int4_sum _int8; int4 bool float4 float8 int2 int8 jsonb numeric; int4multirange () _int4range* int4range;
    int4range int4,int4 int4,int4,text; int4range_canonical int4range; int4range_subdiff int4,int4;
    int8 float4 float8 int2 int4 jsonb numeric oid; int8dec_any int8,any; int8inc_any int8,any;
    int8inc_float8_float8 int8,float8,float8; int8multirange () _int8range* int8range; int8pl_inet int8,inet;
    int8range int8,int8 int8,int8,text; int8range_canonical int8range; int8range_subdiff int8,int8;
    integer_pl_date int4,date; interval interval,int4 time; intervaltypmodin _cstring; is_normalized text,text/1;
    isempty anyrange; isfinite date interval timestamp timestamptz; json_agg anyelement; json_array_length json;
    json_build_array () any*; json_build_object () any*; json_each json; json_each_text json;
    json_object _text _text,_text; json_object_agg any,any; json_object_keys json;
    json_populate_record anyelement,json,bool/1; json_populate_recordset anyelement,json,bool/1; json_send json;
    json_strip_nulls json; json_to_record json; json_to_recordset json;
    json_to_tsvector json,jsonb regconfig,json,jsonb; json_typeof json; jsonb_agg anyelement;
    jsonb_array_length jsonb; jsonb_build_array () any*; jsonb_build_object () any*; jsonb_each jsonb;
    jsonb_each_text jsonb; jsonb_hash jsonb; jsonb_hash_extended jsonb,int8; jsonb_insert jsonb,_text,jsonb,bool/1;
    jsonb_object _text _text,_text; jsonb_object_agg any,any; jsonb_object_keys jsonb;
    jsonb_populate_record anyelement,jsonb; jsonb_populate_recordset anyelement,jsonb; jsonb_pretty jsonb;
    jsonb_send jsonb; jsonb_set jsonb,_text,jsonb,bool/1; jsonb_set_lax jsonb,_text,jsonb,bool,text/2;
    jsonb_strip_nulls jsonb; jsonb_to_record jsonb; jsonb_to_recordset jsonb;
    jsonb_to_tsvector jsonb,jsonb regconfig,jsonb,jsonb; jsonb_typeof jsonb; justify_days interval;
    justify_hours interval; justify_interval interval;
    lag anycompatible,int4,anycompatible anyelement anyelement,int4; last_value anyelement; lastval ();
    lcm int4,int4 int8,int8 numeric,numeric; lead anycompatible,int4,anycompatible anyelement anyelement,int4;
    left text,int4; length bpchar bytea bytea,name text tsvector; like bytea,bytea name,text text,text;
    like_escape bytea,bytea text,text; ln float8 numeric; log float8 numeric numeric,numeric; log10 float8 numeric;
    lower anyrange text; lower_inc anyrange; lower_inf anyrange; lpad text,int4 text,int4,text;
    ltrim bytea,bytea text text,text; make_date int4,int4,int4;
    make_interval int4,int4,int4,int4,int4,int4,float8/7; make_time int4,int4,float8;
    make_timestamp int4,int4,int4,int4,int4,float8;
    make_timestamptz int4,int4,int4,int4,int4,float8 int4,int4,int4,int4,int4,float8,text;
    makeaclitem oid,oid,text,bool; masklen inet;
    max anyarray anyenum bpchar date float4 float8 inet int2 int4 int8 interval numeric oid text time
    timestamp timestamptz timetz; md5 bytea text;
    min anyarray anyenum bpchar date float4 float8 inet int2 int4 int8 interval numeric oid text time
    timestamp timestamptz timetz; min_scale numeric; mod int2,int2 int4,int4 int8,int8 numeric,numeric;
    mode anyelement; money int4 int8 numeric; mul_d_interval float8,interval; multirange anyrange;
    name bpchar text varchar; nameconcatoid name,oid; nameeqtext name,text; namegetext name,text;
    namegttext name,text; nameletext name,text; namelttext name,text; namenetext name,text; netmask inet;
    network inet; nextval regclass; normalize text,text/1; notlike bytea,bytea name,text text,text; now ();
    nth_value anyelement,int4; ntile int4; num_nonnulls any*; num_nulls any*;
    numeric float4 float8 int2 int4 int8 jsonb numeric,int4; numeric_inc numeric; numerictypmodin _cstring;
    nummultirange () _numrange* numrange; numnode tsquery; numrange numeric,numeric numeric,numeric,text;
    numrange_subdiff numeric,numeric; obj_description oid oid,name; octet_length bpchar bytea text; oid int8;
    overlaps time,interval,time,interval time,interval,time,time time,time,time,interval time,time,time,time
    timestamp,interval,timestamp,interval timestamp,interval,timestamp,timestamp
    timestamp,timestamp,timestamp,interval timestamp,timestamp,timestamp,timestamp
    timestamptz,interval,timestamptz,interval timestamptz,interval,timestamptz,timestamptz
    timestamptz,timestamptz,timestamptz,interval timestamptz,timestamptz,timestamptz,timestamptz
    timetz,timetz,timetz,timetz; overlay bytea,bytea,int4 bytea,bytea,int4,int4 text,text,int4 text,text,int4,int4;
    parse_ident text,bool/1; percent_rank () any*;
    percentile_cont _float8,float8 _float8,interval float8,float8 float8,interval;
    percentile_disc _float8,anyelement float8,anyelement; pg_advisory_lock int4,int4 int8;
    pg_advisory_lock_shared int4,int4 int8; pg_advisory_unlock int4,int4 int8; pg_advisory_unlock_all ();
    pg_advisory_unlock_shared int4,int4 int8; pg_advisory_xact_lock int4,int4 int8;
    pg_advisory_xact_lock_shared int4,int4 int8; pg_backend_pid (); pg_blocking_pids int4; pg_cancel_backend int4;
    pg_client_encoding (); pg_collation_for any; pg_collation_is_visible oid; pg_conversion_is_visible oid;
    pg_database_size name oid; pg_function_is_visible oid; pg_get_backend_memory_contexts ();
    pg_get_catalog_foreign_keys (); pg_get_constraintdef oid oid,bool; pg_get_function_arg_default oid,int4;
    pg_get_function_arguments oid; pg_get_function_identity_arguments oid; pg_get_function_result oid;
    pg_get_function_sqlbody oid; pg_get_functiondef oid; pg_get_indexdef oid oid,int4,bool; pg_get_keywords ();
    pg_get_object_address text,_text,_text; pg_get_partition_constraintdef oid; pg_get_partkeydef oid;
    pg_get_publication_tables text; pg_get_replica_identity_index regclass; pg_get_replication_slots ();
    pg_get_ruledef oid oid,bool; pg_get_serial_sequence text,text; pg_get_shmem_allocations ();
    pg_get_statisticsobjdef oid; pg_get_statisticsobjdef_columns oid; pg_get_statisticsobjdef_expressions oid;
    pg_get_triggerdef oid oid,bool; pg_get_userbyid oid; pg_get_viewdef oid oid,bool oid,int4 text text,bool;
    pg_has_role name,name,text name,oid,text name,text oid,name,text oid,oid,text oid,text; pg_is_in_recovery ();
    pg_is_other_temp_schema oid; pg_is_wal_replay_paused (); pg_jit_available (); pg_listening_channels ();
    pg_my_temp_schema (); pg_notification_queue_usage (); pg_notify text,text; pg_opclass_is_visible oid;
    pg_operator_is_visible oid; pg_opfamily_is_visible oid; pg_postmaster_start_time ();
    pg_relation_is_publishable regclass; pg_relation_is_updatable regclass,bool;
    pg_relation_size regclass regclass,text; pg_reload_conf (); pg_sequence_parameters oid; pg_size_bytes text;
    pg_size_pretty int8 numeric; pg_sleep float8; pg_sleep_for interval; pg_sleep_until timestamptz;
    pg_statistics_obj_is_visible oid; pg_table_is_visible oid; pg_table_size regclass;
    pg_terminate_backend int4,int8/1; pg_total_relation_size regclass; pg_trigger_depth ();
    pg_try_advisory_lock int4,int4 int8; pg_try_advisory_lock_shared int4,int4 int8;
    pg_try_advisory_xact_lock int4,int4 int8; pg_try_advisory_xact_lock_shared int4,int4 int8;
    pg_type_is_visible oid; pg_typeof any; phraseto_tsquery regconfig,text text; pi ();
    plainto_tsquery regconfig,text text; plpgsql_validator oid; point float8,float8;
    position bytea,bytea text,text; postgresql_fdw_validator _text,oid; pow float8,float8 numeric,numeric;
    power float8,float8 numeric,numeric; query_to_xml text,bool,bool,text;
    query_to_xml_and_xmlschema text,bool,bool,text; query_to_xmlschema text,bool,bool,text; querytree tsquery;
    quote_ident text; quote_literal anyelement text; quote_nullable anyelement text; radians float8; random ();
    range_agg anyrange; range_merge anyrange,anyrange; range_send anyrange; rank () any*; regclass text;
    regclasssend regclass; regconfigsend regconfig; regexp_count text,text text,text,int4 text,text,int4,text;
    regexp_instr text,text text,text,int4 text,text,int4,int4 text,text,int4,int4,int4
    text,text,int4,int4,int4,text text,text,int4,int4,int4,text,int4; regexp_like text,text text,text,text;
    regexp_match text,text text,text,text; regexp_matches text,text text,text,text;
    regexp_replace text,text,text text,text,text,int4 text,text,text,int4,int4 text,text,text,int4,int4,text
    text,text,text,text; regexp_split_to_array text,text text,text,text;
    regexp_split_to_table text,text text,text,text;
    regexp_substr text,text text,text,int4 text,text,int4,int4 text,text,int4,int4,text
    text,text,int4,int4,text,int4; regproceduresend regprocedure; regprocsend regproc; regr_avgx float8,float8;
    regr_avgy float8,float8; regr_count float8,float8; regr_intercept float8,float8; regr_r2 float8,float8;
    regr_slope float8,float8; regr_sxx float8,float8; regr_sxy float8,float8; regr_syy float8,float8;
    regrolesend regrole; regtypesend regtype; repeat text,int4; replace text,text,text; reverse text;
    right text,int4; round float8 numeric numeric,int4; row_number (); row_to_json record record,bool;
    rpad text,int4 text,int4,text; rtrim bytea,bytea text text,text; scale numeric;
    schema_to_xml name,bool,bool,text; schema_to_xml_and_xmlschema name,bool,bool,text;
    schema_to_xmlschema name,bool,bool,text; session_user (); set_bit bytea,int8,int4; set_byte bytea,int4,int4;
    set_config text,text,bool; set_masklen cidr,int4 inet,int4; setseed float8;
    setval regclass,int8 regclass,int8,bool; sha224 bytea; sha256 bytea; sha384 bytea; sha512 bytea;
    shobj_description oid,name; sign float8 numeric; similar_escape text,text; similar_to_escape text text,text;
    sin float8; sind float8; sinh float8; split_part text,text,int4; sqrt float8 numeric; starts_with text,text;
    statement_timestamp (); stddev float4 float8 int2 int4 int8 numeric;
    stddev_pop float4 float8 int2 int4 int8 numeric; stddev_samp float4 float8 int2 int4 int8 numeric;
    string_agg bytea,bytea text,text; string_to_array text,text text,text,text;
    string_to_table text,text text,text,text; strip tsvector; strpos text,text;
    substr bytea,int4 bytea,int4,int4 text,int4 text,int4,int4;
    substring bytea,int4 bytea,int4,int4 text,int4 text,int4,int4 text,text text,text,text;
    sum float4 float8 int2 int4 int8 interval numeric; table_to_xml regclass,bool,bool,text;
    table_to_xml_and_xmlschema regclass,bool,bool,text; table_to_xmlschema regclass,bool,bool,text; tan float8;
    tand float8; tanh float8; text bool bpchar inet name; textanycat text,anynonarray; texteqname text,name;
    textgename text,name; textgtname text,name; textlen text; textlename text,name; textltname text,name;
    textnename text,name; time interval time,int4 timestamp timestamptz timetz; timedate_pl time,date;
    timeofday (); timestamp date date,time timestamp,int4 timestamptz; timestamptypmodin _cstring;
    timestamptz date date,time date,timetz timestamp timestamptz,int4; timestamptztypmodin _cstring;
    timetypmodin _cstring; timetz time timestamptz timetz,int4; timetzdate_pl timetz,date; timetztypmodin _cstring;
    timezone interval,timestamp interval,timestamptz interval,timetz text,timestamp text,timestamptz
    text,timetz; to_ascii text text,int4 text,name;
    to_char float4,text float8,text int4,text int8,text interval,text numeric,text timestamp,text
    timestamptz,text; to_date text,text; to_hex int4 int8; to_json anyelement; to_jsonb anyelement;
    to_number text,text; to_regclass text; to_regcollation text; to_regnamespace text; to_regoper text;
    to_regoperator text; to_regproc text; to_regprocedure text; to_regrole text; to_regtype text;
    to_timestamp float8 text,text; to_tsquery regconfig,text text;
    to_tsvector json jsonb regconfig,json regconfig,jsonb regconfig,text text; transaction_timestamp ();
    translate text,text,text; trim_array anyarray,int4; trim_scale numeric; trunc float8 numeric numeric,int4;
    ts_delete tsvector,_text tsvector,text;
    ts_headline json,tsquery json,tsquery,text jsonb,tsquery jsonb,tsquery,text regconfig,json,tsquery
    regconfig,json,tsquery,text regconfig,jsonb,tsquery regconfig,jsonb,tsquery,text regconfig,text,tsquery
    regconfig,text,tsquery,text text,tsquery text,tsquery,text;
    ts_rank _float4,tsvector,tsquery _float4,tsvector,tsquery,int4 tsvector,tsquery tsvector,tsquery,int4;
    ts_rank_cd _float4,tsvector,tsquery _float4,tsvector,tsquery,int4 tsvector,tsquery tsvector,tsquery,int4;
    ts_rewrite tsquery,text tsquery,tsquery,tsquery; tsmultirange () _tsrange* tsrange; tsquery_not tsquery;
    tsquery_phrase tsquery,tsquery tsquery,tsquery,int4; tsquerysend tsquery;
    tsrange timestamp,timestamp timestamp,timestamp,text; tsrange_subdiff timestamp,timestamp;
    tstzmultirange () _tstzrange* tstzrange; tstzrange timestamptz,timestamptz timestamptz,timestamptz,text;
    tstzrange_subdiff timestamptz,timestamptz; tsvector_to_array tsvector; tsvectorsend tsvector; unistr text;
    unknownsend unknown; unnest anyarray tsvector; upper anyrange text; upper_inc anyrange; upper_inf anyrange;
    var_pop float4 float8 int2 int4 int8 numeric; var_samp float4 float8 int2 int4 int8 numeric;
    varbittypmodin _cstring; varchar name varchar,int4,bool; varchartypmodin _cstring;
    variance float4 float8 int2 int4 int8 numeric; version (); void_send void;
    websearch_to_tsquery regconfig,text text;
    width_bucket anycompatible,anycompatiblearray float8,float8,float8,int4 numeric,numeric,numeric,int4; xml text;
    xmlcomment text;
    """)

  private static let operators = table(
    #"""
    !~ bpchar,text name,text text,text; !~* bpchar,text name,text text,text;
    !~~ bpchar,text bytea,bytea name,text text,text; !~~* bpchar,text name,text text,text;
    # int2,int2 int4,int4 int8,int8; #- jsonb,_text; #> json,_text jsonb,_text; #>> json,_text jsonb,_text;
    % int2,int2 int4,int4 int8,int8 numeric,numeric; & inet,inet int2,int2 int4,int4 int8,int8;
    && anyarray,anyarray anyrange,anyrange inet,inet; &< anyrange,anyrange; &> anyrange,anyrange;
    * anyrange,anyrange float4,float4 float4,float8 float8,float4 float8,float8 float8,interval int2,int2
    int2,int4 int2,int8 int4,int2 int4,int4 int4,int8 int8,int2 int8,int4 int8,int8 interval,float8
    numeric,numeric; *< record,record; *<= record,record; *<> record,record; *= record,record; *> record,record;
    *>= record,record;
    + anyrange,anyrange date,int4 date,interval date,time date,timetz float4 float4,float4 float4,float8
    float8 float8,float4 float8,float8 inet,int8 int2 int2,int2 int2,int4 int2,int8 int4 int4,date int4,int2
    int4,int4 int4,int8 int8 int8,inet int8,int2 int8,int4 int8,int8 interval,date interval,interval
    interval,time interval,timestamp interval,timestamptz interval,timetz numeric numeric,numeric time,date
    time,interval timestamp,interval timestamptz,interval timetz,date timetz,interval;
    - anyrange,anyrange date,date date,int4 date,interval float4 float4,float4 float4,float8 float8
    float8,float4 float8,float8 inet,inet inet,int8 int2 int2,int2 int2,int4 int2,int8 int4 int4,int2
    int4,int4 int4,int8 int8 int8,int2 int8,int4 int8,int8 interval interval,interval jsonb,_text jsonb,int4
    jsonb,text numeric numeric,numeric time,interval time,time timestamp,interval timestamp,timestamp
    timestamptz,interval timestamptz,timestamptz timetz,interval; -> json,int4 json,text jsonb,int4 jsonb,text;
    ->> json,int4 json,text jsonb,int4 jsonb,text; -|- anyrange,anyrange;
    / float4,float4 float4,float8 float8,float4 float8,float8 int2,int2 int2,int4 int2,int8 int4,int2
    int4,int4 int4,int8 int8,int2 int8,int4 int8,int8 interval,float8 numeric,numeric;
    < anyarray,anyarray anyenum,anyenum anyrange,anyrange bool,bool bpchar,bpchar bytea,bytea date,date
    date,timestamp date,timestamptz float4,float4 float4,float8 float8,float4 float8,float8 inet,inet
    int2,int2 int2,int4 int2,int8 int4,int2 int4,int4 int4,int8 int8,int2 int8,int4 int8,int8
    interval,interval jsonb,jsonb name,name name,text numeric,numeric oid,oid record,record text,name
    text,text time,time timestamp,date timestamp,timestamp timestamp,timestamptz timestamptz,date
    timestamptz,timestamp timestamptz,timestamptz timetz,timetz uuid,uuid;
    << anyrange,anyrange inet,inet int2,int4 int4,int4 int8,int4; <<= inet,inet;
    <= anyarray,anyarray anyenum,anyenum anyrange,anyrange bool,bool bpchar,bpchar bytea,bytea date,date
    date,timestamp date,timestamptz float4,float4 float4,float8 float8,float4 float8,float8 inet,inet
    int2,int2 int2,int4 int2,int8 int4,int2 int4,int4 int4,int8 int8,int2 int8,int4 int8,int8
    interval,interval jsonb,jsonb name,name name,text numeric,numeric oid,oid record,record text,name
    text,text time,time timestamp,date timestamp,timestamp timestamp,timestamptz timestamptz,date
    timestamptz,timestamp timestamptz,timestamptz timetz,timetz uuid,uuid;
    <> anyarray,anyarray anyenum,anyenum anyrange,anyrange bool,bool bpchar,bpchar bytea,bytea date,date
    date,timestamp date,timestamptz float4,float4 float4,float8 float8,float4 float8,float8 inet,inet
    int2,int2 int2,int4 int2,int8 int4,int2 int4,int4 int4,int8 int8,int2 int8,int4 int8,int8
    interval,interval jsonb,jsonb name,name name,text numeric,numeric oid,oid record,record text,name
    text,text time,time timestamp,date timestamp,timestamp timestamp,timestamptz timestamptz,date
    timestamptz,timestamp timestamptz,timestamptz timetz,timetz uuid,uuid;
    <@ anyarray,anyarray anyelement,anyrange anyrange,anyrange jsonb,jsonb;
    = anyarray,anyarray anyenum,anyenum anyrange,anyrange bool,bool bpchar,bpchar bytea,bytea date,date
    date,timestamp date,timestamptz float4,float4 float4,float8 float8,float4 float8,float8 inet,inet
    int2,int2 int2,int4 int2,int8 int4,int2 int4,int4 int4,int8 int8,int2 int8,int4 int8,int8
    interval,interval jsonb,jsonb name,name name,text numeric,numeric oid,oid record,record text,name
    text,text time,time timestamp,date timestamp,timestamp timestamp,timestamptz timestamptz,date
    timestamptz,timestamp timestamptz,timestamptz timetz,timetz uuid,uuid;
    > anyarray,anyarray anyenum,anyenum anyrange,anyrange bool,bool bpchar,bpchar bytea,bytea date,date
    date,timestamp date,timestamptz float4,float4 float4,float8 float8,float4 float8,float8 inet,inet
    int2,int2 int2,int4 int2,int8 int4,int2 int4,int4 int4,int8 int8,int2 int8,int4 int8,int8
    interval,interval jsonb,jsonb name,name name,text numeric,numeric oid,oid record,record text,name
    text,text time,time timestamp,date timestamp,timestamp timestamp,timestamptz timestamptz,date
    timestamptz,timestamp timestamptz,timestamptz timetz,timetz uuid,uuid;
    >= anyarray,anyarray anyenum,anyenum anyrange,anyrange bool,bool bpchar,bpchar bytea,bytea date,date
    date,timestamp date,timestamptz float4,float4 float4,float8 float8,float4 float8,float8 inet,inet
    int2,int2 int2,int4 int2,int8 int4,int2 int4,int4 int4,int8 int8,int2 int8,int4 int8,int8
    interval,interval jsonb,jsonb name,name name,text numeric,numeric oid,oid record,record text,name
    text,text time,time timestamp,date timestamp,timestamp timestamp,timestamptz timestamptz,date
    timestamptz,timestamp timestamptz,timestamptz timetz,timetz uuid,uuid;
    >> anyrange,anyrange inet,inet int2,int4 int4,int4 int8,int4; >>= inet,inet; ? jsonb,text; ?& jsonb,_text;
    ?| jsonb,_text; @ float4 float8 int2 int4 int8 numeric;
    @> anyarray,anyarray anyrange,anyelement anyrange,anyrange jsonb,jsonb; @@ text,text;
    ^ float8,float8 numeric,numeric; ^@ text,text; | inet,inet int2,int2 int4,int4 int8,int8; |/ float8;
    || anycompatible,anycompatiblearray anycompatiblearray,anycompatible
    anycompatiblearray,anycompatiblearray anynonarray,text bytea,bytea jsonb,jsonb text,anynonarray text,text;
    ||/ float8; ~ bpchar,text inet int2 int4 int8 name,text text,text; ~* bpchar,text name,text text,text;
    ~<=~ bpchar,bpchar text,text; ~<~ bpchar,bpchar text,text; ~>=~ bpchar,bpchar text,text;
    ~>~ bpchar,bpchar text,text; ~~ bpchar,text bytea,bytea name,text text,text;
    ~~* bpchar,text name,text text,text;
    """#)
}
