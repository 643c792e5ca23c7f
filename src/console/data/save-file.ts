/** Offers a file to be saved, as a download. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken it by the next turn.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** The beginning of a spreadsheet's formula: a text of an agent must not become one. */
const formulaStart = /^[=+\-@\t\r]/;

const csvField = (value: string | number): string => {
  const text = typeof value === 'string' && formulaStart.test(value) ? `'${value}` : String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** With the byte order mark that Excel needs to read it as UTF-8. */
export const csvOf = (rows: readonly (readonly (string | number)[])[]): Blob =>
  new Blob([`\uFEFF${rows.map((row) => row.map(csvField).join(',')).join('\r\n')}\r\n`], {
    type: 'text/csv;charset=utf-8',
  });
