import { parseForWriting } from '../../json/parse.ts';
import { Exit, exitCodes } from '../exit.ts';

export interface Terms {
  param?: string[];
  mode?: string;
}

/** What is sent to bind a policy. Without terms an existing binding keeps its own. */
export function bodyOf({ param, mode }: Terms): { json?: object } {
  const json = { ...(param && { params: paramsIn(param) }), ...(mode !== undefined && { mode }) };
  return Object.keys(json).length > 0 ? { json } : {};
}

/** `limit=5`, `tools=["a"]`: what is no JSON is the text itself. Digits of large numbers are kept. */
function paramsIn(given: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    given.map((text) => {
      const place = text.indexOf('=');
      if (place < 1) throw new Exit(exitCodes.wrongUse, `--param ${text}: write it as name=value`);
      return [text.slice(0, place), valueIn(text.slice(place + 1))];
    }),
  );
}

function valueIn(text: string): unknown {
  try {
    return parseForWriting(text);
  } catch {
    return text;
  }
}
