/// The style of the page: one column, with colour only for failures.
///
/// The details of a row may extend below its marks.
///
/// Every pair of text and background has a contrast of at least 4.5 to 1, in light and in dark.
enum Stylesheet {
  static let text: StaticString = """
    :root{color-scheme:light dark;--ground:#f7f7f5;--card:#fff;--ink:#1d2125;--soft:#59626c;--line:#e1e3e6;\
    --good:#19703a;--bad:#b9202b;--badground:#fdf0ef;--warn:#835400;--link:#2450c4;--code:#f0f1f2;\
    --k0:#d6e3fb;--k1:#fbe2c6;--k2:#d3edda;--k3:#f8d7dc;--k4:#e5dbf6;--k5:#cfecee;--k6:#f4ebbd;--k7:#e2e5e8}
    @media(prefers-color-scheme:dark){:root{--ground:#121518;--card:#1a1e22;--ink:#e7eaed;--soft:#a0abb6;--line:#2e353c;\
    --good:#63cf82;--bad:#ff9189;--badground:#2a1c1d;--warn:#e8bb52;--link:#93b4ff;--code:#252b31;\
    --k0:#28406f;--k1:#5d3b17;--k2:#1f4d2e;--k3:#5f2832;--k4:#443168;--k5:#194c51;--k6:#4f4516;--k7:#3b4249}}
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
    .runs{margin:0;padding:0;list-style:none}
    .runs>li{padding:.35rem 0 .45rem;border-top:1px solid var(--line)}
    .runs .label{color:var(--soft);font-size:13px}
    .runs .bad>details>summary strong{margin-left:.6rem;color:var(--bad);font-size:13px}
    .picture{display:block;overflow-x:auto;padding:.2rem 0}
    svg{display:block}
    svg text{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:var(--ink);white-space:pre}
    .k0 rect{fill:var(--k0)}.k1 rect{fill:var(--k1)}.k2 rect{fill:var(--k2)}.k3 rect{fill:var(--k3)}
    .k4 rect{fill:var(--k4)}.k5 rect{fill:var(--k5)}.k6 rect{fill:var(--k6)}.k7 rect{fill:var(--k7)}
    .nothing,.lost,.card:has(tbody tr.lost):not(:has(tbody tr:not(.lost))){display:none}
    body:has(#show-open:checked) tbody tr.passed,body:has(#show-open:checked) .sweep.passed,\
    body:has(#show-failed:checked) tbody tr:not(.failed),body:has(#show-failed:checked) .sweep:not(.failed){display:none}
    body:has(#show-open:checked) .card:not(.sweep):not(:has(tbody tr:not(.passed))),\
    body:has(#show-failed:checked) .card:not(.sweep):not(:has(.failed)){display:none}
    body:has(#show-open:checked) .part:not(:has(tbody tr:not(.passed),.sweep:not(.passed))) .nothing,\
    body:has(#show-failed:checked) .part:not(:has(tr.failed,.sweep.failed,.outcome.failed)) .nothing{display:block}
    main{padding-bottom:4rem}
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
    @media print{nav,script{display:none}thead th{position:static}}
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
    const rows=[...document.querySelectorAll("tbody tr,section.sweep")];
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

/// The states of a timeline as a picture: a segment for each, in the colour of its kind, with as much text as fits.
struct TimelinePicture {
  /// The colour of each kind of state.
  struct Colours {
    static let count = 8
    private let kinds: [String: Int]

    /// Creates colours for the states of several timelines, in the order in which their kinds first appear.
    init(of timelines: [[String]]) {
      kinds = timelines.joined().reduce(into: [:]) { kinds, state in
        let kind = Self.kind(of: state)
        if kinds[kind] == nil { kinds[kind] = kinds.count }
      }
    }

    func name(of state: String) -> String { "k\((kinds[Self.kind(of: state)] ?? 0) % Self.count)" }

    /// The name of a state, such as `failed` of `failed("No connection.")`; its first character if that is a sign.
    private static func kind(of state: String) -> String {
      let name = state.prefix { $0.isLetter || $0.isNumber }
      return name.isEmpty ? String(state.prefix(1)) : String(name)
    }
  }

  private let states: [String]
  private let colours: Colours

  init(_ states: [String], _ colours: Colours) {
    self.states = states
    self.colours = colours
  }

  private static let height = 26
  private static let gap = 3
  /// The width that shows a timeline without scrolling.
  private static let room = 1020
  /// The minimum and maximum number of characters shown for a state.
  private static let characters = 3...56

  func draw(into markup: inout Markup) {
    guard !states.isEmpty else { return }
    let limit = Self.characters.last { Self.width(of: states, upTo: $0) <= Self.room }
    let labels = states.map { Self.label($0, upTo: limit ?? Self.characters.lowerBound) }
    let widths = labels.map(Self.width)
    let width = Self.width(of: labels, upTo: .max)
    let words = states.joined(separator: ", then ")
    markup.element("span", ["class": "picture"]) { markup in
      markup.element(
        "svg",
        [
          "role": "img", "aria-label": words, "width": "\(width)", "height": "\(Self.height)",
          "viewBox": "0 0 \(width) \(Self.height)",
        ]
      ) { markup in
        var x = 0
        for (state, (label, width)) in zip(states, zip(labels, widths)) {
          markup.element("g", ["class": colours.name(of: state)]) { markup in
            if label != state { markup.element("title", state) }
            markup.emptyElement(
              "rect", ["x": "\(x)", "width": "\(width)", "height": "\(Self.height)", "rx": "5"])
            markup.element("text", ["x": "\(x + 7)", "y": "17"], label)
          }
          x += width + Self.gap
        }
      }
    }
  }

  private static func width(of states: [String], upTo limit: Int) -> Int {
    states.reduce(-gap) { $0 + width(of: label($1, upTo: limit)) + gap }
  }

  /// An estimate, because the font is unknown; its characters are narrower.
  private static func width(of label: String) -> Int { max(label.count, 3) * 73 / 10 + 14 }

  private static func label(_ state: String, upTo limit: Int) -> String {
    let line = state.split(whereSeparator: \.isNewline).joined(separator: " ")
    return line.count > limit ? line.prefix(limit - 1) + "…" : line
  }
}
