/// The style of the page: one column, with colour only for what it means.
///
/// The details of a row may extend below its marks.
///
/// Every pair of text and background has a contrast of at least 4.5 to 1, in light and in dark.
enum Stylesheet {
  static let text: StaticString = """
    :root{color-scheme:light dark;--ground:#f7f7f5;--card:#fff;--ink:#1d2125;--soft:#59626c;--line:#e1e3e6;\
    --good:#19703a;--bad:#b9202b;--badground:#fdf0ef;--warn:#835400;--link:#2450c4;--code:#f0f1f2;\
    --path:#1d5fd0;--pathground:#eef4ff;--disturbed:#fff6e9;--interruption:#7a3fc0}
    @media(prefers-color-scheme:dark){:root{--ground:#121518;--card:#1a1e22;--ink:#e7eaed;--soft:#a0abb6;--line:#2e353c;\
    --good:#63cf82;--bad:#ff9189;--badground:#2a1c1d;--warn:#e8bb52;--link:#93b4ff;--code:#252b31;\
    --path:#77aaff;--pathground:#1b2740;--disturbed:#2d2418;--interruption:#c39bff}}
    *{box-sizing:border-box}
    html{scroll-padding-top:7rem}
    body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif;\
    overflow-wrap:anywhere}
    body>*{max-width:70rem;margin-inline:auto;padding-inline:1.25rem}
    header{padding-top:2.5rem}
    .kicker{margin:0;color:var(--soft);font-size:13px;letter-spacing:.06em}
    h1{margin:.1rem 0 1.2rem;font-size:clamp(1.5rem,4.5vw,2.2rem);line-height:1.2;letter-spacing:-.015em;font-weight:650}
    h1::before{margin-right:.5rem}
    h1.good::before{content:"✓"/"";color:var(--good)}
    h1.bad::before{content:"✗"/"";color:var(--bad)}
    h2{margin:3rem 0 .3rem;font-size:1.4rem;letter-spacing:-.01em}
    h3{margin:0;padding:.9rem 1.1rem .7rem;font-size:1.05rem}
    h4{margin:0 0 .3rem;font-size:1rem}
    h3.bad::before{content:"✗"/"";color:var(--bad);margin-right:.4rem}
    small{color:var(--soft);font-weight:400;font-size:12.5px}
    h3 small,summary small{margin-left:.6rem}
    a{color:var(--link)}
    code,pre{font:12.5px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
    .figures{display:flex;flex-wrap:wrap;gap:.9rem 2.2rem;margin:0 0 1.6rem}
    .figures div{display:flex;flex-direction:column-reverse}
    .figures dt{color:var(--soft);font-size:13px}
    .figures dd{margin:0;font-size:1.5rem;line-height:1.2;font-weight:600;font-variant-numeric:tabular-nums}
    .figures .bad dd{color:var(--bad)}
    nav{position:sticky;top:0;z-index:3;display:flex;flex-wrap:wrap;align-items:center;gap:.2rem 1.4rem;\
    min-height:3rem;background:var(--ground);border-bottom:1px solid var(--line);\
    box-shadow:0 0 0 100vmax var(--ground);clip-path:inset(0 -100vmax)}
    nav ul{display:flex;gap:1.1rem;margin:0 auto 0 0;padding:0;list-style:none}
    nav a{display:block;padding:.4rem 0;color:var(--ink);text-decoration:none;font-weight:550}
    nav a:hover{text-decoration:underline}
    fieldset{display:flex;align-items:center;margin:0;padding:0;border:0}
    legend{float:left;margin-right:.5rem;padding:0;color:var(--soft)}
    fieldset label{position:relative}
    fieldset input{position:absolute;opacity:0;inset:0;margin:0;width:100%;height:100%;cursor:pointer}
    fieldset span{display:block;padding:.1rem .65rem;border-radius:1rem}
    fieldset :checked+span{background:var(--ink);color:var(--ground)}
    :focus-visible,fieldset :focus-visible+span{outline:2px solid var(--link);outline-offset:2px}
    .find span{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
    .find input::placeholder{color:var(--soft);opacity:1}
    .find input{width:9rem;padding:.2rem .5rem;border:1px solid var(--line);border-radius:6px;background:var(--card);\
    color:inherit;font:inherit}
    .lead{max-width:44rem;margin:.2rem 0 1.2rem;color:var(--soft)}
    .card{margin:0 0 1.4rem;background:var(--card);border:1px solid var(--line);border-radius:10px}
    .card>p,.card>.outcome,.card>.timelines{margin:.5rem 1.1rem}
    .failures ul{margin:.4rem 0;padding:.8rem 1.1rem .8rem 2.2rem;background:var(--badground);border-radius:10px}
    table{width:100%;border-collapse:separate;border-spacing:0}
    thead th{position:sticky;top:3rem;z-index:2;padding:.4rem .5rem;background:var(--card);color:var(--soft);\
    border-bottom:1px solid var(--line);font-weight:500;font-size:12.5px;text-align:center;vertical-align:bottom}
    thead th:first-child{padding-left:1.1rem;text-align:left}
    thead small{display:block;font-variant-numeric:tabular-nums;white-space:nowrap}
    .matrix thead th span{display:inline-block;overflow-wrap:normal}
    tbody th{padding:0;font-weight:400;text-align:left;border-bottom:1px solid var(--line)}
    tbody td{padding:0;border-bottom:1px solid var(--line);vertical-align:top}
    tbody tr:last-child>*{border-bottom:0}
    summary{cursor:pointer;list-style:none}
    summary::-webkit-details-marker{display:none}
    tbody summary{display:block;padding:.45rem 1.1rem}
    tbody summary:hover .words,.timelines>summary:hover{text-decoration:underline}
    summary .words{display:block}
    summary code,.under{display:block;color:var(--soft);font-size:12px}
    .more{scroll-margin-top:7rem;padding:.2rem 1.1rem .9rem}
    .more>*{margin:.35rem 0}
    .matrix .more{position:relative;z-index:1;contain:inline-size;margin-right:calc(var(--columns)*-5.4rem)}
    .place,.rerun{color:var(--soft);font-size:13px}
    .place code{margin-left:.5rem}
    .rerun code{display:block;width:fit-content;max-width:100%;margin:.15rem 0;padding:.1rem .5rem;overflow-x:auto;\
    white-space:pre;border-radius:5px;background:var(--code);color:var(--ink)}
    .outcome{padding:.1rem 0 .1rem .8rem;border-left:3px solid var(--line)}
    .outcome p{margin:.2rem 0}
    .outcome ul{margin:.2rem 0;padding-left:1.1rem}
    .outcome li{white-space:pre-wrap}
    .outcome.failed,.outcome.flaky{border-color:var(--bad)}
    section.outcome,.card>.outcome{padding:.7rem .9rem;background:var(--badground);border-radius:0 8px 8px 0}
    .card>ul.outcome{padding-left:2rem}
    pre{margin:.5rem 0;padding:.6rem .8rem;overflow-x:auto;background:var(--code);border-radius:6px}
    .matrix td{width:1px;min-width:5.4rem;text-align:center}
    .matrix td a{display:grid;place-items:center;min-width:1.7rem;min-height:3.3rem;font-size:0;text-decoration:none}
    .matrix td a::before{font-size:15px}
    .passed>a::before,.agrees>a::before{content:"✓"/"";color:var(--good)}
    .skipped>a::before{content:"–"/"";color:var(--soft)}
    .impossible>a::before{content:"·"/"";color:var(--soft)}
    .failed>a::before,.differs>a::before,.flaky>a::before{content:"✗"/"";width:1.6rem;line-height:1.6rem;\
    border-radius:6px;background:var(--bad);color:var(--card);font-weight:700}
    .flaky>a::before{content:"≠"/"";background:var(--warn)}
    .many thead th+th{padding-inline:.1rem}
    .many thead small{display:none}
    .many thead th+th span{writing-mode:vertical-rl;transform:rotate(180deg);text-align:left}
    .matrix.many td{min-width:1.8rem}
    .matrix.many .more{margin-right:calc(var(--columns)*-1.8rem)}
    .kills td{width:45%;padding:.5rem 1.1rem .5rem .5rem}
    .kills thead th{text-align:left}
    .kills .failed td{color:var(--bad);font-weight:600}
    ul.more{margin:0;padding-left:2.2rem}
    .chip{display:inline-block;margin:.1rem 0;padding:0 .5rem;border-radius:1rem;background:var(--code);font-size:12.5px}
    .mistakes dd{margin:0 0 .4rem;color:var(--soft)}
    .timelines{padding-bottom:.6rem}
    .timelines>summary{padding:.3rem 0;font-weight:600}
    .timelines>summary::before{content:"▸"/"";display:inline-block;width:1.1rem;color:var(--soft)}
    .timelines[open]>summary::before{content:"▾"/""}
    .kept{display:flex;flex-wrap:wrap;gap:.1rem 1.2rem;margin:.4rem 1.1rem;padding:0;list-style:none}
    .kept li::before{content:"✓"/"";margin-right:.35rem;color:var(--good)}
    .shown{display:flex;flex-wrap:wrap;gap:.3rem 1.3rem;margin:.5rem 0;padding:0;list-style:none;font-size:12.5px}
    .shown li{position:relative;padding:.05rem .55rem;border-left:4px solid var(--good);border-radius:5px;background:var(--card)}
    .shown li+li::before{content:"→"/"";position:absolute;left:-1.3rem;color:var(--soft)}
    .shown .busy{border-color:var(--soft)}
    .shown .message{border-color:var(--warn);background:var(--disturbed)}
    .shown li:last-child{outline:1.5px solid var(--bad)}
    .screen{margin:1rem 1.1rem;padding-top:.8rem;border-top:1px solid var(--line)}
    .screen h4:not(:first-child){margin-top:1.6rem}
    .screen .lead{margin-bottom:.5rem}
    .legend{display:flex;flex-wrap:wrap;gap:.1rem 1.1rem;margin:0 0 .8rem;padding:0;list-style:none;color:var(--soft);font-size:12.5px}
    .legend [class]::before{content:"";display:inline-block;width:1.3rem;margin-right:.4rem;border-top:3px solid;vertical-align:middle}
    .legend .path,.cause.action{color:var(--path)}
    .legend .fault,.cause.fault{color:var(--warn)}
    .legend .interruption,.cause.interruption{color:var(--interruption)}
    .legend .bad,.broken{color:var(--bad)}
    .cause{margin-left:.5rem}
    .cause.answer{color:var(--soft)}
    .hint{margin:1rem 0;padding:.5rem .9rem;border-left:4px solid var(--warn);border-radius:0 8px 8px 0;background:var(--disturbed)}
    .hint ul{margin:.2rem 0;padding-left:1.1rem}
    .scroll{overflow-x:auto}
    .states{min-width:44rem;font-size:13px}
    .states thead th{position:static;text-align:left}
    .states tbody th,.states td{padding:.5rem;vertical-align:top}
    .states tbody th{width:26%}
    .states ul{margin:.2rem 0;padding-left:1rem}
    .states small{margin-left:.4rem}
    .states summary{padding:0}
    .states tr:target{background:var(--pathground)}
    .map{display:none;max-width:100%;height:auto;overflow:visible;font-family:system-ui,-apple-system,"Segoe UI",sans-serif}
    .map.wide{display:block}
    .map text{fill:var(--ink);font-size:12px}
    .map .h{font-size:13px;font-weight:650}
    .map .c{fill:var(--soft);font-size:11px;text-anchor:end}
    .map .f,.map .l{fill:var(--soft);font-size:11px}
    .map .l{paint-order:stroke;stroke:var(--card);stroke-width:4px;stroke-linejoin:round}
    .map .stack{fill:var(--card);stroke:var(--line)}
    .map .face{fill:var(--card);stroke:var(--path);stroke-width:1.6}
    .map .path .face{fill:var(--pathground)}
    .map .off .face{fill:var(--disturbed);stroke:var(--warn);stroke-width:1.2;stroke-dasharray:5 3}
    .map .broken .face{fill:var(--badground);stroke:var(--bad);stroke-width:2.6;stroke-dasharray:none}
    .map a:hover .face,.map a:focus .face{stroke-width:3}
    .map .bar{fill:var(--good)}
    .map .busy .bar{fill:var(--soft)}
    .map .message .bar{fill:var(--warn)}
    .map g path{fill:none;stroke:var(--soft)}
    .map g polygon{fill:var(--soft)}
    .map .path path{stroke:var(--path)}
    .map .path polygon,.map text.action{fill:var(--path)}
    .map .fault path{stroke:var(--warn)}
    .map .fault polygon,.map text.fault{fill:var(--warn)}
    .map .interruption path{stroke:var(--interruption)}
    .map .interruption polygon,.map text.interruption{fill:var(--interruption)}
    .map .bad path{stroke:var(--bad)}
    .map .bad polygon,.map text.bad{fill:var(--bad)}
    .map .back:not(.path,.bad){opacity:.6}
    .nothing,.lost,.card:has(tbody tr.lost):not(:has(tbody tr:not(.lost))){display:none}
    body:has(#show-open:checked) tbody tr.passed,body:has(#show-open:checked) .sweep.passed,\
    body:has(#show-failed:checked) tbody tr[class]:not(.failed),body:has(#show-failed:checked) .sweep:not(.failed){display:none}
    body:has(#show-open:checked) .card:not(.sweep):not(:has(tbody tr:not(.passed))),\
    body:has(#show-failed:checked) .card:not(.sweep):not(:has(.failed)){display:none}
    body:has(#show-open:checked) .part:not(:has(tbody tr[class]:not(.passed),.sweep:not(.passed))) .nothing,\
    body:has(#show-failed:checked) .part:not(:has(tr.failed,.sweep.failed,.outcome.failed)) .nothing{display:block}
    main{padding-bottom:4rem}
    @media(max-width:69rem){.map.wide{display:none}.map.medium{display:block}}
    @media(max-width:49rem){.map.medium{display:none}.map.narrow{display:block}}
    @media(max-width:46rem){
    html{scroll-padding-top:6rem}
    .more{scroll-margin-top:18rem}
    body>*{padding-inline:.8rem}
    .kills td{width:35%}
    .matrix thead th+th span{writing-mode:vertical-rl;transform:rotate(180deg);text-align:left}
    .matrix thead th+th{padding-inline:.1rem}
    .matrix thead small{display:none}
    .matrix td{min-width:1.8rem}
    .matrix .more{margin-right:calc(var(--columns)*-1.8rem)}
    legend{display:none}
    h3,tbody summary,.more,thead th:first-child{padding-left:.8rem;padding-right:.5rem}
    nav{gap:0 1rem;padding-block:.2rem}
    thead th{top:5rem}
    .find input{width:6.5rem}
    }
    @media print{nav,script{display:none}thead th{position:static}.states tr{break-inside:avoid}\
    .map.wide,.map.narrow{display:none}.map.medium{display:block}.screen details::details-content{content-visibility:visible}}
    """
}

/// The script of the page: it finds rows by a word, and opens the target of a link.
///
/// Everything else works without scripts.
enum Script {
  static let text: StaticString = """
    (()=>{
    const find=document.getElementById("find");
    find.closest("label").hidden=false;
    const rows=[...document.querySelectorAll("tbody tr[class],section.sweep")];
    const texts=rows.map(row=>row.textContent.toLowerCase());
    find.addEventListener("input",()=>{
    const word=find.value.trim().toLowerCase();
    rows.forEach((row,i)=>row.classList.toggle("lost",!texts[i].includes(word)));
    });
    const reveal=()=>{
    const place=document.getElementById(location.hash.slice(1));
    let opened=false;
    for(let part=place;part;part=part.parentElement)
    if(part.tagName==="DETAILS"&&!part.open)opened=part.open=true;
    if(opened)place.scrollIntoView();
    };
    addEventListener("hashchange",reveal);
    reveal();
    })();
    """
}
