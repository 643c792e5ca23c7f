import { useEffect, useRef } from 'preact/hooks';
import type { PolicyCheck } from '../../../features/policies/schema.ts';
import { words } from '../../strings/index.ts';
import type { OpenEditor } from './code-mirror.ts';

interface EditorProps {
  document: string;
  issues: PolicyCheck | null;
  /** The line, from 0, that is in sight at first; -1 is the beginning. */
  line: number;
  onChange: (document: string) => void;
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
