import Testing

@Suite struct FunctionTests {
  @Test func arraysHaveTheirFunctions() {
    expectValues(
      #"""
      array_append('{1}'::int[], null::int) => {1,NULL}
      '{1,2}'::int[] || '{{3,4}}'::int[] => {{1,2},{3,4}}
      array_position('[5:6]={7,8}'::int[], 8) => 6
      array_remove('{1,NULL,1}'::int[], null::int) => {1,1}
      array_fill(7, '{2}'::int[], '{3}'::int[]) => [3:4]={7,7}
      '{1,NULL}'::int[] @> '{NULL}'::int[] => false
      array_length('{}'::int[], 1) => NULL
      string_agg(x::text, ',') FROM unnest('{3,1}'::int[]) x => 3,1
      array_agg(c) FROM (VALUES ('{1}'::int[]), ('{2}'::int[])) t(c) => {{1},{2}}
      array_agg(c) FROM (VALUES ('{1}'::int[]), ('{}'::int[])) t(c) => ERROR 2202E: cannot accumulate arrays of different dimensionality
      """#)
  }

  @Test func accentsAreRemoved() {
    expectValues(
      #"""
      unaccent('Zoë Ångström, Đặng Łódź ß Æ') => Zoe Angstrom, Dang Lodz ss AE
      unaccent('unaccent', 'Hôtel') => Hotel
      unaccent('e' || chr(769)) => e
      unaccent('日本') => 日本
      """#)
  }

  /// The results are those of pgvector.
  @Test func vectorsHaveTheirDistances() {
    expectValues(
      #"""
      '[1, 2.50,3]'::vector => [1,2.5,3]
      '{1,2}'::real[]::vector => [1,2]
      '[1,2]'::vector(2)::real[] => {1,2}
      '[]'::vector => ERROR 22000: vector must have at least 1 dimension
      '1,2'::vector => ERROR 22P02: invalid input syntax for type vector: "1,2"
      '[1,x]'::vector => ERROR 22P02: invalid input syntax for type vector: "[1,x]"
      '[NaN]'::vector => ERROR 22000: NaN not allowed in vector
      '[1e40]'::vector => ERROR 22003: "1e40" is out of range for type vector
      '[1,2]'::vector <-> '[4,6]'::vector => 5
      '[1,2]'::vector <#> '[3,4]'::vector => -11
      '[1,0]'::vector <=> '[0,2]'::vector => 1
      '[1,1]'::vector <=> '[0,0]'::vector => NaN
      '[1,2]'::vector <+> '[4,0]'::vector => 5
      '[1,2]'::vector <-> '[1,2,3]'::vector => ERROR 22000: different vector dimensions 2 and 3
      '[1,2]'::vector + '[3,4]'::vector => [4,6]
      '[1,2]'::vector = '[1.0,2]'::vector => true
      inner_product('[1,2]'::vector, '[3,4]'::vector) => 11
      cosine_distance('[1,0]'::vector, '[-1,0]'::vector) => 2
      vector_dims('[1,2,3]'::vector) => 3
      vector_norm('[3,4]'::vector) => 5
      l2_normalize('[3,4]'::vector) => [0.6,0.8]
      subvector('[1,2,3,4]'::vector, 2, 2) => [2,3]
      avg(c) FROM (VALUES ('[1,2]'::vector), (null), ('[3,6]'::vector)) t(c) => [2,4]
      sum(c) FROM (VALUES ('[1,2]'::vector), ('[3,6]'::vector)) t(c) => [4,8]
      """#)
  }

  @Test func rangesHaveTheirFunctions() {
    expectValues(
      #"""
      int4range(1, 5, '[]') => [1,6)
      int4range(5, 1) => ERROR 22000: range lower bound must be less than or equal to range upper bound
      int4range(1, 5) * '[3,9)'::int4range => [3,5)
      int4range(1, 5) -|- '[5,9)'::int4range => true
      int4range(1, 9) - '[3,5)'::int4range => ERROR 22000: result of range difference would not be contiguous
      numrange(1.5, null) @> 2.0 => true
      upper_inf('[1,)'::int4range) => true
      daterange('2024-01-01', '2024-01-31', '[]') => [2024-01-01,2024-02-01)
      """#)
  }

  @Test func aggregatesReduceRows() {
    expectValues(
      #"""
      avg(c) FROM (VALUES (1), (2), (null)) t(c) => 1.5000000000000000
      sum(c) FROM (VALUES (9223372036854775807), (1::bigint)) t(c) => 9223372036854775808
      sum(c) FROM (VALUES (0.1::double precision), (0.2::double precision)) t(c) => 0.30000000000000004
      stddev(c) FROM (VALUES (2), (4), (4), (5)) t(c) => 1.2583057392117916
      var_samp(c) FROM (VALUES (1)) t(c) => NULL
      string_agg(c, '-') FROM (VALUES ('a'), (null), ('b')) t(c) => a-b
      bool_and(c) FROM (VALUES (true), (null), (false)) t(c) => false
      percentile_cont(0.5::double precision) WITHIN GROUP (ORDER BY c::double precision) FROM (VALUES (1), (2)) t(c) => 1.5
      mode() WITHIN GROUP (ORDER BY c) FROM (VALUES (1), (2), (2)) t(c) => 2
      string_agg(x::text, ' ') FROM generate_series('2024-01-31'::timestamp, '2024-03-31'::timestamp, '1 month'::interval) x => 2024-01-31 00:00:00 2024-02-29 00:00:00 2024-03-29 00:00:00
      string_agg(x::text, ',') FROM generate_series(1, 10, 4) x => 1,5,9
      string_agg(x::text, ',') FROM generate_series(1, 10, 0) x => ERROR 22023: step size cannot equal zero
      """#)
  }
}
