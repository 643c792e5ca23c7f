import type { IntegrationSettings } from '../../src/features/integrations/schema.ts';
import { adminKey, type TestApp } from './app.ts';
import { rule } from './policies.ts';

export const hold = (more = '', name = 'hold'): string =>
  rule('tool == "pay"', 'APPROVAL_REQUIRED', more).replace('name: one-rule', `name: ${name}`);

export const pay = { input: { tool: 'pay', amount: 7 }, targetKey: 'account-1' };

/** An integration whose `pay` is held for review, with a session of its own. */
export async function heldIntegration(
  app: TestApp,
  policyMore = '',
  settings: Partial<IntegrationSettings> = {},
) {
  const integration = await app.integration('AGENT', {
    contentRetention: 'full',
    maxPendingReviewsInSession: 1_000,
    ...settings,
  });
  const policyId = await app.policy(integration.id, hold(policyMore));
  const { body } = await app.call(integration.key, 'POST', '/v1/evaluation-sessions');
  const sessionId: string = body.data.id;
  const evaluate = async (request: object = {}) =>
    (await app.call(integration.key, 'POST', '/v1/evaluate', { ...pay, sessionId, ...request })).body.data;
  return {
    ...integration,
    policyId,
    sessionId,
    evaluate,
    resume: (reviewRequestId: string, request: object = {}) => evaluate({ reviewRequestId, ...request }),
    /** A new review of `pay`. */
    review: async (request: object = {}): Promise<string> => (await evaluate(request)).reviewRequestId,
    decide: (id: string, verb: 'approve' | 'reject', body?: object) =>
      app.call(adminKey, 'POST', `/v1/reviews/${id}/${verb}`, body),
    read: async (id: string) => (await app.call(adminKey, 'GET', `/v1/reviews/${id}`)).body.data,
  };
}
