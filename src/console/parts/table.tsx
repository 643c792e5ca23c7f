import type { ComponentChildren } from 'preact';

interface TableProps {
  /** Of the columns, each different; empty for that of the buttons. */
  headings: readonly string[];
  /** The rows, each with a heading of its own. */
  children: ComponentChildren;
}

/** Of a style, for each column: where rows are cards, a value says what it is. */
const columnNames = (headings: readonly string[]): Record<string, string> =>
  Object.fromEntries(headings.map((heading, place) => [`--column-${place + 1}`, JSON.stringify(heading)]));

/** A list as a table, whose rows become cards where the window is narrow. */
export function Table({ headings, children }: TableProps) {
  return (
    <div class="table-frame">
      <table class="stacking" style={columnNames(headings)}>
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
