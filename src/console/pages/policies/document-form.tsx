import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { PolicyCheck } from '../../../features/policies/schema.ts';
import { type ApiError, apiErrorOf, call, readFile } from '../../data/api.ts';
import { deleteDraft, useDraft, useWarningBeforeLeaving } from '../../data/operator/drafts.ts';
import { may } from '../../data/operator/sign-in.ts';
import { lineOfRule } from '../../data/policies/policies.ts';
import { query } from '../../data/route.ts';
import { Problem } from '../../parts/states.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';
import type { Known, OpenEditor } from './editor/code-mirror.ts';
import type { SeenNames } from './editor/completions.ts';
import type { LineNote } from './editor/findings.ts';
import type { SchemaNode } from './editor/names.ts';
import type { ProveProps } from './prove.tsx';
import { Replay } from './replay.tsx';
import type { TryProps } from './try.tsx';

type Checked =
  | { is: 'checking'; last: PolicyCheck | null }
  | { is: 'checked'; last: PolicyCheck }
  | { is: 'failed'; error: ApiError; last: PolicyCheck | null };

/** How long nothing is typed before the document is checked, in milliseconds. */
const restMs = 250;

/** Checks the document on the service, and runs its tests, whenever typing rests. */
function usePolicyCheck(document: string): Checked {
  const [state, setState] = useState<Checked>({ is: 'checking', last: null });
  useEffect(() => {
    const ended = new AbortController();
    setState(({ last }) => ({ is: 'checking', last }));
    const timer = setTimeout(() => {
      call<PolicyCheck>('/v1/policies/check', { method: 'POST', yaml: document, signal: ended.signal }).then(
        ({ data }) => setState({ is: 'checked', last: data }),
        (error: unknown) => {
          if (ended.signal.aborted) return;
          const known = apiErrorOf(error);
          setState(({ last }) => ({ is: 'failed', error: known, last }));
        },
      );
    }, restMs);
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
  }, [document]);
  return state;
}

type Issue = PolicyCheck['issues'][number];

/** The service's findings about the document: mistakes, hints, and how its tests went. */
function CheckResult({ checked }: { checked: Checked }) {
  const { policies: text } = words.value;
  return (
    <div class="check-result" aria-live="polite" aria-busy={checked.is === 'checking'}>
      {checked.is === 'failed' && <Problem error={checked.error} />}
      {checked.last === null ? <p class="quiet">{text.checking}</p> : <Found check={checked.last} />}
    </div>
  );
}

