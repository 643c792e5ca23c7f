import { type CST, Lexer, Parser } from 'yaml';

/**
 * The syntax of a YAML text, or null when it nests deeper than about `limit` levels. Composing is recursive, and a few
 * kilobytes of `[` would exhaust the call stack; the tokenizer has a stack of its own and is stopped here.
 */
export function tokensOf(source: string, limit: number): CST.Token[] | null {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  for (const lexeme of new Lexer().lex(source)) {
    for (const token of parser.next(lexeme)) tokens.push(token);
    // Every level is one collection; the document around them and a scalar inside add one each.
    if (parser.stack.length > limit + 2) return null;
  }
  for (const token of parser.end()) tokens.push(token);
  return tokens;
}
