import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState, type Text } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { PolicyCheck } from '../../../features/policies/schema.ts';
import { visibleText } from '../../data/visible-text.ts';
import { completionsAt, type SeenNames } from './completions.ts';

/** The completions at the cursor, as the editor takes them. */
const completing =
  (seen: () => SeenNames) =>
  (context: CompletionContext): CompletionResult | null => {
    const { doc } = context.state;
    const line = doc.lineAt(context.pos);
    const before = line.text.slice(0, context.pos - line.from);
    const found = completionsAt(before, doc.toString(), seen(), context.explicit);
    if (!found || found.entries.length === 0) return null;
    const options = found.entries.map(([label, detail]) => ({ label, detail, type: 'variable' }));
    return { from: context.pos - found.length, options, validFor: /^[\w.-]*$/ };
  };

export interface OpenEditor {
  /** Marks what the service found in the document. */
  show(check: PolicyCheck | null): void;
  close(): void;
}

interface EditorOptions {
  root: ShadowRoot;
  document: string;
  label: string;
  /** In sight, with the cursor, at first; from 0. */
  line: number;
  /** The names that the service has seen by now. */
  seen: () => SeenNames;
  onChange: (document: string) => void;
}

/** Custom properties of the page reach into the shadow root: both themes are one style. */
const highlight = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--muted)', fontStyle: 'italic' },
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' },
  { tag: [tags.string, tags.content], color: 'var(--ink)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: 'var(--hold)' },
  { tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace], color: 'var(--muted)' },
]);

const look = EditorView.theme({
  '&': { color: 'var(--ink)', backgroundColor: 'var(--panel)', fontSize: 'var(--text-s)', height: '100%' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--ink)', padding: 'var(--space-4) 0' },
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
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--accent)',
    color: 'var(--on-accent)',
  },
  '.cm-completionDetail': { color: 'inherit', fontStyle: 'normal', marginLeft: 'var(--space-4)' },
});

export function openEditor({ root, document, label, line, seen, onChange }: EditorOptions): OpenEditor {
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: document,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        highlightActiveLine(),
        yaml(),
        syntaxHighlighting(highlight),
        lintGutter(),
        autocompletion({ override: [completing(seen)] }),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
        EditorView.domEventHandlers({ beforeinput: replaceLines }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange(update.state.doc.toString());
        }),
        // Esc, then Tab, leaves the editor: CodeMirror's own rule, which the page says below it.
        keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap, indentWithTab]),
        look,
      ],
    }),
  });
  if (line >= 0) {
    const { from, to } = view.state.doc.line(Math.min(line + 1, view.state.doc.lines));
    const effects = EditorView.scrollIntoView(from, { y: 'center' });
    view.dispatch({ selection: { anchor: from, head: to }, effects });
  }
  return {
    show(check) {
      const { doc } = view.state;
      const found = [
        ...(check?.issues ?? []).map((issue) => diagnosticOf(doc, issue, 'error')),
        ...(check?.warnings ?? []).map((issue) => diagnosticOf(doc, issue, 'warning')),
      ];
      view.dispatch(setDiagnostics(view.state, found));
    },
    close: () => view.destroy(),
  };
}

/** The service counts lines and columns from 1. What it found may be about an older text: places are kept inside this one. */
function diagnosticOf(
  doc: Text,
  { line, column, message, hint }: PolicyCheck['issues'][number],
  severity: Diagnostic['severity'],
): Diagnostic {
  const at = doc.line(Math.min(Math.max(1, line), doc.lines));
  const from = Math.min(at.from + Math.max(0, column - 1), at.to);
  return {
    from,
    to: Math.max(from, at.to),
    severity,
    message: visibleText(hint ? `${message}\n${hint}` : message),
  };
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
