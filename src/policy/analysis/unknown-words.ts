import { type CallNode, childrenOf, type MacroNode, type Node, type OperatorNode } from '../../cel/ast.ts';
import type { CheckedExpression } from '../../cel/index.ts';
import { nearest } from '../../cel/suggest.ts';
import { integrationKinds } from '../../features/integrations/words.ts';
import { toolEffects } from '../../features/tools/words.ts';
import { enforcementActions, phases, severities } from '../../schemas/words.ts';
import { at, constantOf, type Known, type Part, partOf, resolved } from './conditions.ts';

/** A word that the field it is compared with never has. */
interface UnknownWord {
  readonly offset: number;
  readonly message: string;
  readonly hint: string | null;
}

/** The names that the words of an expression are looked up in. */
export interface Vocabulary extends Known {
  /** Every data tag and category; null when they are not known. */
  readonly tags: ReadonlySet<string> | null;
}

/** Texts that can never be equal to what they are compared with, and severities whose order is that of their letters. */
export function unknownWords(expression: CheckedExpression, vocabulary: Vocabulary): UnknownWord[] {
  const found: UnknownWord[] = [];
  visit(partOf(expression), new Set(), vocabulary, (word) => found.push(word));
  return found;
}

type Report = (word: UnknownWord) => void;

function visit(part: Part, bound: Bound, vocabulary: Vocabulary, report: Report): void {
  const { node } = part;
  if (node.kind === 'macro') {
    visitMacro(part, node, bound, vocabulary, report);
    return;
  }
  if (node.kind === 'operator') checkOperator(part, node, bound, vocabulary, report);
  if (node.kind === 'call') checkCall(part, node, vocabulary, report);
  for (const child of childrenOf(node)) visit(at(part, child), bound, vocabulary, report);
}

function visitMacro(part: Part, node: MacroNode, bound: Bound, vocabulary: Vocabulary, report: Report): void {
  visit(at(part, node.range), bound, vocabulary, report);
  const inner = new Set(bound);
  for (const { name } of node.variables) inner.delete(name);
  const [variable] = node.variables;
  if (variable !== undefined && node.variables.length === 1 && isTags(at(part, node.range)))
    inner.add(variable.name);
  if (node.filter !== null) visit(at(part, node.filter), inner, vocabulary, report);
  visit(at(part, node.body), inner, vocabulary, report);
}

function checkOperator(
  part: Part,
  node: OperatorNode,
  bound: Bound,
  vocabulary: Vocabulary,
  report: Report,
): void {
  const [left, right] = node.operands as [Node, Node | undefined];
  if (right === undefined) return;
  const check = (domain: Domain | null, word: Node) => checkWords(domain, at(part, word), vocabulary, report);
  switch (node.operator) {
    case '==':
    case '!=':
      check(domainOf(at(part, left), bound), right);
      check(domainOf(at(part, right), bound), left);
      return;
    case 'in':
      check(domainOf(at(part, left), bound), right);
      if (isTags(resolved(at(part, right), vocabulary))) check(tagDomain, left);
      return;
    case '<':
    case '<=':
    case '>':
    case '>=': {
      const domains = [left, right].map((side) => domainOf(at(part, side), bound));
      if (!domains.includes(severityDomain)) return;
      const message = 'severities have no order as texts: HIGH is before LOW';
      report({ offset: node.start, message, hint: 'write severityRank(…) on both sides' });
      return;
    }
    default:
      return;
  }
}

const ZONED =
  /^get(?:FullYear|Month|DayOfMonth|Date|DayOfYear|DayOfWeek|Hours|Minutes|Seconds|Milliseconds)$/;

function checkCall(part: Part, node: CallNode, vocabulary: Vocabulary, report: Report): void {
  const [argument] = node.args;
  if (argument === undefined) return;
  if (node.name === 'severityRank') checkWords(severityDomain, at(part, argument), vocabulary, report);
  if (node.target === null) return;
  const isListOfTags = node.name === 'containsAny' || node.name === 'containsAll';
  if (isListOfTags && isTags(resolved(at(part, node.target), vocabulary)))
    checkWords(tagDomain, at(part, argument), vocabulary, report);
  if (ZONED.test(node.name) && part.types.get(node.target)?.kind === 'timestamp')
    checkWords(zoneDomain, at(part, argument), vocabulary, report);
}

