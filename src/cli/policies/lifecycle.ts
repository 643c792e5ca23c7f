import { path } from '../../client/http.ts';
import type { PolicySummary } from '../../schemas/policies.ts';
import type { Call } from '../api/call.ts';
import { idOf } from '../api/find.ts';
import { Exit, exitCodes } from '../exit.ts';
import { policyStateFields } from './columns.ts';
import { versionIn } from './version.ts';

export const activate = (call: Call): Promise<void> => activateAs('activate', call);
export const rollBack = (call: Call): Promise<void> => activateAs('rollback', call);

async function activateAs(verb: string, { http, out, args: [given, version] }: Call): Promise<void> {
  const json = version === undefined ? undefined : { version: versionIn(version) };
  await changeStatus({ http, out, given, verb, json });
}

export async function schedule(call: Call<{ at?: string; cancel?: boolean }>): Promise<void> {
  const { http, out, options, args } = call;
  const [given, version] = args;
  if ((options.at === undefined) === (options.cancel === undefined)) {
    throw new Exit(exitCodes.wrongUse, 'give --at TIME, or --cancel');
  }
  if (options.cancel) {
    if (version !== undefined) throw new Exit(exitCodes.wrongUse, '--cancel takes no version');
    return changeStatus({ http, out, given, verb: 'schedule', method: 'DELETE' });
  }
  const json = { at: options.at, ...(version !== undefined && { version: versionIn(version) }) };
  await changeStatus({ http, out, given, verb: 'schedule', json });
}

export const deprecate = ({ http, out, args: [given] }: Call): Promise<void> =>
  changeStatus({ http, out, given, verb: 'deprecate' });

async function changeStatus(
  change: Pick<Call, 'http' | 'out'> & {
    given: string | undefined;
    verb: string;
    method?: 'POST' | 'DELETE';
    json?: unknown;
  },
): Promise<void> {
  const id = await idOf(change.http, 'policies', change.given);
  const { data } = await change.http.send<PolicySummary>({
    method: change.method ?? 'POST',
    path: path`/v1/policies/${id}/${change.verb}`,
    json: change.json,
  });
  change.out.record(data, policyStateFields);
}

export async function remove({ http, out, args: [given] }: Call): Promise<void> {
  const id = await idOf(http, 'policies', given);
  const { data } = await http.send<PolicySummary>({ method: 'DELETE', path: path`/v1/policies/${id}` });
  out.record({ id: data.id, name: data.name, deleted: true }, [
    { title: 'DELETED', of: (policy) => policy.id },
    { title: 'NAME', of: (policy) => policy.name },
  ]);
}
