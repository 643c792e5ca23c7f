import { useEffect, useRef } from 'preact/hooks';
import type { PolicyCheck } from '../../../features/policies/schema.ts';
import { call } from '../../data/api.ts';
import { words } from '../../strings/index.ts';
import type { OpenEditor } from './code-mirror.ts';
import type { SeenNames } from './completions.ts';

interface EditorProps {
  document: string;
  issues: PolicyCheck | null;
  /** The line, from 0, that is in sight at first; -1 is the beginning. */
  line: number;
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
export function Editor({ document, issues, line, onChange }: EditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<OpenEditor | null>(null);
  const latest = useRef({ onChange, issues });
  latest.current = { onChange, issues };
  const label = words.value.policies.editor;
  const seen = useRef<SeenNames>({ tools: [], tags: [], lists: [] });
  useEffect(() => {
    const ended = new AbortController();
    void readSeen(ended.signal).then(
      (found) => {
        seen.current = found;
      },
      // It completes without them.
      () => undefined,
    );
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
        label,
        line,
        seen: () => seen.current,
        onChange: (text) => latest.current.onChange(text),
      });
      editor.current.show(latest.current.issues);
    });
    return () => {
      isGone = true;
      editor.current?.close();
      editor.current = null;
    };
  }, [document]);
  useEffect(() => editor.current?.show(issues), [issues]);

  return <div class="editor" ref={host} />;
}
