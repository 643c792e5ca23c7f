import type { Node } from './ast.ts';
import { SourceFault } from './fault.ts';
import type { Token } from './lexer.ts';
import type { Limits } from './limits.ts';

/** The tokens of a source, and the two limits that bound the parser's work. */
export class TokenStream {
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

  unexpected(wanted: string, token: Token = this.peek()): SourceFault {
    const found = token.kind === 'end' ? 'the end' : `"${token.text}"`;
    return new SourceFault('syntax', `found ${found} where ${wanted} was expected`, token, hintFor(token));
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
