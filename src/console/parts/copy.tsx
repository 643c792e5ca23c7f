import { useState } from 'preact/hooks';
import { announce } from '../data/announcements.ts';
import { words } from '../strings/index.ts';

const shownMs = 1_500;

interface CopyProps {
  text: string;
  label?: string;
  /** What is copied, for screen readers, where a page has several. */
  about?: string;
}

export function Copy({ text, label, about }: CopyProps) {
  const [done, setDone] = useState(false);
  const { common } = words.value;
  async function copy() {
    await navigator.clipboard.writeText(text);
    announce(common.copied);
    setDone(true);
    setTimeout(() => setDone(false), shownMs);
  }
  const shown = done ? common.copied : (label ?? common.copy);
  return (
    <button type="button" class="button small" aria-label={about && `${shown}: ${about}`} onClick={copy}>
      {shown}
    </button>
  );
}
