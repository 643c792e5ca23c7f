import type { Element, Node, Operator } from '../ast.ts';
import type { Limits } from '../environment.ts';
import { SourceFault, type Span, type UnplacedIssue } from '../issue.ts';
import { toInt } from '../number.ts';
import { type Token, tokenize } from './lexer.ts';
import { hasMacro, memberMacro } from './macros.ts';

/** The tokens of a source, and the two limits that bound the parser's work. */
class TokenStream {
  /** Where the last token taken ended. */
  lastEnd = 0;
  nodeCount = 0;
  private readonly tokens: readonly Token[];
  private readonly limits: Pick<Limits, 'nodes' | 'depth'>;
  private at = 0;
  private depth = 0;
  constructor(tokens: readonly Token[], limits: Pick<Limits, 'nodes' | 'depth'>) {
    this.tokens = tokens;
    this.limits = limits;
  }

  peek(): Token {
    return this.tokens[this.at] as Token;
  }

  peekIsOperator(): boolean {
    const token = this.peek();
    return token.kind === 'operator' || (token.kind === 'name' && token.text === 'in');
  }

  peekIsNumber(): boolean {
    const { kind } = this.peek();
    return kind === 'int' || kind === 'double';
  }

  /** The next token; at the end, the end again and again. */
  next(): Token {
    const token = this.peek();
    if (token.kind !== 'end') this.at += 1;
    this.lastEnd = token.end;
    return token;
  }

  /** Takes the next token if it is this operator. */
  take(operator: string): boolean {
    const token = this.peek();
    if (token.kind !== 'operator' || token.text !== operator) return false;
    this.next();
    return true;
  }

  expect(operator: string, orElse?: string): void {
    if (this.take(operator)) return;
    throw this.unexpected(orElse === undefined ? `"${operator}"` : `"${operator}" or "${orElse}"`);
  }

  unexpected(wanted: string, token: Token = this.peek(), hint = hintFor(token)): SourceFault {
    const found = token.kind === 'end' ? 'the end' : `"${token.text}"`;
    return new SourceFault('syntax', `found ${found} where ${wanted} was expected`, token, hint);
  }

  /** Counts a node against the limit. */
  node<Made extends Node>(made: Made): Made {
    this.nodeCount += 1;
    if (this.nodeCount > this.limits.nodes) {
      const message = `more than ${this.limits.nodes} operations and values in one expression`;
      throw new SourceFault('too_many_nodes', message, made, 'split it into several variables or rules');
    }
    return made;
  }

  /** Runs one level deeper. The limit keeps every later recursion over the tree far from a stack overflow. */
  nested<Made>(parse: () => Made): Made {
    this.depth += 1;
    if (this.depth > this.limits.depth) {
      const message = `nested more than ${this.limits.depth} levels deep`;
      throw new SourceFault('too_deep', message, this.peek(), 'split it into several variables or rules');
    }
    const made = parse();
    this.depth -= 1;
    return made;
  }
}

const INSTEAD: Readonly<Record<string, string>> = {
  and: 'for "and", write &&',
  or: 'for "or", write ||',
  not: 'for "not", write !',
  is: 'to compare, write ==',
  contains: 'write text.contains("part"), or "element" in list',
};

function hintFor(token: Token): string | undefined {
  return Object.hasOwn(INSTEAD, token.text) ? INSTEAD[token.text] : undefined;
}

type ParseResult = { ok: true; root: Node; nodeCount: number } | { ok: false; issue: UnplacedIssue };

/** Parses a source text into a tree. Never throws; stops at the first mistake, because the rest would be guesses. */
export function parse(source: string, limits: Pick<Limits, 'nodes' | 'depth'>): ParseResult {
  try {
    const parser = new Parser(tokenize(source), limits);
    return { ok: true, root: parser.whole(), nodeCount: parser.tokens.nodeCount };
  } catch (fault) {
    if (fault instanceof SourceFault) return { ok: false, issue: fault.issue };
    throw fault;
  }
}

