import { useEffect, useRef } from 'preact/hooks';
import { words } from '../../strings/index.ts';

/** Two documents side by side, in a shadow root as the editor is. */
export function Compare({ left, right }: { left: string; right: string }) {
  const host = useRef<HTMLDivElement>(null);
  const label = words.value.policies.editor;
  useEffect(() => {
    let close: (() => void) | null = null;
    let isGone = false;
    void import('./merge.ts').then(({ openMerge }) => {
      if (isGone || !host.current) return;
      const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
      close = openMerge({ root, left, right, label });
    });
    return () => {
      isGone = true;
      close?.();
    };
  }, [left, right]);
  return <div class="editor compare" ref={host} />;
}
