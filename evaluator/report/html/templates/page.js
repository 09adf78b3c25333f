"use strict";
// The list of attempts and their panels. Texts of models and repositories become text nodes, and nothing else.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const column = Object.fromEntries(data.columns.map((name, at) => [name, at]));
  const hidden = new RegExp(data.hidden, "gu");
  const STEP = 100; // rows added at a time
  const unpacked = new Map(); // texts by number of fixture

  // How a character that hides is shown; evaluator/report/html/hidden.py does the same.
  const escapeOf = (character) => {
    const point = character.codePointAt(0);
    const digits = (length) => point.toString(16).padStart(length, "0");
    return point < 0x100 ? "\\x" + digits(2) : point < 0x10000 ? "\\u" + digits(4) : "\\U" + digits(8);
  };

  const shown = (text) => {
    const parts = document.createDocumentFragment();
    let at = 0;
    for (const found of text.matchAll(hidden)) {
      if (found.index > at) parts.append(text.slice(at, found.index));
      const mark = document.createElement("span");
      mark.className = "esc";
      mark.textContent = escapeOf(found[0]);
      parts.append(mark);
      at = found.index + found[0].length;
    }
    if (at < text.length) parts.append(text.slice(at));
    return parts;
  };

  const make = (tag, name, ...children) => {
    const made = document.createElement(tag);
    if (name) made.className = name;
    for (const child of children) made.append(typeof child === "string" ? shown(child) : child);
    return made;
  };

  // --- texts ---

  const textsOf = (fixture) => {
    if (!unpacked.has(fixture)) unpacked.set(fixture, unpack(fixture));
    return unpacked.get(fixture);
  };

  const unpack = async (fixture) => {
    const holder = document.getElementById("texts-" + fixture);
    if (holder === null) return null;
    const bytes = Uint8Array.from(atob(holder.textContent), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return JSON.parse(await new Response(stream).text());
  };

  // --- the list ---

  const form = document.getElementById("filters");
  const table = document.getElementById("rows");
  const body = table.tBodies[0];
  const more = document.getElementById("more");
  const amount = (value) => value.toLocaleString("en-US");
  const time = (ms) => (ms < 1000 ? ms + " ms" : amount(Number((ms / 1000).toFixed(ms < 10000 ? 1 : 0))) + " s");
  const money = (usd) => (usd === null ? "unpriced" : "$" + (usd >= 0.1 || usd === 0 ? usd.toFixed(2) : usd.toPrecision(2)));
  // Tokens that were counted in another vocabulary than the model's, and what they cost, are estimates.
  const about = (row) => (row[column.estimated] ? "~" : "");
  const costOf = (row) => (row[column.cost] === null ? "" : about(row)) + money(row[column.cost]);
  const heads = [
    ["fixture", (r) => data.fixtures[r[column.fixture]], "fixture"],
    ["format", (r) => data.formats[r[column.format]], "format"],
    ["repeat", (r) => r[column.repeat], "repeat", String],
    ["attempt", (r) => r[column.attempt], "attempt", String],
    ["ended", (r) => r[column.verdict], "verdict"],
    ["detail", (r) => r[column.detail], "detail"],
    ["tokens out", (r) => r[column.tokens], "tokens", (v, r) => about(r) + amount(v)],
    ["latency", (r) => r[column.latency], "latency", time],
    ["cost", (r) => r[column.cost] ?? -1, "cost", (v, r) => costOf(r)],
  ];
  let listed = data.rows;
  let sorted = { by: null, down: false };
  let count = 0;

  const hashOf = (row) => "#" + encodeURI(data.fixtures[row[column.fixture]] + "/" + row[column.key]);

  const addRows = () => {
    const next = listed.slice(count, count + STEP);
    for (const row of next) {
      const line = make("tr");
      heads.forEach(([, value, name, said], n) => {
        const text = said ? said(value(row), row) : String(value(row));
        const cell = make(n === 0 ? "th" : "td", said ? "n" : "");
        if (n === 0) {
          const link = make("a", "", text);
          link.href = hashOf(row);
          cell.scope = "row";
          cell.append(link);
        } else if (name === "verdict") {
          cell.append(make("span", "verdict " + text, text));
        } else cell.append(shown(text));
        line.append(cell);
      });
      line.addEventListener("click", (event) => {
        if (!event.target.closest("a") && !String(getSelection())) location.hash = hashOf(row);
      });
      body.append(line);
    }
    count += next.length;
    more.hidden = count >= listed.length;
  };

  const show = () => {
    const wanted = new FormData(form);
    const [format, verdict, text] = ["format", "verdict", "fixture"].map((name) => wanted.get(name));
    const part = text.trim().toLowerCase();
    listed = data.rows.filter((row) =>
      (!format || data.formats[row[column.format]] === format) && (!verdict || row[column.verdict] === verdict) &&
      (!wanted.has("final") || row[column.final]) && data.fixtures[row[column.fixture]].toLowerCase().includes(part));
    if (sorted.by) {
      const order = sorted.down ? -1 : 1;
      listed.sort((a, b) => {
        const [x, y] = [sorted.by(a), sorted.by(b)];
        return x < y ? -order : x > y ? order : 0;
      });
    }
    body.replaceChildren();
    count = 0;
    addRows();
    document.getElementById("count").textContent = amount(listed.length) + " of " + amount(data.rows.length) + " attempts";
  };

  const fill = (name, values) => {
    for (const value of values) {
      const option = make("option", "", value);
      option.value = value;
      form.elements[name].append(option);
    }
  };

  const begin = () => {
    fill("format", data.formats);
    fill("verdict", [...new Set(data.rows.map((row) => row[column.verdict]))].sort());
    for (const [title, value, , figure] of heads) {
      const head = make("th", figure ? "n" : "");
      const button = make("button", "", title);
      button.type = "button";
      head.scope = "col";
      head.append(button);
      button.addEventListener("click", () => {
        sorted = { by: value, down: sorted.by === value && !sorted.down };
        for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", sorted.down ? "descending" : "ascending");
        show();
      });
      table.tHead.rows[0].append(head);
    }
    // A text at every key; not again as it loses the focus, when a row may be about to be clicked.
    const isText = (event) => event.target.type === "search";
    form.addEventListener("input", (event) => { if (isText(event)) show(); });
    form.addEventListener("change", (event) => { if (!isText(event)) show(); });
    form.addEventListener("submit", (event) => event.preventDefault());
    more.addEventListener("click", addRows);
    form.hidden = table.hidden = false;
    show();
  };

  // --- the panel of an attempt ---

  const panel = document.getElementById("panel");
  const content = document.getElementById("panel-body");

  const textBox = (texts, numbers, path, name = "") => {
    const box = make("pre", "text " + name, ...numbers.map((n) => texts.texts[n]));
    box.tabIndex = 0;
    const cut = numbers.some((n) => texts.cut.includes(n));
    return cut ? [box, note("Cut after " + amount(data.cap) + " characters; all of it is in replies/" + path)] : [box];
  };

  const note = (text) => make("p", "gone", text);

  const kindOf = (line) =>
    /^(---|\+\+\+|@@|diff |new file|deleted file|\\ )/.test(line) ? "head" : line[0] === "+" ? "add" : line[0] === "-" ? "del" : "";

  // A diff line by line. Inside a hunk a line is what its first character says, whatever follows.
  const diffBox = (text, marks) => {
    const box = make("div", "text diff code");
    box.tabIndex = 0;
    const at = new Map();
    for (const mark of marks ?? []) for (let n = mark[0]; n <= mark[1]; n++) at.set(n, mark);
    let before = "";
    text.replace(/\n$/, "").split("\n").forEach((line, n) => {
      const mark = at.get(n + 1);
      if (mark && mark[2] + mark[3] !== before) {
        box.append(make("div", "sym " + mark[2], make("b", "", mark[2]), " " + mark[3]));
        before = mark[2] + mark[3];
      }
      const kind = mark ? (line[0] === "+" ? "add" : "del") + " " + mark[2] : kindOf(line);
      box.append(make("div", kind, line));
    });
    return box;
  };

  const title = (text) => make("h3", "", text);

  const facts = (row) => {
    const said = [
      data.formats[row[column.format]], "repeat " + row[column.repeat], "attempt " + row[column.attempt],
      row[column.verdict] + (row[column.detail] ? ", " + row[column.detail] : ""),
      about(row) + amount(row[column.tokens]) + " output tokens", time(row[column.latency]), costOf(row),
    ];
    return make("p", "chips", said.join(" · "));
  };

  const names = (title, list) => (list.length ? [make("p", "chips", title + ": " + list.join(", "))] : []);

  const top = (row) => {
    const at = listed.indexOf(row);
    const button = (text, label, act, off = false) => {
      const made = make("button", "", text);
      made.type = "button";
      made.disabled = off;
      made.setAttribute("aria-label", label);
      made.addEventListener("click", act);
      return made;
    };
    const heading = make("h2", "", data.fixtures[row[column.fixture]]);
    heading.id = "panel-title";
    heading.tabIndex = -1;
    const go = (other) => () => { location.hash = hashOf(other); };
    return make("div", "top", heading,
      button("‹", "Previous attempt of the list", go(listed[at - 1]), at < 1),
      button("›", "Next attempt of the list", go(listed[at + 1]), at < 0 || at + 1 >= listed.length),
      button("Close", "Close", () => panel.close()));
  };

  const sides = (texts, attempt, files, row) => {
    const diff = texts.texts[attempt.diff];
    const left = make("div", "", title("What the reply changed"));
    if (!diff) left.append(note("Nothing was applied."));
    else {
      left.append(diffBox(diff, attempt.marks));
      if (texts.cut.includes(attempt.diff)) left.append(note("Cut; all of it is in replies/" + files + ".md"));
      if (attempt.marks === null) left.append(note("Lines are not told apart by symbol: the run did not keep that."));
    }
    const right = make("div", "", title("What the ground truth changes"));
    const truth = texts.truth === null ? "" : texts.texts[texts.truth];
    right.append(truth ? diffBox(truth) : note("Not kept by this run."));
    return make("div", "beside", left, right);
  };

  const conversation = (texts, attempt, files) => attempt.messages.map(([role, numbers]) => {
    const length = numbers.reduce((sum, n) => sum + texts.texts[n].length, 0);
    const turn = make("details", "turn", make("summary", "", role + ", " + amount(length) + " characters"));
    turn.append(...textBox(texts, numbers, files + ".md"));
    return turn;
  });

  const filled = async (row) => {
    const made = [top(row)];
    const texts = await textsOf(row[column.fixture]);
    const attempt = texts?.attempts[row[column.key]];
    const files = data.fixtures[row[column.fixture]] + "/" + row[column.key];
    const why = attempt?.sentence || row[column.sentence];
    const unsaid = (list) => (list.every((name) => why.includes(name)) ? [] : list);
    made.push(make("p", "why", why), facts(row));
    made.push(...names("Unintended", unsaid(row[column.unintended])), ...names("Excused", unsaid(row[column.excused])));
    if (!texts) return [...made, note("Its texts are not in this page: replies/" + files + ".md")];
    if (attempt.gone) return [...made, note(attempt.gone)];
    made.push(sides(texts, attempt, files, row));
    if (texts.texts[attempt.tests]) made.push(title("Test output"), ...textBox(texts, [attempt.tests], files + ".md"));
    made.push(title("Raw reply"));
    if (texts.texts[attempt.reply]) made.push(...textBox(texts, [attempt.reply], files + ".reply.txt", "reply"));
    else made.push(note("Empty, or no reply came."));
    made.push(title("Prompt"), ...conversation(texts, attempt, files));
    return made;
  };

  const open = async (row) => {
    let made;
    try {
      made = await filled(row);
    } catch (error) {
      made = [top(row), note("Its texts cannot be unpacked (" + error.message + "): see replies/ in the run's folder.")];
    }
    content.replaceChildren(...made);
    if (!panel.open) panel.showModal();
    panel.scrollTop = 0;
    document.getElementById("panel-title").focus();
  };

  const rowOf = (hash) => {
    let name;
    try { name = decodeURI(hash.slice(1)); } catch { return undefined; }
    return data.rows.find((row) => data.fixtures[row[column.fixture]] + "/" + row[column.key] === name);
  };

  const follow = () => {
    if (location.hash.startsWith("#list?")) {
      const wanted = new URLSearchParams(location.hash.slice(6));
      for (const name of ["format", "verdict", "fixture"]) form.elements[name].value = wanted.get(name) ?? "";
      form.elements.final.checked = wanted.has("final");
      show();
      document.getElementById("list").scrollIntoView();
      return;
    }
    const row = rowOf(location.hash);
    if (row) open(row);
    else if (panel.open) panel.close();
  };

  panel.addEventListener("close", () => {
    if (rowOf(location.hash)) history.replaceState(null, "", location.pathname + location.search);
  });
  panel.addEventListener("click", (event) => { if (event.target === panel) panel.close(); });
  addEventListener("hashchange", follow);
  begin();
  follow();
})();
