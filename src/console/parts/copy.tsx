import { useState } from 'preact/hooks';
import { announce } from '../data/announcements.ts';
import { words } from '../strings/index.ts';

const shownMs = 1_500;

export function Copy({ text, label }: { text: string; label?: string }) {
  const [done, setDone] = useState(false);
  const { common } = words.value;
  async function copy() {
    await navigator.clipboard.writeText(text);
    announce(common.copied);
    setDone(true);
    setTimeout(() => setDone(false), shownMs);
  }
  return (
    <button type="button" class="button small" onClick={copy}>
      {done ? common.copied : (label ?? common.copy)}
    </button>
  );
}
