import type { Scene } from './scene.ts';

export interface Exception {
  /** As in the table of docs/operators.md. */
  why: string;
  /** Has one operator let an action pass: what it gets before and after. */
  loosens: (scene: Scene) => Promise<[before: string, after: string]>;
}

const decided = async (scene: Scene, tool: string, more: object = {}): Promise<string> =>
  (await scene.act({ tool }, more)).enforcementAction;

/** A policy that blocks `notes.read`, and a milder version of it by Ada that nobody activated. */
async function withMilderVersion(scene: Scene): Promise<string> {
  const { ada } = scene.operators;
  const policyId = await scene.policy(scene.versionOf('strict', 'notes.read', 'BLOCK'));
  await scene.agreed({ operation: 'bindPolicy', integrationId: scene.integration.id, policyId });
  const milder = scene.versionOf('mild', 'notes.read', 'WARN');
  await scene.call(ada.key, 'PUT', `/v1/policies/${policyId}`, milder, scene.yaml);
  return policyId;
}
/** What `notes.read` gets before and after. */
async function byVersion(scene: Scene, change: (url: string) => Promise<unknown>): Promise<[string, string]> {
  const url = `/v1/policies/${await withMilderVersion(scene)}`;
  const before = await decided(scene, 'notes.read');
  await change(url);
  return [before, await decided(scene, 'notes.read')];
}
const soon = (scene: Scene): string => new Date(scene.app.clock.now() + 1_000).toISOString();

/** What a held action gets before and after somebody who did not request it approves it. */
async function byApproval(
  scene: Scene,
  approve: (id: string) => Promise<unknown>,
): Promise<[string, string]> {
  const reviewRequestId = scene.review('order');
  const before = await decided(scene, 'order', { reviewRequestId });
  await approve(reviewRequestId);
  return [before, await decided(scene, 'order', { reviewRequestId })];
}

const twoOperators = 'The author of the version and who activates it are two';
const whoSignsIn =
  'Owners say who signs in, so an owner could act as somebody else. The audit and the events `operator.*` and `key.*` show it';