function Found({ check: { issues, warnings, tests, valid } }: { check: PolicyCheck }) {
  const { policies: text } = words.value;
  const passed = tests.filter((test) => test.passed).length;
  return (
    <>
      {valid ? (
        <p class="good-line">{text.valid}</p>
      ) : (
        <Issues title={text.issues(issues.length)} issues={issues} tone="bad" />
      )}
      {warnings.length > 0 && <Issues title={text.warnings(warnings.length)} issues={warnings} tone="warn" />}
      {tests.length === 0 ? (
        // Tests of a document with mistakes did not run.
        valid && <p class="quiet">{text.noTests}</p>
      ) : (
        <>
          <h2>{text.tests(passed, tests.length)}</h2>
          <ul class="tests">
            {tests.map((test, place) => (
              <li key={place} class={test.passed ? 'passed' : 'failed'}>
                <span class="visually-hidden">{test.passed ? text.passedTest : text.failedTest}: </span>
                <Visible text={test.name} />
                {test.message && (
                  <p class="quiet">
                    <Visible text={test.message} />
                  </p>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function Issues({ title, issues, tone }: { title: string; issues: readonly Issue[]; tone: 'bad' | 'warn' }) {
  const { policies: text } = words.value;
  return (
    <>
      <h2>{title}</h2>
      <ul class={`issues ${tone}`}>
        {issues.map((issue) => (
          <li key={`${issue.line}:${issue.column}:${issue.message}`}>
            <span class="quiet">{text.line(issue.line)}</span> <Visible text={issue.message} />
            {issue.hint && (
              <p class="quiet">
                <Visible text={issue.hint} />
              </p>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

/** Few who edit a policy prove it, or try an action. Shows what it loads, and nothing until then. */
const lazy =
  <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  (props: Props) => {
    const [Loaded, setLoaded] = useState<ComponentType<Props> | null>(null);
    useEffect(() => {
      let isGone = false;
      void load().then((found) => {
        if (!isGone) setLoaded(() => found);
      });
      return () => {
        isGone = true;
      };
    }, []);
    return Loaded && <Loaded {...props} />;
  };

type ToolsProps = TryProps & Omit<ProveProps, 'onLine'>;

/** Together, because each is above the next: one that came later would move it. */
const LazyTools = lazy<ToolsProps>(async () => {
  const [{ Try }, { Prove }] = await Promise.all([import('./try.tsx'), import('./prove.tsx')]);
  return ({ document, isValid, policyId, onNote, onLine }) => {
    const about = { document, ...(policyId !== undefined && { policyId }) };
    return (
      <>
        <Try document={document} isValid={isValid} onNote={onNote} onLine={onLine} />
        {isValid && <Prove {...about} onLine={onLine} />}
        {isValid && may('policies:simulate') && (
          <Replay
            request={about}
            title={words.value.replay.title}
            about={words.value.replay.about}
            startLabel={words.value.replay.start}
          />
        )}
      </>
    );
  };
});

interface PolicyDocumentFormProps {
  document: string;
  saveLabel: string;
  /** Whether it can be saved as it is. */
  isNew?: boolean;
  /** Absent for a new one. */
  policyId?: string;
  version?: number;
  onSave: (document: string) => Promise<void>;
}

/** The editor, with what the service finds while a person types. */
export function PolicyDocumentForm({
  document,
  saveLabel,
  isNew = false,
  policyId,
  version,
  onSave,
}: PolicyDocumentFormProps) {
  const { policies: text } = words.value;
  // The draft of this version alone: saved over a later one, it would undo that.
  const draftKey = `policy ${policyId} ${version}`;
  const [draft, setDraft] = useDraft(draftKey, document);
  const [opened] = useState(draft);
  const [error, setError] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  const checked = usePolicyCheck(draft);
  const [line, setLine] = useState({ at: lineOfRule(opened, query.value.get('rule') ?? '') });
  // About the document of then.
  const [tried, setTried] = useState<{ document: string; note: LineNote } | null>(null);
  const isChanged = draft !== document;
  useWarningBeforeLeaving(isChanged);

  async function save() {
    setBusy(true);
    setError(null);
    try {
      await onSave(draft);
      deleteDraft(draftKey);
    } catch (failure) {
      setError(apiErrorOf(failure));
    } finally {
      setBusy(false);
    }
  }
  const maySave =
    may('policies:write') && (isChanged || isNew) && checked.is === 'checked' && checked.last.valid && !busy;
  return (
    <div class="policy-document">
      <div class="policy-editor">
        <Editor
          document={opened}
          issues={checked.last}
          note={tried?.document === draft ? tried.note : null}
          line={line}
          onChange={setDraft}
        />
        <p class="quiet">{text.escapeHint}</p>
      </div>
      <div class="policy-check">
        <div class="buttons">
          <button type="button" class="button primary" disabled={!maySave} onClick={save}>
            {saveLabel}
          </button>
          {isChanged && <span class="quiet">{text.unsaved}</span>}
          {!may('policies:write') && <span class="quiet">{words.value.forbidden}</span>}
        </div>
        {error && <Problem error={error} />}
        <CheckResult checked={checked} />
      </div>
      {checked.last && (
        <LazyTools
          document={draft}
          isValid={checked.last.valid}
          {...(policyId !== undefined && { policyId })}
          onNote={(note) => setTried(note && { document: draft, note })}
          onLine={(one) => setLine({ at: one - 1 })}
        />
      )}
    </div>
  );
}

interface EditorProps {
  document: string;
  issues: PolicyCheck | null;
  note: LineNote | null;
  /** The line, from 0, that is in sight at first and again for each new object; -1 is the beginning. */
  line: { at: number };
  onChange: (document: string) => void;
}

/** The names of tools, data tags and lists that an expression may compare with. */
async function readSeen(signal: AbortSignal): Promise<SeenNames> {
  const counted = async (by: 'tool' | 'tag') => {
    const query = { by, unit: 'day' };
    const { data } = await call<{ name: string }[]>('/v1/stats', { query, background: true, signal });
    return data.map(({ name }) => name);
  };
  const lists = call<{ name: string }[]>('/v1/lists', { query: { size: 200 }, background: true, signal });
  const [tools, tags, { data }] = await Promise.all([counted('tool'), counted('tag'), lists]);
  return { tools, tags, lists: data.map(({ name }) => name) };
}

/**
 * CodeMirror, loaded when it is first needed. It lives in a shadow root, where its styles are constructed sheets: in the
 * document it would add style elements, which the content security policy forbids.
 */
function Editor({ document, issues, note, line, onChange }: EditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<OpenEditor | null>(null);
  const latest = useRef({ onChange, issues, note });
  latest.current = { onChange, issues, note };
  const { policies: text } = words.value;
  const known = useRef<Known>({ seen: { tools: [], tags: [], lists: [] }, schema: null });
  useEffect(() => {
    const ended = new AbortController();
    const learn = <K extends keyof Known>(name: K, found: Promise<Known[K]>) =>
      found.then(
        (value) => {
          known.current[name] = value;
        },
        // It completes without them.
        () => undefined,
      );
    void learn('seen', readSeen(ended.signal));
    void learn('schema', readFile<SchemaNode>('/policy.schema.json', ended.signal));
    return () => ended.abort();
  }, []);

  useEffect(() => {
    let isGone = false;
    void import('./editor/code-mirror.ts').then(({ openEditor }) => {
      if (isGone || !host.current) return;
      const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
      editor.current = openEditor({
        root,
        document,
        label: text.editor,
        line: line.at,
        known: () => known.current,
        say: ({ passed, message }) => (passed ? text.passedTest : (message ?? text.failedTest)),
        onChange: (typed) => latest.current.onChange(typed),
      });
      editor.current.show(latest.current.issues, latest.current.note);
    });
    return () => {
      isGone = true;
      editor.current?.close();
      editor.current = null;
    };
  }, [document]);
  useEffect(() => editor.current?.show(issues, note), [issues, note]);
  useEffect(() => editor.current?.goTo(line.at), [line]);

  return <div class="editor" ref={host} />;
}
