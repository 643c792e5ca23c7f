import { createTwoFilesPatch } from 'diff';
import type { Call } from '../api/call.ts';
import { Exit, exitCodes } from '../exit.ts';
import { printable } from '../output/printable.ts';
import { documentIn, policyOf } from './document.ts';

/** What pushing a file would change, as a unified diff. Like `diff` it is 1 when there is a difference. */
export async function diff({
  http,
  out,
  options,
  args: [file = ''],
}: Call<{ policy?: string }>): Promise<void> {
  const document = documentIn(file);
  const policy = await policyOf(http, document, options.policy);
  const before = policy ? `${policy.name} version ${policy.version}` : '/dev/null';
  const same = policy?.document === document.text;
  const patch = same
    ? ''
    : createTwoFilesPatch(before, file, policy?.document ?? '', document.text, undefined, undefined, {
        headerOptions: { includeIndex: false, includeUnderline: false, includeFileHeaders: true },
      });
  if (out.json) out.line({ policyId: policy?.id ?? null, version: policy?.version ?? null, same, patch }, '');
  else for (const line of patch.split('\n').slice(0, -1)) out.line({}, colour(line));
  if (!same) throw new Exit(exitCodes.failed);

  function colour(line: string): string {
    const text = printable(line.replaceAll('\t', '    '));
    if (/^(---|\+\+\+) /.test(text)) return out.style.strong(text);
    if (text.startsWith('+')) return out.style.added(text);
    if (text.startsWith('-')) return out.style.removed(text);
    return text.startsWith('@@') ? out.style.faint(text) : text;
  }
}
