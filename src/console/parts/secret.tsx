import type { ComponentChildren } from 'preact';
import { words } from '../strings/index.ts';
import { Copy } from './copy.tsx';
import { Dialog } from './dialog.tsx';

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
