import { hash } from 'node:crypto';
import { checkPolicyDocument } from '../engine/index.ts';
import type { PolicyMode } from '../schemas/decisions.ts';
import type { Store, UnprotectedIntegration } from '../store/store.ts';
import type { EventType } from './events/event-types.ts';

/** The number bounds the memory of an installation that edits a lot. */
const mostKept = 10_000;

/** The mode that documents say, each read once. One that cannot be read stops every action, so it counts as enforced. */
export function createModeOf(): (document: string) => PolicyMode {
  const known = new Map<string, PolicyMode>();
  return (document) => {
    const key = hash('sha256', document);
    let mode = known.get(key);
    if (mode === undefined) {
      mode = checkPolicyDocument(document, { runTests: false }).document?.mode ?? 'ENFORCE';
      if (known.size >= mostKept) known.clear();
      known.set(key, mode);
    }
    return mode;
  };
}

/** From now on, an integration for which no policy is enforced any more has an event of it, in the step of the change. */
export function tellOfUnprotected(deps: { store: Store; now: () => number; newId: () => string }): void {
  const { store, now, newId } = deps;
  const type: EventType = 'integration.unprotected';
  store.policies.watchEnforcement({
    modeOf: createModeOf(),
    event: ({ id, name, settings }: UnprotectedIntegration) => ({
      id: newId(),
      type,
      at: now(),
      integrationId: id,
      subject: `integrations/${id}`,
      data: JSON.stringify({
        integrationId: id,
        integrationName: name,
        whenNoPolicy: settings.whenNoPolicy,
      }),
    }),
  });
}
