/** A piece of a message: text as it stands, or the source of an expression and where it starts in the template. */
export type TemplatePart = { text: string } | { source: string; offset: number };

export type ParsedTemplate = { ok: true; parts: TemplatePart[] } | { ok: false; offset: number };

/**
 * Splits `text {{CEL}} text`. An expression ends at the first `}}` outside its string literals, so that a message can
 * print braces: `{{"{{"}}`. Not ok when a `{{` is never closed; `offset` is where it stands.
 */
export function parseTemplate(template: string): ParsedTemplate {
  const parts: TemplatePart[] = [];
  let from = 0;
  while (from < template.length) {
    const open = template.indexOf('{{', from);
    if (open === -1) break;
    if (open > from) parts.push({ text: template.slice(from, open) });
    const close = closingBraces(template, open + 2);
    if (close === -1) return { ok: false, offset: open };
    parts.push({ source: template.slice(open + 2, close), offset: open + 2 });
    from = close + 2;
  }
  if (from < template.length) parts.push({ text: template.slice(from) });
  return { ok: true, parts };
}

function closingBraces(template: string, from: number): number {
  let quote = '';
  for (let index = from; index < template.length; index++) {
    const character = template[index] as string;
    if (quote !== '') {
      if (character === '\\') index++;
      else if (character === quote) quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if (template.startsWith('}}', index)) return index;
  }
  return -1;
}
