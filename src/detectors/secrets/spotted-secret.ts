import type { Pass } from '../pass.ts';
import { CLASS, IDEOGRAPH } from '../text/bytes.ts';
import { MAX_LABEL } from './label-cache.ts';
import { spottedSize, spottedWord } from './label-spots.ts';
import { isLabelByte, isMention, isSecretKind, labelBefore } from './labels.ts';
import { namedCommand } from './named-commands.ts';
import { valueAfter } from './value-after.ts';

/** The secret whose label has the pair of letters at `at`. Returns where it ends, 0 when there is none. */
export function spottedSecret(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  const word = spottedWord(b, at);
  if (word < pass.spottedEnd) return 0;
  let to = at;
  while (isLabelByte(b[to] as number) && to - word < MAX_LABEL) to++;
  while (b[to - 1] === 46 || b[to - 1] === 45) to--;
  if ((CLASS[b[word] as number] as number) & IDEOGRAPH) to = word + spottedSize();
  pass.spottedEnd = to;
  const command = namedCommand(pass, word, to);
  if (command !== 0) return command;
  const label = labelBefore(pass, to);
  if (label === null || !isSecretKind(label) || !pass.isOn(label.tag)) return 0;
  const from = pass.labelStart;
  if (isMention(b, from)) return 0;
  return valueAfter(pass, label, from, to);
}
