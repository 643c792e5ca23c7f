import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { segments } from '../../data/route.ts';
import { visibleText } from '../../data/visible-text.ts';
import { words } from '../../strings/index.ts';
import { Copy } from '../copy.tsx';
import { Visible } from '../visible.tsx';

interface HeadingProps {
  title: string;
  /** Beside the title: states and actions. */
  children?: ComponentChildren;
}

/** The title of a page, in the page and in the browser's tab. */
export function Heading({ title, children }: HeadingProps) {
  useEffect(() => {
    document.title = `${visibleText(title).slice(0, 80)} · Assize`;
  }, [title]);
  return (
    <div class="heading">
      <h1>
        <Visible text={title} />
      </h1>
      <CopyAddress />
      {children}
    </div>
  );
}

/** On the page of one thing: its id and its address, to be given to others. */
function CopyAddress() {
  const { common } = words.value;
  const [, id, ...rest] = segments.value;
  if (id === undefined || id === 'new' || rest.length > 0) return null;
  return (
    <span class="copy-address">
      <Copy text={id} label={common.copyId} icon="copy" />
      <Copy text={location.href} label={common.copyLink} icon="link" />
    </span>
  );
}

interface DetailsProps {
  /** The facts to show; null and empty ones are left out. */
  of: readonly (readonly [label: string, value: ComponentChildren])[];
}

/** Names with their values, beside one another. */
export function Details({ of }: DetailsProps) {
  return (
    <dl class="details">
      {of.map(
        ([label, value]) =>
          value !== null &&
          value !== undefined &&
          value !== '' &&
          value !== false && (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
