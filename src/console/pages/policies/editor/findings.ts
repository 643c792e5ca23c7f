import {
  type EditorState,
  type Extension,
  RangeSet,
  StateEffect,
  StateField,
  type Text,
} from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  GutterMarker,
  gutter,
  hoverTooltip,
  WidgetType,
} from '@codemirror/view';
import type { PolicyCheck } from '../../../../features/policies/schema.ts';
import type { EnforcementAction } from '../../../../schemas/decisions.ts';
import { visibleText } from '../../../data/visible-text.ts';
import type { Doc } from './names.ts';

/** How a test went, in the person's language. */
export type SayResult = (test: PolicyCheck['tests'][number]) => string;

type Issue = PolicyCheck['issues'][number];

interface Finding {
  from: number;
  to: number;
  kind: 'error' | 'warning';
  text: string;
}

interface Shown {
  findings: readonly Finding[];
  marks: DecorationSet;
  gutters: RangeSet<GutterMarker>;
}

/** Said at the end of a line, from 1. */
export interface LineNote {
  line: number;
  /** Its colour. */
  action: EnforcementAction;
  text: string;
}

interface Said {
  check: PolicyCheck | null;
  note: LineNote | null;
  say: SayResult;
}

const setSaid = StateEffect.define<Said>();

const nothing: Shown = { findings: [], marks: Decoration.none, gutters: RangeSet.empty };

/** The findings of the last check. They move with their text until the next one. */
const shown = StateField.define<Shown>({
  create: () => nothing,
  update(value, { state, effects, docChanged, changes }) {
    for (const effect of effects) if (effect.is(setSaid)) return shownIn(state, effect.value);
    if (!docChanged) return value;
    const findings = value.findings.map((one) => ({
      ...one,
      from: changes.mapPos(one.from, 1),
      to: changes.mapPos(one.to, -1),
    }));
    // The result of a test whose line is gone says nothing.
    const marks = value.marks.update({
      filter: (from, to) => from < to || changes.touchesRange(from - 1, from) !== 'cover',
    });
    return { findings, marks: marks.map(changes), gutters: value.gutters.map(changes) };
  },
  provide: (field) => EditorView.decorations.from(field, ({ marks }) => marks),
});

function shownIn({ doc }: EditorState, { check, note, say }: Said): Shown {
  if (check === null) return nothing;
  const findings = [
    ...check.issues.map((issue) => findingOf(doc, issue, 'error')),
    ...check.warnings.map((issue) => findingOf(doc, issue, 'warning')),
  ];
  const results = check.tests.map((test) =>
    atEnd(doc, test.line, `${test.passed ? '✓' : '✗'} ${say(test)}`, test.passed ? 'passed' : 'failed'),
  );
  if (note) results.push(atEnd(doc, note.line, note.text, note.action));
  const marks = findings
    .filter(({ from, to }) => from < to)
    .map(({ from, to, kind }) => Decoration.mark({ class: `policy-${kind}` }).range(from, to));
  const gutters = findings.map(({ from, kind }) => new FoundMarker(kind).range(doc.lineAt(from).from));
  return {
    findings,
    marks: Decoration.set([...marks, ...results], true),
    gutters: RangeSet.of(gutters, true),
  };
}

const atEnd = (doc: Text, line: number, text: string, tone: string) =>
  Decoration.widget({ widget: new Remark(visibleText(text), tone), side: 1 }).range(lineAt(doc, line).to);

/** The service counts from 1. What it found may be about an older text: places are kept inside this one. */
const lineAt = (doc: Text, line: number) => doc.line(Math.min(Math.max(1, line), doc.lines));

function findingOf(doc: Text, { line, column, message, hint }: Issue, kind: Finding['kind']): Finding {
  const at = lineAt(doc, line);
  const from = Math.min(at.from + Math.max(0, column - 1), at.to);
  return { from, to: at.to, kind, text: visibleText(hint ? `${message}\n${hint}` : message) };
}

