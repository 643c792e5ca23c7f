import { useState } from 'preact/hooks';
import { words } from '../strings/index.ts';
import { Copy } from './copy.tsx';
import { Visible } from './visible.tsx';

/** Characters and lines of a value that are shown before it is unfolded. */
const foldedLength = 1_500;
const foldedLines = 24;
/** More than this is only copied: a browser takes seconds to lay out megabytes. */
const mostShown = 200_000;

/** A JSON value that may come from an agent: indented, folded when it is long, and nothing but text. */
export function Json({ value, label }: { value: unknown; label: string }) {
  const [open, setOpen] = useState(false);
  const text = JSON.stringify(value, null, 2) ?? '';
  const folded = foldedText(text);
  const shown = open ? text.slice(0, mostShown) : folded;
  return (
    <figure class="json">
      <figcaption>
        <span>{label}</span>
        <Copy text={text} about={label} />
      </figcaption>
      <pre tabIndex={0} role="region" aria-label={label}>
        <Visible text={shown} />
        {shown.length < text.length && '…'}
      </pre>
      {folded.length < text.length && (
        <button type="button" class="link" onClick={() => setOpen(!open)}>
          {open ? words.value.common.less : words.value.common.more}
        </button>
      )}
    </figure>
  );
}

function foldedText(text: string): string {
  const lines = text.slice(0, foldedLength).split('\n');
  return lines.slice(0, foldedLines).join('\n');
}
