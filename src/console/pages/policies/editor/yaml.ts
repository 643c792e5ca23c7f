import { EditorState, type Extension, RangeSetBuilder } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';

/**
 * The marks of a line: a comment, a quoted text, a key, a word or number that is no text, punctuation. A policy document needs no more,
 * and the parser of @codemirror/lang-yaml is 20 KB of script.
 */
const token =
  /(?<comment>(?:^|(?<=\s))#.*)|(?<quoted>"(?:\\.|[^"\\])*"?|(?<![\w)\]])'(?:[^']|'')*'?)|(?<key>(?<=^\s*(?:- )*|[{,]\s*)[\w.-]+(?=:(?:\s|$)))|(?<atom>(?<![\w.-])(?:true|false|null|-?\d+(?:\.\d+)?|[A-Z][A-Z_]{2,})(?![\w.-]))|(?<mark>[[\]{},:|>]|^\s*(?:- )+)/g;

const marks = Object.fromEntries(
  ['comment', 'quoted', 'key', 'atom', 'mark'].map((name) => [
    name,
    Decoration.mark({ class: `policy-${name}` }),
  ]),
);

/** A mark in one line: the name of the mark, and its place. */
function tokensIn(line: string): { name: string; from: number; to: number }[] {
  return [...line.matchAll(token)].map(({ index, 0: text, groups = {} }) => ({
    name: Object.keys(groups).find((name) => groups[name] !== undefined) ?? '',
    from: index,
    to: index + text.length,
  }));
}

function marked({ state, visibleRanges }: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const { from, to } of visibleRanges) {
    for (let at = from; at <= to; ) {
      const line = state.doc.lineAt(at);
      for (const one of tokensIn(line.text)) {
        const mark = marks[one.name];
        if (mark) builder.add(line.from + one.from, line.from + one.to, mark);
      }
      at = line.to + 1;
    }
  }
  return builder.finish();
}

const marking = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = marked(view);
    }
    update(update: ViewUpdate) {
      if (update.docChanged || update.viewportChanged) this.decorations = marked(update.view);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

/** Custom properties of the page reach into the shadow root: both themes are one style. */
const look = EditorView.theme({
  '.policy-comment': { color: 'var(--muted)', fontStyle: 'italic' },
  '.policy-key': { color: 'var(--accent)' },
  '.policy-atom': { color: 'var(--hold)' },
  '.policy-mark': { color: 'var(--muted)' },
});

/** How a policy document looks and is typed. */
export const yaml: Extension = [
  marking,
  EditorState.languageData.of(() => [{ commentTokens: { line: '#' } }]),
  look,
];
