import { history } from '@codemirror/commands';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import type { PolicyCheck } from '../../../../features/policies/schema.ts';
import { completing } from './completing.ts';
import { completionsAt, type SeenNames } from './completions.ts';
import { docAt, type Place, type SchemaNode } from './docs.ts';
import { findings, type LineNote, type SayResult, showSaid } from './findings.ts';
import { keys } from './keys.ts';
import { yaml } from './yaml.ts';

export interface OpenEditor {
  /** Marks what the service found in the document. */
  show(check: PolicyCheck | null, note: LineNote | null): void;
  /** Moves the cursor to a line, from 0, and into sight. */
  goTo(line: number): void;
  close(): void;
}

/** The facts about the service that the editor has by now. */
export interface Known {
  seen: SeenNames;
  /** Null until it is read. */
  schema: SchemaNode | null;
}

interface EditorOptions {
  root: ShadowRoot;
  document: string;
  label: string;
  /** In sight, with the cursor, at first; from 0. */
  line: number;
  known: () => Known;
  say: SayResult;
  onChange: (document: string) => void;
}

const look = EditorView.theme({
  '&': { color: 'var(--ink)', backgroundColor: 'var(--panel)', fontSize: 'var(--text-s)', height: '100%' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--ink)', padding: 'var(--s4) 0' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--panel)', color: 'var(--muted)', border: 'none' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in oklab, var(--accent) 6%, transparent)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in oklab, var(--accent) 24%, transparent)',
  },
  '.cm-tooltip': {
    color: 'var(--ink)',
    backgroundColor: 'var(--panel)',
    border: 'var(--hair) solid var(--line)',
    borderRadius: 'var(--radius)',
    fontFamily: 'var(--sans)',
    maxWidth: 'min(480px, 90vw)',
  },
});

export function openEditor({ root, document, label, line, known, say, onChange }: EditorOptions): OpenEditor {
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: document,
      extensions: [
        findings((state, at) => {
          const doc = docAt(placeOf(state, at), known().schema);
          return doc && { ...doc, from: state.doc.lineAt(at).from + doc.from };
        }),
        lineNumbers(),
        history(),
        drawSelection(),
        highlightActiveLine(),
        yaml,
        completing((state, at, isExplicit) =>
          completionsAt(placeOf(state, at), known().seen, known().schema, isExplicit),
        ),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
        EditorView.domEventHandlers({ beforeinput: replaceLines }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange(update.state.doc.toString());
        }),
        // Esc, then Tab, leaves the editor: CodeMirror's own rule, which the page says below it.
        keymap.of(keys),
        look,
      ],
    }),
  });
  function select(line: number) {
    if (line < 0) return;
    const { from, to } = view.state.doc.line(Math.min(line + 1, view.state.doc.lines));
    const effects = EditorView.scrollIntoView(from, { y: 'center' });
    view.dispatch({ selection: { anchor: from, head: to }, effects });
  }
  select(line);
  return {
    show: (check, note) => showSaid(view, { check, note, say }),
    goTo(line) {
      select(line);
      view.focus();
    },
    close: () => view.destroy(),
  };
}

/** As the documents are read for completion and help. */
function placeOf({ doc }: EditorState, at: number): Place {
  const { number, from } = doc.lineAt(at);
  return { lines: doc.toString().split('\n'), line: number - 1, column: at - from };
}

/**
 * Text that replaces several lines. Chromium would merge their elements itself and keep their look in inline styles, which
 * the content security policy refuses.
 */
function replaceLines({ inputType, data }: InputEvent, view: EditorView): boolean {
  const { main } = view.state.selection;
  const isOneLine = main.to <= view.state.doc.lineAt(main.from).to;
  if (inputType !== 'insertText' || data === null || isOneLine) return false;
  view.dispatch(view.state.replaceSelection(data), { scrollIntoView: true, userEvent: 'input.type' });
  return true;
}