/** A literal, a param, or a list of them. */
function checkWords(domain: Domain | null, part: Part, vocabulary: Vocabulary, report: Report): void {
  if (domain === null) return;
  const { node } = part;
  if (node.kind === 'list') {
    for (const element of node.elements) checkWords(domain, at(part, element.node), vocabulary, report);
    return;
  }
  const value = constantOf(part, vocabulary);
  for (const word of Array.isArray(value) ? value : [value]) {
    if (typeof word !== 'string' || isKnown(domain, word, vocabulary)) continue;
    const meant = nearest(word, valuesOf(domain, vocabulary));
    const message = `no ${domain.what} is called ${JSON.stringify(word.slice(0, 60))}`;
    report({ offset: node.start, message, hint: meant === null ? null : `did you mean "${meant}"?` });
  }
}

function isKnown({ values }: Domain, word: string, { tags }: Vocabulary): boolean {
  if (values === 'tags') return tags === null || tags.has(word);
  if (values === 'zones') return isZone(word);
  return values.includes(word);
}

function valuesOf({ values }: Domain, { tags }: Vocabulary): Iterable<string> {
  if (values === 'tags') return tags ?? [];
  return values === 'zones' ? Intl.supportedValuesOf('timeZone') : values;
}

function isZone(name: string): boolean {
  if (/^[+-]?\d\d:\d\d$/.test(name)) return true;
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** A set of texts that a field may have, and what one of them is called. */
interface Domain {
  readonly what: string;
  readonly values: readonly string[] | 'tags' | 'zones';
}

const tag: Domain = { what: 'data tag', values: 'tags' };
const severity: Domain = { what: 'severity', values: severities };

/** By the record and field that a part reads. */
const fields: Readonly<Record<string, Domain>> = {
  'action.enforcementAction': { what: 'enforcement action', values: enforcementActions },
  'action.severity': severity,
  'decision.enforcementAction': { what: 'enforcement action', values: enforcementActions },
  'decision.severity': severity,
  'detection.type': tag,
  'integration.kind': { what: 'kind of integration', values: integrationKinds },
  'sighting.phase': { what: 'phase', values: phases },
  'result.status': { what: 'result status', values: ['OK', 'FAILED', ''] },
};
const names: Readonly<Record<string, Domain>> = {
  phase: { what: 'phase', values: phases },
  toolEffect: { what: 'tool effect', values: [...toolEffects, ''] },
};

/** Names that macros bind to data tags. */
type Bound = ReadonlySet<string>;

/** The texts that a part may be; null when it may be any. */
function domainOf(part: Part, bound: Bound): Domain | null {
  const { node, types } = part;
  if (node.kind === 'name') return bound.has(node.name) ? tag : (names[node.name] ?? null);
  if (node.kind === 'index') return isTags(at(part, node.operand)) ? tag : null;
  if (node.kind !== 'select') return null;
  const type = types.get(node.operand);
  return type?.kind === 'object' ? (fields[`${type.name}.${node.field}`] ?? null) : null;
}

const tagDomain = tag;
const severityDomain = severity;
const zoneDomain: Domain = { what: 'time zone', values: 'zones' };

/** Whether a part is a list of data tags: of the action, of the session or of an earlier action. */
function isTags(part: Part): boolean {
  const { node, types } = part;
  if (node.kind === 'name') return node.name === 'dataTags';
  if (node.kind === 'macro') return node.macro === 'filter' && isTags(at(part, node.range));
  if (node.kind !== 'select' || node.field !== 'dataTags') return false;
  const type = types.get(node.operand as Node);
  return type?.kind === 'object' && (type.name === 'session' || type.name === 'action');
}
