import type { Test } from 'tap';
import type { HookOptions } from '../../../src/cli/hook/run.ts';
import { temporaryFolder } from '../../helpers/app.ts';
import { listeningApp } from '../../helpers/listen.ts';
import { rule } from '../../helpers/policies.ts';

/** A server, or the given one, with an integration whose one rule applies in these phases, and options of a hook that asks it. */
export async function openHookFixture(
  t: Test,
  when: string,
  effect: string,
  phases: readonly string[],
  given?: Awaited<ReturnType<typeof listeningApp>>,
) {
  const app = given ?? (await listeningApp(t));
  const { id, key } = await app.integration('AGENT', { contentRetention: 'full' });
  const policy = rule(when, effect, 'onError: BLOCK');
  await app.policy(id, policy.replace('    when:', `    on: [${phases}]\n    when:`));
  const options: HookOptions = {
    url: app.url,
    key,
    onAllow: 'pass',
    onHold: 'ask',
    onFailure: 'deny',
    limitMs: 5_000,
    waitMs: 5_000,
    stateFolder: temporaryFolder(t),
  };
  return { app, client: app.client(key), options };
}