// Binary operators from loosest to tightest; all are left-associative, so chains are loops and need no depth.
const LEVELS: readonly ReadonlySet<string>[] = [
  new Set(['||']),
  new Set(['&&']),
  new Set(['<', '<=', '>', '>=', '==', '!=', 'in']),
  new Set(['+', '-']),
  new Set(['*', '/', '%']),
];

const CONSTANTS: Readonly<Record<string, null | boolean>> = { null: null, true: true, false: false };
// Words that CEL reserves: no variable may have such a name, but a field may.
const RESERVED = new Set(
  'as break const continue else for function if import in let loop package namespace return var void while'.split(
    ' ',
  ),
);

class Parser {
  readonly tokens: TokenStream;
  constructor(tokens: readonly Token[], limits: Pick<Limits, 'nodes' | 'depth'>) {
    this.tokens = new TokenStream(tokens, limits);
  }

  whole(): Node {
    const root = this.expression();
    const after = this.tokens.peek();
    // `not a` reads as a variable that something follows: the mistake is the word before.
    const hint = hintFor(after) ?? (root.kind === 'name' && root.name === 'not' ? INSTEAD.not : undefined);
    if (after.kind !== 'end') throw this.tokens.unexpected('an operator or the end', after, hint);
    return root;
  }

  private expression(): Node {
    return this.tokens.nested(() => {
      const condition = this.binary(0);
      if (!this.tokens.take('?')) return condition;
      const yes = this.binary(0);
      this.tokens.expect(':');
      const no = this.expression();
      return this.tokens.node({
        kind: 'conditional',
        condition,
        yes,
        no,
        start: condition.start,
        end: no.end,
      });
    });
  }

  private binary(level: number): Node {
    const operators = LEVELS[level];
    if (operators === undefined) return this.unary();
    let left = this.binary(level + 1);
    while (operators.has(this.tokens.peek().text) && this.tokens.peekIsOperator()) {
      const operator = this.tokens.next().text as Operator;
      const right = this.binary(level + 1);
      left = this.operator(operator, [left, right], { start: left.start, end: right.end });
    }
    return left;
  }

  private operator(operator: Operator, operands: readonly Node[], span: Span): Node {
    return this.tokens.node({ kind: 'operator', operator, operands, ...span });
  }

  private unary(): Node {
    const first = this.tokens.peek();
    const sign = first.text === '!' || first.text === '-' ? first.text : null;
    if (sign === null || first.kind !== 'operator') return this.member();
    let count = 0;
    while (this.tokens.take(sign)) count += 1;
    // A sign directly before a number belongs to the literal, so that `-9007199254740991` is in range.
    const literal = sign === '-' && this.tokens.peekIsNumber();
    const operand = this.member(literal ? first.start : undefined);
    if (literal) count -= 1;
    if (count % 2 === 0) return operand;
    return this.operator(sign, [operand], { start: first.start, end: operand.end });
  }

  private member(minusAt?: number): Node {
    let node = this.primary(minusAt);
    for (;;) {
      if (this.tokens.take('.')) node = this.selection(node);
      else if (this.tokens.take('[')) node = this.index(node);
      else if (node.kind !== 'literal' && this.tokens.peek().text === '{' && this.tokens.peekIsOperator()) {
        const hint = 'for a map, write {"name": value}';
        throw new SourceFault('unsupported', 'message values are not part of this profile', node, hint);
      } else return node;
    }
  }

  private selection(operand: Node): Node {
    const optional = this.tokens.take('?');
    const at = this.tokens.next();
    const isField = (at.kind === 'name' && !Object.hasOwn(CONSTANTS, at.text)) || at.kind === 'quoted';
    if (!isField) throw this.tokens.unexpected('the name of a field', at);
    if (!optional && at.kind === 'name' && this.tokens.take('(')) {
      const args = this.list(')', () => this.expression());
      const span = { start: operand.start, end: this.tokens.lastEnd };
      const macro = memberMacro(operand, at.text, args, span);
      return this.tokens.node(macro ?? { kind: 'call', name: at.text, at, target: operand, args, ...span });
    }
    const span = { start: operand.start, end: at.end };
    return this.tokens.node({ kind: 'select', operand, field: at.text, at, optional, test: false, ...span });
  }