class FoundMarker extends GutterMarker {
  readonly kind: Finding['kind'];
  constructor(kind: Finding['kind']) {
    super();
    this.kind = kind;
  }
  override eq(other: FoundMarker) {
    return other.kind === this.kind;
  }
  override toDOM() {
    const mark = document.createElement('span');
    mark.className = `policy-gutter ${this.kind}`;
    mark.textContent = this.kind === 'error' ? '✗' : '!';
    return mark;
  }
}

/** The result of a test, or of an action that was tried. */
class Remark extends WidgetType {
  readonly text: string;
  readonly tone: string;
  constructor(text: string, tone: string) {
    super();
    this.text = text;
    this.tone = tone;
  }
  override eq(other: Remark) {
    return other.text === this.text && other.tone === this.tone;
  }
  override toDOM() {
    const remark = document.createElement('span');
    remark.className = `policy-test ${this.tone}`;
    remark.textContent = this.text;
    return remark;
  }
}

export const showSaid = (view: EditorView, said: Said): void => view.dispatch({ effects: setSaid.of(said) });

function paragraph(text: string, className: string): HTMLElement {
  const element = document.createElement('p');
  element.className = className;
  element.textContent = text;
  return element;
}

/** Under the mouse: the findings of a place, then what the name means. */
const hovering = (docAt: (state: EditorState, at: number) => Doc | null) =>
  hoverTooltip(({ state }, at) => {
    const found = state.field(shown).findings.filter(({ from, to }) => from <= at && at <= to);
    const doc = docAt(state, at);
    if (found.length === 0 && !doc) return null;
    return {
      pos: doc?.from ?? at,
      create() {
        const dom = document.createElement('div');
        dom.className = 'policy-hover';
        for (const { text, kind } of found) dom.append(paragraph(text, kind));
        if (doc) dom.append(paragraph(doc.name, 'name'), paragraph(doc.text, ''));
        return { dom };
      },
    };
  });

const underline = (colour: string) => ({
  textDecoration: `underline wavy ${colour}`,
  textDecorationSkipInk: 'none',
  textUnderlineOffset: 'var(--s1)',
});

const look = EditorView.theme({
  '.policy-error': underline('var(--block)'),
  '.policy-warning': underline('var(--warn)'),
  '.policy-gutter': {
    display: 'inline-block',
    width: 'var(--s5)',
    textAlign: 'center',
    fontWeight: 'var(--strong)',
  },
  '.policy-gutter.error': { color: 'var(--block)' },
  '.policy-gutter.warning': { color: 'var(--warn)' },
  '.policy-test': {
    display: 'inline-block',
    marginLeft: 'var(--s6)',
    fontFamily: 'var(--sans)',
    fontSize: 'var(--text-xs)',
  },
  '.policy-test.passed, .policy-test.ALLOW': { color: 'var(--allow)' },
  '.policy-test.failed, .policy-test.BLOCK': { color: 'var(--block)' },
  '.policy-test.WARN': { color: 'var(--warn)' },
  '.policy-test.APPROVAL_REQUIRED': { color: 'var(--hold)' },
  '.policy-hover': {
    padding: 'var(--s3) var(--s4)',
    fontSize: 'var(--text-xs)',
    lineHeight: 'var(--leading)',
  },
  '.policy-hover p': { margin: 'var(--s1) 0', whiteSpace: 'pre-line' },
  '.policy-hover .name': { fontFamily: 'var(--mono)', fontWeight: 'var(--strong)' },
  '.policy-hover .error': { color: 'var(--block)' },
  '.policy-hover .warning': { color: 'var(--warn)' },
});

/** Marks of what the service found, the results of tests beside them, and help for the name under the mouse. */
export const findings = (docAt: (state: EditorState, at: number) => Doc | null): Extension => [
  shown,
  gutter({
    class: 'policy-found',
    markers: ({ state }) => state.field(shown).gutters,
    initialSpacer: () => new FoundMarker('error'),
  }),
  hovering(docAt),
  look,
];
