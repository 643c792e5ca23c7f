import { useEffect, useRef } from 'preact/hooks';
import type { PolicyCheck } from '../../../../features/policies/schema.ts';
import { call, readFile } from '../../../data/api.ts';
import { words } from '../../../strings/index.ts';
import type { Known, OpenEditor } from './code-mirror.ts';
import type { SeenNames } from './completions.ts';
import type { SchemaNode } from './docs.ts';
import type { LineNote } from './findings.ts';

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
export function Editor({ document, issues, note, line, onChange }: EditorProps) {
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
    void import('./code-mirror.ts').then(({ openEditor }) => {
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
