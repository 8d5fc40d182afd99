// Drawings of the page "One token", from rows { kind, label, values, names }: a strip of numbers by
// colour and strength, bars, a table of shares. Two rows of a kind, of the right program and of
// another, are drawn one below the other, and where they differ is marked.
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const COLUMNS = 128; // of a strip: more numbers take more rows
const STEPS_OF_COLOUR = 10;

function drawn(tag, attributes = {}, ...children) {
    const made = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
}

const sizeOf = (values) => Math.sqrt(values.reduce((sum, x) => sum + x * x, 0) / values.length);
const largest = (values) => values.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
const short = (x) =>
    x === 0
        ? "0"
        : Math.abs(x) >= 100
          ? x.toFixed(0)
          : Math.abs(x) >= 0.01
            ? x.toPrecision(3)
            : x.toExponential(1);
const percent = (p) => `${(100 * p).toFixed(p < 0.1 ? 1 : 0)} %`;

// How many numbers of two rows are not the same, and by how much at most.
function difference(a, b) {
    let count = 0,
        most = 0;
    for (let i = 0; i < a.length; i++) {
        if (a[i] === b[i]) continue;
        count++;
        most = Math.max(most, Math.abs(a[i] - b[i]));
    }
    return { count, most, of: a.length };
}

// A strip: one path for each sign and strength; below it a tick where `other` differs by a
// twentieth of the largest or more.
function strip({ label, values }, most, other) {
    const columns = Math.min(COLUMNS, values.length),
        height = Math.ceil(values.length / columns);
    const paths = new Map();
    let ticks = "";
    values.forEach((x, i) => {
        const at = `M${i % columns} ${Math.floor(i / columns)}h1v1h-1z`,
            strength = Math.min(
                STEPS_OF_COLOUR,
                Math.round((STEPS_OF_COLOUR * Math.abs(x)) / most),
            );
        const key = `${x < 0 ? "minus" : "plus"} ${strength}`;
        if (strength) paths.set(key, (paths.get(key) || "") + at);
        if (other && Math.abs(x - other[i]) > most / 20)
            ticks += `M${i % columns} ${height}.1h1v.25h-1z`;
    });
    const svg = drawn("svg", {
        viewBox: `0 0 ${columns} ${height + (other ? 0.4 : 0)}`,
        preserveAspectRatio: "none",
        class: "strip",
        style: `--rows: ${height}`,
        role: "img",
        "aria-label":
            `${label}: ${values.length} numbers, size ${short(sizeOf(values))}, ` +
            `the largest ${short(largest(values))}`,
    });
    svg.append(drawn("rect", { class: "ground", width: columns, height }));
    for (const [key, d] of paths) {
        const [sign, strength] = key.split(" ");
        svg.append(drawn("path", { class: sign, "fill-opacity": strength / STEPS_OF_COLOUR, d }));
    }
    if (ticks) svg.append(drawn("path", { class: "tick", d: ticks }));
    return svg;
}

function stripRow(row, most, other, whose) {
    const name = element(
        "span",
        { className: "row-name" },
        whose ? element("em", { textContent: whose }) : row.label,
    );
    return element(
        "div",
        { className: whose ? "row of-other" : "row" },
        name,
        strip(row, most, other),
        element("span", {
            className: "row-size",
            textContent: `size ${short(sizeOf(row.values))}`,
        }),
    );
}

// Bars with names; of signed values those below 0 are coloured otherwise.
function bars({ label, values, names, shown = short, plain }, most, whose) {
    const items = Array.from(values, (x, i) => {
        const bar = element("span", { className: x < 0 ? "amount minus" : "amount plus" });
        bar.style.width = `${(100 * Math.abs(x)) / most}%`;
        return element(
            "li",
            {},
            element(plain ? "span" : "code", { textContent: names[i] }),
            element("span", { className: "track" }, bar),
            element("span", { textContent: shown(x) }),
        );
    });
    const list = element("ol", { className: "bars" }, ...items);
    list.setAttribute("aria-label", whose ? `${label} ${whose}` : label);
    return element(
        "div",
        { className: whose ? "of-other" : "" },
        element(
            "p",
            { className: "row-name" },
            label,
            whose ? element("em", { textContent: ` ${whose}` }) : "",
        ),
        list,
    );
}

