import type { ComponentChildren } from 'preact';

interface TableProps {
  /** Of the columns, each different. */
  headings: readonly string[];
  /** The rows, each with a heading of its own. */
  children: ComponentChildren;
}

/** A list as a table, whose rows become cards where the window is narrow. */
export function Table({ headings, children }: TableProps) {
  return (
    <div class="table-frame">
      <table class="stacking">
        <thead>
          <tr>
            {headings.map((heading) => (
              <th key={heading} scope="col">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
