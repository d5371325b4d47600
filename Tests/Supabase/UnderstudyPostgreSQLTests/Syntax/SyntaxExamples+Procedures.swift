extension SyntaxExamples {
  /// Bodies of functions in PL/pgSQL with a parameter `a`, which use each statement once.
  static let procedures = [
    "begin return; end", "declare x int; begin x := 1; x = 2; return next x; end;",
    """
    declare
      b constant text not null default 'x'; c numeric(3, 1)[] := '{}'; d a%type; e pg_class%rowtype; f pg_class.relname%type;
      g alias for $1; h cursor for select 1; i record;
    begin
      null;
    end
    """,
    "<<outer>> declare x int; begin <<inner>> declare y int; begin y := x; end inner; end outer",
    "begin if a > 1 then return next 1; elsif a > 2 then return next 2; elseif a > 3 then null; else return; end if; end",
    "begin case a when 1, 2 then null; when 3 then return; else null; end case; end",
    "begin case when a = 1 then null; end case; end",
    "begin <<l>> loop exit l when a > 1; continue; exit; end loop l; end",
    "begin while a < 1 loop null; continue when true; end loop; end",
    "begin for i in 1..10 loop return next i; end loop; end",
    "begin for i in reverse a + 1 .. 1 by 2 loop null; end loop; end",
    "declare r record; begin for r in select * from pg_class where true loop return next r.relpages; end loop; end",
    "declare r record; begin for r in execute 'select 1' using a, 2 loop null; end loop; end",
    "declare x int; y int; begin for x, y in select 1, 2 loop null; end loop; end",
    "declare c cursor for select 1; r record; begin for r in c loop null; end loop; end",
    "declare x int; begin foreach x in array array[1, 2] loop null; end loop; end",
    "declare x int[]; begin foreach x slice 1 in array array[[1], [2]] loop null; end loop; end",
    "begin return query select 1 union select 2; return query execute 'select $1' using a; end",
    "declare x int; y int; begin select 1, 2 into x, y; select 3 into strict x from pg_class; end",
    "declare x int; begin insert into pg_class values (1) returning 1 into x; update pg_class set a = 1; delete from pg_class; end",
    "declare x int; r record; begin execute 'select 1' into strict x using a; execute 'select 1' using 1 into r; end",
    "begin perform f(1) from pg_class; perform 1; end",
    "begin raise; end",
    "begin raise notice 'x % %% %', a, a + 1; raise 'y'; raise exception 'z' using errcode = 'P0001', hint = 'h'; end",
    "begin raise unique_violation using message = 'a' || 'b'; raise sqlstate '22012'; raise using detail := 'd'; end",
    "begin raise warning division_by_zero; raise log 'x'; raise info 'y'; raise debug 'z'; end",
    "begin assert a > 0, 'positive'; assert true; end",
    "declare x int; begin get diagnostics x = row_count; get current diagnostics x := row_count; end",
    """
    declare m text;
    begin
      perform 1;
    exception
      when unique_violation or sqlstate '22012' then get stacked diagnostics m = message_text, m = pg_exception_detail;
      when others then raise;
    end
    """,
    "declare r record; x int[]; begin r.f := 1; x[1] := 2; x[1:2] = '{}'; end",
    "begin create table t (a int); drop table t; end",
    "begin call p(1); commit; rollback; end", "#variable_conflict use_column\nbegin return; end",
    "declare x int; begin x := count(*) from pg_class; x := (select 1); if exists (select 1) then null; end if; end",
    "declare x int; begin with t as (select 1) select 1 from t into x; end",
    "begin set local search_path = public; lock table pg_class; end",
  ]
}
