import type { ComponentChildren } from 'preact';

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
