// The editor's parts from npm, bundled by esbuild when the book is built: the page calls courseEditor.
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { cpp } from "@codemirror/lang-cpp";
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { unifiedMergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const colours = HighlightStyle.define([
    { tag: [tags.keyword, tags.controlKeyword, tags.definitionKeyword, tags.modifier, tags.processingInstruction], color: "var(--keyword)" },
    { tag: [tags.typeName, tags.standard(tags.typeName)], color: "var(--type)" },
    { tag: [tags.string, tags.character, tags.number, tags.bool], color: "var(--string)" },
    { tag: tags.comment, color: "var(--comment)", fontStyle: "italic" },
]);

const looks = EditorView.theme({
    "&": { backgroundColor: "var(--code-bg)", color: "var(--fg)", border: "1px solid var(--border)", borderRadius: "6px", fontSize: "0.85rem" },
    "&.cm-focused": { outline: "3px solid var(--accent)", outlineOffset: "1px" },
    ".cm-scroller": { fontFamily: 'ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace', maxHeight: "70vh", minHeight: "12rem" },
    ".cm-gutters": { backgroundColor: "var(--code-bg)", color: "var(--muted)", border: "none" },
    ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--accent) 8%, transparent)" },
    ".cm-cursor": { borderLeftColor: "var(--fg)" },
    ".cm-tooltip": { backgroundColor: "var(--bg)", color: "var(--fg)", border: "1px solid var(--border)" },
    "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
        backgroundColor: "color-mix(in srgb, var(--accent) 30%, transparent)",
    },
});

const common = [lineNumbers(), drawSelection(), cpp(), indentUnit.of("    "), EditorState.tabSize.of(4), syntaxHighlighting(colours), looks];

// { text(), setText(text), mark([{ line, column, severity, message }]), focus() } of an editor below `parent`. on: check, leave,
// changed(text).
function make(parent, text, label, on) {
    const own = keymap.of([
        { key: "Ctrl-Enter", mac: "Cmd-Enter", run: () => (on.check(), true) },
        { key: "Escape", run: () => (on.leave(), true) },
    ]);
    const extensions = [
        own,
        history(),
        bracketMatching(),
        indentOnInput(),
        highlightActiveLine(),
        lintGutter(),
        keymap.of([indentWithTab, ...defaultKeymap, ...historyKeymap]),
        EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false" }),
        EditorView.updateListener.of((update) => update.docChanged && on.changed(update.state.doc.toString())),
        ...common,
    ];
    const view = new EditorView({ parent, state: EditorState.create({ doc: text, extensions }) });
    view.scrollDOM.tabIndex = 0; // by keyboard, too
    const placeOf = ({ line, column }) => {
        const at = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines));
        return { from: Math.min(at.from + Math.max(column - 1, 0), at.to), to: at.to };
    };
    return {
        text: () => view.state.doc.toString(),
        setText: (changed) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: changed } }),
        mark: (said) => view.dispatch(setDiagnostics(view.state, said.map((one) => ({ ...placeOf(one), severity: one.severity, message: one.message })))),
        focus: () => view.focus(),
    };
}

// A text beside another: what differs is marked. Not to be written in.
function compare(parent, theirs, yours, label) {
    const extensions = [
        ...common,
        EditorState.readOnly.of(true),
        EditorView.editable.of(false),
        EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
        unifiedMergeView({ original: yours, mergeControls: false, highlightChanges: true }),
    ];
    return new EditorView({ parent, state: EditorState.create({ doc: theirs, extensions }) });
}

globalThis.courseEditor = { make, compare };
