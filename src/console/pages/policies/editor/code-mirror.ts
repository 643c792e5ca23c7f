import {
  cursorCharLeft,
  cursorCharRight,
  cursorDocEnd,
  cursorDocStart,
  cursorGroupLeft,
  cursorGroupRight,
  cursorLineBoundaryBackward,
  cursorLineBoundaryForward,
  cursorLineDown,
  cursorLineUp,
  cursorPageDown,
  cursorPageUp,
  deleteGroupBackward,
  deleteGroupForward,
  history,
  historyKeymap,
  moveLineDown,
  moveLineUp,
  selectAll,
  selectCharLeft,
  selectCharRight,
  selectDocEnd,
  selectDocStart,
  selectGroupLeft,
  selectGroupRight,
  selectLineBoundaryBackward,
  selectLineBoundaryForward,
  selectLineDown,
  selectLineUp,
  selectPageDown,
  selectPageUp,
  toggleLineComment,
} from '@codemirror/commands';
import { EditorSelection, EditorState, findClusterBreak, type Line } from '@codemirror/state';
import {
  type Command,
  drawSelection,
  EditorView,
  highlightActiveLine,
  type KeyBinding,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import type { PolicyCheck } from '../../../../features/policies/schema.ts';
import { completing } from './completing.ts';
import { completionsAt, type SeenNames } from './completions.ts';
import { findings, type LineNote, type SayResult, showSaid } from './findings.ts';
import { docAt, type Place, type SchemaNode } from './names.ts';
import { yaml } from './yaml.ts';

/** The step by which YAML is indented. */
const step = '  ';

/** A new line begins below the key of the line before it, or its text, and deeper behind a key without a value. */
function indentBelow(before: string): string {
  const [, space = '', dashes = '', hasKey] =
    /^(\s*)((?:- +)*)(["']?[\w.-]+["']?:(?:\s|$))?/.exec(before) ?? [];
  const indent = space + (hasKey ? ' '.repeat(dashes.length) : '');
  return /:\s*[|>]?[+-]?\s*$/.test(before) ? indent + step : indent;
}

const insertLine: Command = ({ state, dispatch }) => {
  const changed = state.changeByRange(({ from, to }) => {
    const line = state.doc.lineAt(from);
    const insert = `\n${indentBelow(line.text.slice(0, from - line.from))}`;
    return { changes: { from, to, insert }, range: EditorSelection.cursor(from + insert.length) };
  });
  dispatch(state.update(changed, { scrollIntoView: true, userEvent: 'input' }));
  return true;
};

/** Up to the next step; several lines as a whole. */
const indent: Command = ({ state, dispatch }) => {
  const changed = state.changeByRange((range) => {
    const first = state.doc.lineAt(range.from);
    if (range.to <= first.to && range.empty) {
      const insert = ' '.repeat(step.length - ((range.from - first.from) % step.length));
      return {
        changes: { from: range.from, insert },
        range: EditorSelection.cursor(range.from + insert.length),
      };
    }
    const changes = [];
    for (let at = first.from; at <= range.to; at = state.doc.lineAt(at).to + 1)
      changes.push({ from: at, insert: step });
    const moved = state.changes(changes);
    return {
      changes,
      range: EditorSelection.range(moved.mapPos(range.anchor, 1), moved.mapPos(range.head, 1)),
    };
  });
  dispatch(state.update(changed, { scrollIntoView: true, userEvent: 'input.indent' }));
  return true;
};

const outdent: Command = ({ state, dispatch }) => {
  const { from, to } = state.selection.main;
  const changes = [];
  for (let at = state.doc.lineAt(from).from; at <= to; ) {
    const line = state.doc.lineAt(at);
    const spaces = /^ {0,2}/.exec(line.text)?.[0].length ?? 0;
    if (spaces > 0) changes.push({ from: at, to: at + spaces });
    at = line.to + 1;
  }
  dispatch(state.update({ changes, userEvent: 'delete.dedent' }));
  return true;
};

/** The place that one key of deletion reaches: a step of indentation at once, else one character, or the end of the line. */
function nextPlace({ text, from }: Line, head: number, isForward: boolean): number {
  const column = head - from;
  if (!isForward && /^(?: {2})+$/.test(text.slice(0, column))) return head - step.length;
  if (column === (isForward ? text.length : 0)) return isForward ? head + 1 : head - 1;
  return from + findClusterBreak(text, column, isForward);
}

const deleteChar =
  (isForward: boolean): Command =>
  ({ state, dispatch }) => {
    const changed = state.changeByRange(({ from, to, head, empty }) => {
      const next = empty ? nextPlace(state.doc.lineAt(head), head, isForward) : head;
      const changes = {
        from: Math.max(0, Math.min(from, next)),
        to: Math.min(state.doc.length, Math.max(to, next)),
      };
      return { changes, range: EditorSelection.cursor(changes.from) };
    });
    const userEvent = isForward ? 'delete.forward' : 'delete.backward';
    dispatch(state.update(changed, { scrollIntoView: true, userEvent }));
    return true;
  };

/**
 * The keys of the editor. The lists of CodeMirror itself (`defaultKeymap`) bring its parsers along, 20 KB of script, for moving by
 * syntax. Its commands that delete a character do so, too.
 */
const keys: readonly KeyBinding[] = [
  { key: 'ArrowLeft', run: cursorCharLeft, shift: selectCharLeft, preventDefault: true },
  { key: 'ArrowRight', run: cursorCharRight, shift: selectCharRight, preventDefault: true },
  { key: 'ArrowUp', run: cursorLineUp, shift: selectLineUp, preventDefault: true },
  { key: 'ArrowDown', run: cursorLineDown, shift: selectLineDown, preventDefault: true },
  { key: 'Mod-ArrowLeft', mac: 'Alt-ArrowLeft', run: cursorGroupLeft, shift: selectGroupLeft },
  { key: 'Mod-ArrowRight', mac: 'Alt-ArrowRight', run: cursorGroupRight, shift: selectGroupRight },
  { mac: 'Cmd-ArrowLeft', run: cursorLineBoundaryBackward, shift: selectLineBoundaryBackward },
  { mac: 'Cmd-ArrowRight', run: cursorLineBoundaryForward, shift: selectLineBoundaryForward },
  { mac: 'Cmd-ArrowUp', run: cursorDocStart, shift: selectDocStart },
  { mac: 'Cmd-ArrowDown', run: cursorDocEnd, shift: selectDocEnd },
  { key: 'PageUp', run: cursorPageUp, shift: selectPageUp },
  { key: 'PageDown', run: cursorPageDown, shift: selectPageDown },
  { key: 'Home', run: cursorLineBoundaryBackward, shift: selectLineBoundaryBackward, preventDefault: true },
  { key: 'End', run: cursorLineBoundaryForward, shift: selectLineBoundaryForward, preventDefault: true },
  { key: 'Mod-Home', run: cursorDocStart, shift: selectDocStart },
  { key: 'Mod-End', run: cursorDocEnd, shift: selectDocEnd },
  { key: 'Alt-ArrowUp', run: moveLineUp },
  { key: 'Alt-ArrowDown', run: moveLineDown },
  { key: 'Enter', run: insertLine, shift: insertLine },
  { key: 'Tab', run: indent, shift: outdent },
  { key: 'Mod-a', run: selectAll },
  { key: 'Mod-/', run: toggleLineComment },
  { key: 'Backspace', run: deleteChar(false), shift: deleteChar(false), preventDefault: true },
  { key: 'Delete', run: deleteChar(true), preventDefault: true },
  { key: 'Mod-Backspace', mac: 'Alt-Backspace', run: deleteGroupBackward, preventDefault: true },
  { key: 'Mod-Delete', mac: 'Alt-Delete', run: deleteGroupForward, preventDefault: true },
  ...historyKeymap,
];

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
