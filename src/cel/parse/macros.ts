import type { MacroName, NameNode, Node } from '../ast.ts';
import { SourceFault, type Span } from '../issue.ts';

/** How many names a macro binds and how many expressions follow them. */
interface Form {
  readonly macro: MacroName;
  readonly variables: 1 | 2;
  readonly filter: boolean;
}

const form = (macro: MacroName, variables: 1 | 2, filter = false): Form => ({ macro, variables, filter });
const argumentCount = ({ variables, filter }: Form): number => variables + (filter ? 2 : 1);

// The standard macros, those of the two-variable comprehensions extension, and those on optionals.
const FORMS: Readonly<Record<string, readonly Form[]>> = {
  all: [form('all', 1), form('all', 2)],
  exists: [form('exists', 1), form('exists', 2)],
  exists_one: [form('existsOne', 1), form('existsOne', 2)],
  existsOne: [form('existsOne', 1), form('existsOne', 2)],
  map: [form('map', 1), form('map', 1, true)],
  filter: [form('filter', 1)],
  transformList: [form('transformList', 2), form('transformList', 2, true)],
  transformMap: [form('transformMap', 2), form('transformMap', 2, true)],
  transformMapEntry: [form('transformMapEntry', 2), form('transformMapEntry', 2, true)],
  sortBy: [form('sortBy', 1)],
  optMap: [form('optMap', 1)],
  optFlatMap: [form('optFlatMap', 1)],
};

/** Names of macros called on a value, for suggestions. */
export const macroNames: readonly string[] = [...Object.keys(FORMS), 'has', 'cel.bind'];

/** The node of `target.name(args)` when that is a macro, or null when it is an ordinary call. */
export function memberMacro(target: Node, name: string, args: readonly Node[], span: Span): Node | null {
  if (name === 'bind' && target.kind === 'name' && target.name === 'cel') return bind(args, span);
  const forms = Object.hasOwn(FORMS, name) ? FORMS[name] : undefined;
  const found = forms?.find((one) => argumentCount(one) === args.length);
  if (found === undefined) return null;
  const variables = args.slice(0, found.variables).map((node) => variable(node, name));
  const [first, second] = variables;
  if (second !== undefined && first?.name === second.name) {
    throw new SourceFault('invalid_macro', `${name} binds "${second.name}" twice`, second, 'use two names');
  }
  const filter = found.filter ? (args[found.variables] as Node) : null;
  const body = args[args.length - 1] as Node;
  return { kind: 'macro', macro: found.macro, range: target, variables, filter, body, ...span };
}

function bind(args: readonly Node[], span: Span): Node {
  const [name, value, body] = args;
  if (name === undefined || value === undefined || body === undefined || args.length !== 3) {
    throw new SourceFault('invalid_macro', 'cel.bind takes a name, its value and an expression', span);
  }
  return { kind: 'bind', variable: variable(name, 'cel.bind'), value, body, ...span };
}

function variable(node: Node, macro: string): NameNode {
  if (node.kind === 'name') return node;
  const hint = `write it as in ${macro}(x, …)`;
  throw new SourceFault('invalid_macro', `${macro} needs a plain name for its variable`, node, hint);
}

/** `has(a.b)`: asks for the field instead of reading it. */
export function hasMacro(args: readonly Node[], span: Span): Node {
  const [node] = args;
  if (args.length === 1 && node?.kind === 'select' && !node.optional && !node.test) {
    return { ...node, ...span, test: true };
  }
  const hint = 'write has(a.b); for a key, write "key" in a';
  throw new SourceFault('invalid_macro', 'has takes one field selection', span, hint);
}
