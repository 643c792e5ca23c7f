import type { Test } from 'tap';
import { adminKey, startApp } from '../../../helpers/app.ts';
import { rule } from '../../../helpers/policies.ts';

/** The service under a policy of one rule, and the key of an integration that it decides for. */
export async function governed(t: Test, when: string, effect: string, on = ['ACTION']) {
  const app = await startApp(t);
  const { id, key } = await app.integration('REST_API', { contentRetention: 'full' });
  const policy = await app.policy(
    id,
    rule(when, effect, 'onError: BLOCK').replace('    when:', `    on: [${on}]\n    when:`),
  );
  const post = (path: string, body: unknown, headers = {}) => app.call(key, 'POST', path, body, headers);
  const sessions = async () => (await app.call(key, 'GET', '/v1/evaluation-sessions')).body.data;
  const last = async () => (await app.call(adminKey, 'GET', '/v1/evaluations?size=1')).body.data[0];
  return { app, id, key, policy, post, sessions, last };
}
