import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { type Entry, fields, functions, members, methods, values, variables } from './names.ts';

const complete = (entries: readonly Entry[], type: string): Completion[] =>
  entries.map(([label, detail]) => ({ label, detail, type }));

/** Names of the document and of CEL. What follows a dot are the members of what is before it, and functions. */
export function completePolicy(context: CompletionContext): CompletionResult | null {
  const member = context.matchBefore(/(\w+)\.(\w*)$/);
  if (member) {
    const [owner = ''] = member.text.split('.');
    const options = [...complete(members[owner] ?? [], 'property'), ...complete(methods, 'function')];
    return { from: member.from + owner.length + 1, options, validFor: /^\w*$/ };
  }
  const word = context.matchBefore(/\w+$/);
  if (!word && !context.explicit) return null;
  const from = word?.from ?? context.pos;
  const line = context.state.doc.lineAt(context.pos);
  const isKey = /^\s*(?:- )?\w*$/.test(line.text.slice(0, context.pos - line.from));
  const options = isKey
    ? complete(fields, 'property')
    : [...complete(values, 'enum'), ...complete(variables, 'variable'), ...complete(functions, 'function')];
  return { from, options, validFor: /^\w*$/ };
}
