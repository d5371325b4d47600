import Testing

@Suite struct TextSearchTests {
  @Test func textsAreSearched() {
    expectValues(
      #"""
      to_tsvector('english', 'The quick foxes jumped over foo-bar@x.com') => 'foo-bar@x.com':6 'fox':3 'jump':4 'quick':2
      to_tsvector('simple', 'The foo-bar') => 'bar':4 'foo':3 'foo-bar':2 'the':1
      to_tsquery('english', 'fat & (rats | !cat:*AB)') => 'fat' & ( 'rat' | !'cat':*AB )
      to_tsquery('english', 'cats <-> the <-> rats') => 'cat' <2> 'rat'
      plainto_tsquery('english', 'The Fat Rats') => 'fat' & 'rat'
      phraseto_tsquery('english', 'the cat and rats') => 'cat' <2> 'rat'
      websearch_to_tsquery('english', '"fat rat" or cat -dog') => 'fat' <-> 'rat' | 'cat' & !'dog'
      to_tsquery('english', 'a &') => ERROR 42601: no operand in tsquery: "a &"
      to_tsvector('klingon', 'x') => ERROR 42704: text search configuration "klingon" does not exist
      to_tsvector('english', 'a fat cat') @@ to_tsquery('english', 'fat <-> cat') => true
      to_tsvector('english', 'a fat black cat') @@ to_tsquery('english', 'fat <-> cat') => false
      setweight('a:1 b:2'::tsvector, 'A') || 'a:1'::tsvector => 'a':1A,3 'b':2A
      ts_rank('a:1 b:2 c:3'::tsvector, 'a | b'::tsquery) => 0.06079271
      """#)
  }
}