  private index(operand: Node): Node {
    const optional = this.tokens.take('?');
    const key = this.expression();
    this.tokens.expect(']');
    const span = { start: operand.start, end: this.tokens.lastEnd };
    return this.tokens.node({ kind: 'index', operand, key, optional, ...span });
  }

  private primary(minusAt?: number): Node {
    const token = this.tokens.next();
    const span = { start: minusAt ?? token.start, end: token.end };
    switch (token.kind) {
      case 'string':
        return this.tokens.node({ kind: 'literal', type: 'string', value: token.text, ...span });
      case 'int':
      case 'double':
        return this.tokens.node(number(token, span, minusAt !== undefined));
      case 'name':
        return this.name(token);
      case 'operator':
        return this.bracketed(token);
      default:
        throw this.tokens.unexpected('a value', token);
    }
  }

  private name(token: Token): Node {
    const { text: name, start, end } = token;
    if (Object.hasOwn(CONSTANTS, name)) {
      const value = CONSTANTS[name] as null | boolean;
      return this.tokens.node({ kind: 'literal', type: value === null ? 'null' : 'bool', value, start, end });
    }
    if (RESERVED.has(name)) {
      throw new SourceFault('syntax', `"${name}" is a reserved word`, token, 'choose another name');
    }
    if (!this.tokens.take('(')) return this.tokens.node({ kind: 'name', name, start, end });
    const args = this.list(')', () => this.expression());
    const span = { start, end: this.tokens.lastEnd };
    if (name === 'has') return hasMacro(args, span);
    return this.tokens.node({ kind: 'call', name, at: token, target: null, args, ...span });
  }

  private bracketed(token: Token): Node {
    const { start } = token;
    if (token.text === '(') {
      const inner = this.expression();
      this.tokens.expect(')');
      return inner;
    }
    if (token.text === '[') {
      const elements = this.list(']', () => this.element());
      return this.tokens.node({ kind: 'list', elements, start, end: this.tokens.lastEnd });
    }
    if (token.text === '{') {
      const entries = this.list('}', () => this.entry());
      return this.tokens.node({ kind: 'map', entries, start, end: this.tokens.lastEnd });
    }
    // `.name` asks for the outermost variable of that name; there are no containers here, so it is the same one.
    if (token.text === '.' && this.tokens.peek().kind === 'name') return this.name(this.tokens.next());
    throw this.tokens.unexpected('a value', token);
  }

  private element(): Element {
    const optional = this.tokens.take('?');
    return { node: this.expression(), optional };
  }

  private entry(): { key: Node; value: Element } {
    const optional = this.tokens.take('?');
    const key = this.expression();
    this.tokens.expect(':');
    return { key, value: { node: this.expression(), optional } };
  }

  /** Items up to a closing bracket, separated by commas; one comma may follow the last, except in a call. */
  private list<Item>(close: string, item: () => Item): Item[] {
    const items: Item[] = [];
    while (!this.tokens.take(close)) {
      if (items.length > 0) {
        this.tokens.expect(',', close);
        if (close !== ')' && this.tokens.take(close)) break;
      }
      items.push(item());
    }
    return items;
  }
}

function number(token: Token, span: Span, negative: boolean): Node {
  if (token.kind === 'double') {
    const size = Number(token.text);
    return { kind: 'literal', type: 'double', value: negative ? -size : size, ...span };
  }
  const size = BigInt(token.text);
  const value = toInt(negative ? -size : size);
  if (value === null) {
    const hint = 'integers reach from -9223372036854775808 to 9223372036854775807; write a double for more';
    throw new SourceFault('invalid_literal', `${token.text} is out of range`, span, hint);
  }
  return { kind: 'literal', type: 'int', value, ...span };
}
