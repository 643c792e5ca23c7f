import {
  EditorSelection,
  type EditorState,
  type Extension,
  Prec,
  StateEffect,
  StateField,
} from '@codemirror/state';
import { type Command, EditorView, keymap, showTooltip, type Tooltip } from '@codemirror/view';
import type { Completions } from './completions.ts';
import type { Entry } from './names.ts';

/** Finds completions for a place. `isExplicit`: a person asked for them. */
export type FindCompletions = (state: EditorState, at: number, isExplicit: boolean) => Completions | null;

interface Offered {
  /** The characters that are replaced begin here. */
  from: number;
  entries: readonly Entry[];
  chosen: number;
}

const offer = StateEffect.define<Offered | null>();

/** More are not read: type another letter. */
const mostShown = 100;
const listId = 'policy-completions';
const idOf = (place: number): string => `${listId}-${place}`;

const offered = StateField.define<Offered | null>({
  create: () => null,
  update(value, { effects, docChanged, selection }) {
    for (const effect of effects) if (effect.is(offer)) return effect.value;
    // Typing is followed by an offer of its own.
    return docChanged || selection ? null : value;
  },
  provide: (field) => [
    showTooltip.from(field, (value) => value && tooltip(value)),
    EditorView.contentAttributes.from(field, (value) => ({
      'aria-autocomplete': 'list',
      'aria-haspopup': 'listbox',
      ...(value && { 'aria-controls': listId, 'aria-activedescendant': idOf(value.chosen) }),
    })),
  ],
});

const tooltip = ({ from, entries, chosen }: Offered): Tooltip => ({
  pos: from,
  create(view) {
    const dom = document.createElement('ul');
    dom.id = listId;
    dom.className = 'policy-completions';
    dom.setAttribute('role', 'listbox');
    dom.setAttribute('aria-label', view.contentDOM.getAttribute('aria-label') ?? '');
    for (const [place, [label, detail]] of entries.entries()) {
      const item = dom.appendChild(document.createElement('li'));
      item.id = idOf(place);
      item.setAttribute('role', 'option');
      item.setAttribute('aria-selected', String(place === chosen));
      item.appendChild(document.createElement('b')).textContent = label;
      item.append(' ');
      item.appendChild(document.createElement('span')).textContent = detail;
      item.addEventListener('mousedown', (event) => {
        event.preventDefault();
        accept(view, { from, entries, chosen: place });
      });
    }
    return { dom, mount: () => dom.children[chosen]?.scrollIntoView({ block: 'nearest' }) };
  },
});

/** The offers that begin with what is typed, then those that contain it. */
function matching(entries: readonly Entry[], typed: string): Entry[] {
  const sought = typed.toLowerCase();
  const places = entries.map((entry) => ({ entry, at: entry[0].toLowerCase().indexOf(sought) }));
  return [...places.filter(({ at }) => at === 0), ...places.filter(({ at }) => at > 0)].map(
    ({ entry }) => entry,
  );
}

function look(view: EditorView, find: FindCompletions, isExplicit: boolean): void {
  const { state } = view;
  const { main } = state.selection;
  const found = main.empty ? find(state, main.head, isExplicit) : null;
  const from = main.head - (found?.length ?? 0);
  const typed = state.sliceDoc(from, main.head);
  const entries = matching(found?.entries ?? [], typed).slice(0, mostShown);
  // There is nothing left to complete.
  const isWhole = entries.length === 1 && entries[0]?.[0] === typed;
  const value = entries.length === 0 || isWhole ? null : { from, entries, chosen: 0 };
  if (value || state.field(offered)) view.dispatch({ effects: offer.of(value) });
}

function accept(view: EditorView, { from, entries, chosen }: Offered): void {
  const [label = ''] = entries[chosen] ?? [];
  const { head } = view.state.selection.main;
  view.dispatch({
    changes: { from, to: head, insert: label },
    selection: EditorSelection.cursor(from + label.length),
    userEvent: 'input.complete',
    effects: offer.of(null),
    scrollIntoView: true,
  });
}

const moved =
  (by: number): Command =>
  (view) => {
    const value = view.state.field(offered);
    if (!value) return false;
    const { length } = value.entries;
    const chosen = (value.chosen + by + length) % length;
    view.dispatch({ effects: offer.of({ ...value, chosen }) });
    return true;
  };

const close: Command = (view) => {
  if (!view.state.field(offered)) return false;
  view.dispatch({ effects: offer.of(null) });
  return true;
};

/** A name that is typed whole is no choice: Enter is then a new line. */
const choose: Command = (view) => {
  const value = view.state.field(offered);
  if (!value) return false;
  const typed = view.state.sliceDoc(value.from, view.state.selection.main.head);
  if (value.entries[value.chosen]?.[0] === typed) return false;
  accept(view, value);
  return true;
};

const theme = EditorView.theme({
  '.policy-completions': {
    listStyle: 'none',
    margin: '0',
    padding: 'var(--s2)',
    maxHeight: '260px',
    overflowY: 'auto',
  },
  '.policy-completions li': {
    display: 'flex',
    gap: 'var(--s5)',
    justifyContent: 'space-between',
    padding: 'var(--s1) var(--s3)',
    borderRadius: 'var(--radius-s)',
    cursor: 'pointer',
  },
  '.policy-completions b': { fontFamily: 'var(--mono)', fontWeight: 'var(--medium)' },
  '.policy-completions span': {
    color: 'var(--muted)',
    textAlign: 'right',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
  },
  // The whole explanation of the chosen offer is shown.
  '.policy-completions li[aria-selected=true] span': { whiteSpace: 'normal' },
  '.policy-completions li[aria-selected=true]': { backgroundColor: 'var(--accent)' },
  '.policy-completions li[aria-selected=true] *': { color: 'var(--on-accent)' },
});

/**
 * A list of what fits the cursor. @codemirror/autocomplete does more, and brings the parsers of CodeMirror along: 24 KB of script.
 */
export const completing = (find: FindCompletions): Extension => [
  offered,
  theme,
  EditorView.updateListener.of(({ view, transactions, startState }) => {
    const isTyped = transactions.some((one) => one.isUserEvent('input.type'));
    const isShortened = startState.field(offered) && transactions.some((one) => one.isUserEvent('delete'));
    // After the update: a view cannot be changed while it is.
    if (isTyped || isShortened) queueMicrotask(() => look(view, find, false));
  }),
  EditorView.domEventHandlers({ blur: (_, view) => void close(view) }),
  Prec.highest(
    keymap.of([
      { key: 'ArrowDown', run: moved(1) },
      { key: 'ArrowUp', run: moved(-1) },
      { key: 'Enter', run: choose },
      { key: 'Tab', run: choose },
      { key: 'Escape', run: close },
      {
        key: 'Ctrl-Space',
        run: (view) => {
          look(view, find, true);
          return true;
        },
      },
    ]),
  ),
];
