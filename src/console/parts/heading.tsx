import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { visibleText } from '../data/visible-text.ts';
import { Visible } from './visible.tsx';

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
      {children}
    </div>
  );
}

interface DetailsProps {
  /** What is there is shown; null and what is empty are left out. */
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
