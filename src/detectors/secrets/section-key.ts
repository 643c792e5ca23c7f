import type { Pass } from '../pass.ts';
import { BLANK, COLON_SIGN, HYPHEN, LINE_FEED } from '../text/ascii.ts';
import { ALNUM, UNDERSCORE } from '../text/bytes.ts';
import { byteAt, is, isAt } from '../text/read.ts';

const KEY = 'key';
/** Lines before the key in which its section is looked for, and their characters. */
const MAX_LINES = 6;
const MAX_LINE = 120;

/** Whether a line of YAML that only says `key:` stands in a section that tells of what: `jwt:`, `encryption:`, `algolia:`. It ends at `to`. */
export function isSectionKey(pass: Pass, to: number): boolean {
  const { bytes: b, start } = pass.text;
  const from = to - KEY.length;
  if (!isAt(b, from, KEY)) return false;
  let indent = from;
  while (b[indent - 1] === BLANK) indent--;
  if (indent === from || b[indent - 1] !== LINE_FEED) return false;
  let end = indent - 1;
  for (let lines = 0; lines < MAX_LINES && end > start; lines++) {
    let begin = end;
    while (begin > start && end - begin < MAX_LINE && b[begin - 1] !== LINE_FEED) begin--;
    let name = begin;
    while (b[name] === BLANK) name++;
    if (name - begin < from - indent) return isSection(pass, b[name] === HYPHEN ? name + 2 : name, end);
    end = begin - 1;
  }
  return false;
}

/** Whether the line is the name of a section of keys. */
function isSection(pass: Pass, from: number, end: number): boolean {
  const b = pass.text.bytes;
  let to = from;
  while (is(b, to, ALNUM | UNDERSCORE) || b[to] === HYPHEN) to++;
  return (
    b[to] === COLON_SIGN &&
    byteAt(b, end - 1) === COLON_SIGN &&
    pass.setting.keys.get(pass.slice(from, to)).keyed
  );
}