// Rows of one kind "heads" as one table: a head a line, a token a column. It is read as it is.
function table(rows, others, { whose, head: chosen, choose }) {
    const head = element(
        "tr",
        {},
        element("td"),
        ...rows[0].names.map((name) => element("th", { scope: "col", textContent: name })),
    );
    const line = (row, other, ofOther) => {
        const most = largest(row.values) || 1;
        const cells = Array.from(row.values, (x, i) => {
            const differs = other && Math.abs(x - other.values[i]) > most / 20;
            const cell = element("td", {
                textContent: row.shown(x),
                className: `${x < 0 ? "minus" : "plus"}${differs ? " is-different" : ""}`,
            });
            cell.style.setProperty("--share", `${Math.round((45 * Math.abs(x)) / most)}%`);
            return cell;
        });
        const name = ofOther
            ? element("em", { textContent: whose })
            : button(row.label, () => choose(row.head));
        if (!ofOther) name.setAttribute("aria-pressed", row.head === chosen);
        return element(
            "tr",
            { className: ofOther ? "of-other" : "" },
            element("th", { scope: "row" }, name),
            ...cells,
        );
    };
    const lines = rows.flatMap((row, i) => [
        line(row, null, false),
        ...(others ? [line(others[i], row, true)] : []),
    ]);
    const made = element(
        "table",
        { className: "shares" },
        element("thead", {}, head),
        element("tbody", {}, ...lines),
    );
    return element(
        "div",
        { className: "scroll", tabIndex: 0, role: "group", ariaLabel: rows[0].what },
        made,
    );
}

// The numbers of strips in a table, which is made when it is opened.
function numbers(rows) {
    const details = element(
        "details",
        { className: "numbers" },
        element("summary", { textContent: "The numbers" }),
    );
    details.ontoggle = () => {
        if (!details.open || details.children.length > 1) return;
        const longest = Math.max(...rows.map((row) => row.values.length));
        const head = element(
            "tr",
            {},
            element("th", { scope: "col", textContent: "number" }),
            ...rows.map((row) => element("th", { scope: "col", textContent: row.label })),
        );
        const lines = Array.from({ length: longest }, (_, i) =>
            element(
                "tr",
                {},
                element("th", { scope: "row", textContent: i }),
                ...rows.map((row) =>
                    element("td", {
                        textContent: i < row.values.length ? row.values[i].toPrecision(9) : "",
                    }),
                ),
            ),
        );
        details.append(
            element(
                "div",
                { className: "scroll", tabIndex: 0, role: "group", ariaLabel: "numbers" },
                element("table", {}, element("thead", {}, head), element("tbody", {}, ...lines)),
            ),
        );
    };
    return details;
}

// All rows of a step, beside those of another run where there is one. choose(head) where a table is
// clicked.
function drawRows(rows, others, options) {
    const { whose } = options,
        made = [],
        strips = rows.filter((row) => row.kind === "strip");
    const ofHeads = rows.filter((row) => row.kind === "heads");
    if (ofHeads.length)
        made.push(
            table(ofHeads, others && others.filter((row) => row.kind === "heads"), options),
        );
    rows.forEach((row, i) => {
        const other = others && others[i];
        const most =
            row.most || Math.max(largest(row.values), other ? largest(other.values) : 0) || 1;
        if (row.kind === "strip") {
            made.push(stripRow(row, most, null, ""));
            if (other) made.push(stripRow(other, most, row.values, whose));
        }
        if (row.kind === "bars") {
            const lists = [bars(row, most, "")];
            if (other) lists.push(bars(other, most, whose));
            made.push(element("div", { className: "beside-bars" }, ...lists));
        }
    });
    if (strips.length) {
        const named = others
            ? others
                  .filter((row) => row.kind === "strip")
                  .map((row) => ({ ...row, label: `${row.label}, ${whose}` }))
            : [];
        made.push(numbers([...strips, ...named]));
    }
    return made;
}

// "the same to the bit", or how many numbers of a step are others.
function differsText(rows, others) {
    const all = rows.map((row, i) =>
        difference(row.all || row.values, others[i].all || others[i].values),
    );
    const count = all.reduce((sum, d) => sum + d.count, 0),
        of = all.reduce((sum, d) => sum + d.of, 0);
    return count
        ? {
              count,
              text:
                  `≠ ${count} of ${of} numbers differ, by up to ` +
                  `${short(Math.max(...all.map((d) => d.most)))}`,
          }
        : { count, text: "= the same to the bit" };
}
