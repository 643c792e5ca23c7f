import { createTwoFilesPatch } from 'diff';
import { path } from '../../client/http.ts';
import type { PolicyDiff } from '../../schemas/policies.ts';
import type { Call } from '../api/call.ts';
import { idOf } from '../api/find.ts';
import { Exit, exitCodes } from '../exit.ts';
import type { Output } from '../output/output.ts';
import { printable } from '../output/printable.ts';
import { documentIn, policyOf } from './document.ts';
import { versionIn } from './version.ts';

/** What pushing a file would change, or what two versions of a policy say differently. Like `diff` it is 1 for a difference. */
export async function diff(call: Call<{ policy?: string }>): Promise<void> {
  const [, from] = call.args;
  const same = from === undefined ? await diffOfFile(call) : await diffOfVersions(call);
  if (!same) throw new Exit(exitCodes.failed);
}

async function diffOfFile({ http, out, options, args: [file = ''] }: Call<{ policy?: string }>) {
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
  else printPatch(out, patch);
  return same;
}

async function diffOfVersions({ http, out, options, args }: Call<{ policy?: string }>) {
  const [given, from = '', to] = args;
  if (options.policy !== undefined) {
    throw new Exit(exitCodes.wrongUse, '--policy goes with a file: name the policy before its versions');
  }
  const id = await idOf(http, 'policies', given);
  const [first, second] = [versionIn(from), to === undefined ? await currentVersion() : versionIn(to)];
  const { data } = await http.send<PolicyDiff>({
    method: 'GET',
    path: path`/v1/policies/${id}/versions/${String(first)}/diff/${String(second)}`,
  });
  if (out.json) out.line(data, '');
  else {
    printPatch(out, data.text);
    for (const { part, name, change } of data.changes) {
      out.line({}, printable(`${part.toLowerCase()} ${name}: ${change.toLowerCase()}`));
    }
  }
  return data.text === '';

  async function currentVersion(): Promise<number> {
    return (await http.send<{ version: number }>({ method: 'GET', path: path`/v1/policies/${id}` })).data
      .version;
  }
}

function printPatch(out: Output, patch: string): void {
  for (const line of patch.split('\n').slice(0, -1)) out.line({}, colour(line));

  function colour(line: string): string {
    const text = printable(line.replaceAll('\t', '    '));
    if (/^(---|\+\+\+) /.test(text)) return out.style.strong(text);
    if (text.startsWith('+')) return out.style.added(text);
    if (text.startsWith('-')) return out.style.removed(text);
    return text.startsWith('@@') ? out.style.faint(text) : text;
  }
}
