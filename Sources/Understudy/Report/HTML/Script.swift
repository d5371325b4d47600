/// What the page does where scripts run: it finds rows by a word, and opens what a link leads to.
///
/// Everything else, the choice of what is shown too, works without.
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
