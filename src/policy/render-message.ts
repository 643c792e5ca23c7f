import { type Budget, CelError, toText } from '../cel/index.ts';
import type { CompiledMessage } from './compile-policy.ts';

/** What a message shows of a value: it may have to be masked. */
export type ShowValue = (text: string) => string;

/** The longest text of one value: people read messages, and an input may have a megabyte. */
const maxCharacters = 200;

/** Joins the pieces of a message, or returns the error of the first that fails. `show` is applied to each value before it is cut. */
export function renderMessage(
  message: CompiledMessage,
  activation: object,
  budget: Budget,
  show?: ShowValue,
): string | CelError {
  if (typeof message === 'string') return message;
  let rendered = '';
  for (const part of message) {
    if (typeof part === 'string') {
      rendered += part;
      continue;
    }
    const value = part.run(activation, budget);
    const text = value instanceof CelError ? value : toText(value);
    if (text instanceof CelError) return text;
    const shown = show ? show(text) : text;
    rendered += shown.length <= maxCharacters ? shown : shorten(shown);
  }
  return rendered;
}

/** Cuts between code points: half a surrogate pair is not valid Unicode and cannot be stored. */
function shorten(text: string): string {
  const end = /[\uD800-\uDBFF]/.test(text[maxCharacters - 1] as string) ? maxCharacters - 1 : maxCharacters;
  return `${text.slice(0, end)}…`;
}