/** By operationId: what one operator may do although an action passes that was stopped. */
export const exceptions: Readonly<Record<string, Exception>> = {
  activatePolicy: {
    why: twoOperators,
    loosens: (scene) => byVersion(scene, (url) => scene.as('POST', `${url}/activate`, { version: 2 })),
  },
  schedulePolicy: {
    why: twoOperators,
    loosens: (scene) =>
      byVersion(scene, async (url) => {
        await scene.as('POST', `${url}/schedule`, { version: 2, at: soon(scene) });
        scene.app.clock.advance(2_000);
      }),
  },
  rollBackPolicy: {
    why: `${twoOperators}, and it decided before`,
    loosens: (scene) =>
      byVersion(scene, async (url) => {
        const { ada, bob } = scene.operators;
        await scene.made(bob.key, `${url}/activate`, { version: 2 });
        await scene.call(ada.key, 'PUT', url, scene.versionOf('v3', 'notes.read', 'BLOCK'), scene.yaml);
        await scene.made(bob.key, `${url}/activate`, { version: 3 });
        if ((await decided(scene, 'notes.read')) !== 'BLOCK') throw new Error('version 3 does not decide');
        return scene.as('POST', `${url}/rollback`, { version: 2 });
      }),
  },
  unschedulePolicy: {
    why: 'The version that decides goes on deciding, and a mistake must be stopped at once',
    async loosens(scene) {
      const { ada, bob } = scene.operators;
      const results: string[] = [];
      for (const isCancelled of [false, true]) {
        const { id } = await scene.made(
          ada.key,
          '/v1/policies',
          scene.versionOf('later', 'notes.read', 'BLOCK'),
          scene.yaml,
        );
        await scene.agreed({ operation: 'bindPolicy', integrationId: scene.integration.id, policyId: id });
        await scene.made(bob.key, `/v1/policies/${id}/schedule`, { at: soon(scene) });
        if (isCancelled) await scene.as('DELETE', `/v1/policies/${id}/schedule`);
        scene.app.clock.advance(2_000);
        results.push(await decided(scene, 'notes.read'));
        await scene.agreed({ operation: 'unbindPolicy', integrationId: scene.integration.id, policyId: id });
      }
      return results as [string, string];
    },
  },
  activateProposal: {
    why: 'The author of the proposal and who activates it are two',
    loosens: async (scene) => {
      const before = await decided(scene, 'git.push');
      const change = { operation: 'deprecatePolicy', policyId: scene.policyId };
      const { id } = await scene.made(scene.operators.ada.key, '/v1/proposals', change);
      await scene.as('POST', `/v1/proposals/${id}/activate`);
      // The house policy still decides.
      return [before, await decided(scene, 'git.push')];
    },
  },
  approveReview: {
    why: 'Who requested the action and the reviewer are two',
    loosens: (scene) =>
      byApproval(scene, (id) => scene.call(scene.operators.bob.key, 'POST', `/v1/reviews/${id}/approve`)),
  },
  decideReviews: {
    why: 'Who requested the action and the reviewer are two',
    loosens: (scene) =>
      byApproval(scene, (id) =>
        scene.call(scene.operators.bob.key, 'POST', '/v1/reviews/decide', { ids: [id], decision: 'APPROVE' }),
      ),
  },
  removeLabel: {
    why: 'Who requested the actions of the session and the reviewer are two',
    async loosens(scene) {
      const before = await decided(scene, 'send');
      const url = `/v1/evaluation-sessions/${scene.sessionId}/remove-label`;
      await scene.call(scene.operators.bob.key, 'POST', url, { label: 'PRIVATE' });
      return [before, await decided(scene, 'send')];
    },
  },
  endEvaluationSession: {
    why: 'The agent can end its session and open another one, too. Count over the entity or the integration what must outlast a session',
    async loosens(scene) {
      const before = await decided(scene, 'send');
      await scene.as('POST', `/v1/evaluation-sessions/${scene.sessionId}/end`);
      const { id } = await scene.made(scene.integration.key, '/v1/evaluation-sessions');
      return [before, await decided(scene, 'send', { sessionId: id })];
    },
  },
  createIntegration: {
    why: 'It changes nothing for the others. House policies apply to it; without a policy of its own everything else is allowed, and the response says so',
    async loosens(scene) {
      const before = await decided(scene, 'git.push');
      const { body } = await scene.as('POST', '/v1/integrations', { name: 'mine', kind: 'AGENT' });
      const sent = { input: { tool: 'git.push' } };
      const { data } = (await scene.app.call(body.data.apiKey, 'POST', '/v1/evaluate', sent)).body;
      return [before, data.enforcementAction];
    },
  },
  createOperator: {
    why: whoSignsIn,
    loosens: (scene) =>
      byApproval(scene, async (id) => {
        const { body } = await scene.as('POST', '/v1/operators', { name: 'Nobody', roles: ['REVIEWER'] });
        const { key } = await scene.made(scene.operators.mallory.key, '/v1/operator-keys', {
          operatorId: body.data.id,
        });
        return scene.call(key, 'POST', `/v1/reviews/${id}/approve`);
      }),
  },
  createOperatorKey: {
    why: whoSignsIn,
    loosens: (scene) =>
      byApproval(scene, async (id) => {
        const { body } = await scene.as('POST', '/v1/operator-keys', { operatorId: scene.operators.bob.id });
        return scene.call(body.data.key, 'POST', `/v1/reviews/${id}/approve`);
      }),
  },
  changeOperator: {
    why: `Changing another operator: ${whoSignsIn.charAt(0).toLowerCase()}${whoSignsIn.slice(1)}`,
    loosens: (scene) =>
      byApproval(scene, async (id) => {
        const { mallory } = scene.operators;
        const made = await scene.made(mallory.key, '/v1/operators', { name: 'Nobody', roles: ['READ_ONLY'] });
        await scene.as('PATCH', `/v1/operators/${made.id}`, { roles: ['REVIEWER'] });
        const { key } = await scene.made(mallory.key, '/v1/operator-keys', { operatorId: made.id });
        return scene.call(key, 'POST', `/v1/reviews/${id}/approve`);
      }),
  },
};
