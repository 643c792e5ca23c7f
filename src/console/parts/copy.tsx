import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { announce } from '../data/change.ts';
import { words } from '../strings/index.ts';
import { Dialog } from './form/dialog.tsx';
import { Icon, type IconName } from './icon.tsx';

const shownMs = 1_500;

interface CopyProps {
  text: string;
  label?: string;
  /** The subject of the copy, for screen readers, where a page has several. */
  about?: string;
  /** Shown instead of the label, which is its name. */
  icon?: IconName;
}

export function Copy({ text, label, about, icon }: CopyProps) {
  const [done, setDone] = useState(false);
  const { common } = words.value;
  async function copy() {
    await navigator.clipboard.writeText(text);
    announce(common.copied);
    setDone(true);
    setTimeout(() => setDone(false), shownMs);
  }
  const shown = done ? common.copied : (label ?? common.copy);
  const name = about ? `${shown}: ${about}` : shown;
  if (icon)
    return (
      <button type="button" class="button bare" aria-label={name} title={name} onClick={copy}>
        <Icon name={icon} size={16} />
      </button>
    );
  return (
    <button type="button" class="button small" aria-label={about && name} onClick={copy}>
      {shown}
    </button>
  );
}

export function Secret({ label, value }: { label: string; value: string }) {
  return (
    <p class="secret">
      <span>{label}</span>
      <code>{value}</code>
      <Copy text={value} />
    </p>
  );
}

interface ShownOnceProps {
  title: string;
  onEnd: () => void;
  children: ComponentChildren;
}

/** Stays open until the operator confirms that the secret is copied: it cannot be shown again. */
export function ShownOnce({ title, onEnd, children }: ShownOnceProps) {
  return (
    <Dialog title={title} onClose={onEnd} keepsOpen>
      {children}
      <div class="buttons">
        <button type="button" class="button primary" onClick={onEnd}>
          {words.value.common.copiedIt}
        </button>
      </div>
    </Dialog>
  );
}
