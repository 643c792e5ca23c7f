import { hash } from 'node:crypto';
import { checkPolicyDocument } from '../../engine/index.ts';
import type { PolicyMode } from '../../schemas/decisions.ts';
import type { EventType } from '../../services/events/event-types.ts';
import type { Store, UnprotectedIntegration } from '../../store/store.ts';
import type { IntegrationWarning } from './schema.ts';

/** Bounds the memory of an installation whose policies change often. */
const mostKept = 10_000;

/** Reading a large document takes long, and this runs inside a change. The word cannot be there without an escape or its letters. */
const isSurelyEnforced = (document: string): boolean => !/MONITOR|\\/.test(document);

/** The mode that documents say, each read once. One that cannot be read stops every action, so it counts as enforced. */
export function createModeOf(): (document: string) => PolicyMode {
  const known = new Map<string, PolicyMode>();
  return (document) => {
    if (isSurelyEnforced(document)) return 'ENFORCE';
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

/** From now on, a change that leaves an integration without an enforced policy records an event, in the step of the change. */
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

/** Receives integrations for which no policy decides, with a message for people. */
export type OnUnprotected = (
  integrations: readonly Pick<UnprotectedIntegration, 'id' | 'name'>[],
  message: string,
) => void;

/** Warns of integrations for which no policy decides: by default everything is then allowed, and nobody should find out late. */
export interface Protection {
  /** The warnings by the policies in force; none for an integration that is missing or deleted. */
  warningsOf(integrationId: string): Promise<IntegrationWarning[]>;
  /** Tells of an integration that was created. */
  tellOfNew(integration: UnprotectedIntegration, warnings: readonly IntegrationWarning[]): void;
  /** Tells of all, when the service starts. */
  tellOfAll(): Promise<void>;
  /** For what decides for an integration, each time that changes: tells once of one that it decides nothing for. */
  tellOnce(integration: UnprotectedIntegration, modes: readonly PolicyMode[]): void;
}

export function createProtection({
  store,
  onUnprotected,
}: {
  store: Pick<Store, 'policies'>;
  onUnprotected: OnUnprotected;
}): Protection {
  const modeOf = createModeOf();
  const told = new Set<string>();
  return {
    async warningsOf(integrationId) {
      const inForce = await store.policies.findInForce(integrationId);
      if (!inForce) return [];
      const modes = inForce.policies.map(({ mode, document }) => mode ?? modeOf(document));
      return [warningOf(inForce.integration, modes) ?? []].flat();
    },

    tellOfNew(integration, warnings) {
      for (const { message } of warnings) onUnprotected([integration], message);
    },

    async tellOfAll() {
      const all = await store.policies.listUnprotected(modeOf);
      const open = all.filter(({ settings }) => settings.whenNoPolicy === 'ALLOW');
      if (open.length > 0) onUnprotected(open, 'no policy is enforced: everything is allowed');
    },

    tellOnce(integration, modes) {
      const warning = warningOf(integration, modes);
      if (warning === null || told.has(integration.id)) return;
      if (told.size >= mostKept) told.clear();
      told.add(integration.id);
      onUnprotected([integration], warning.message);
    },
  };
}

function warningOf(
  { settings }: Pick<UnprotectedIntegration, 'settings'>,
  modes: readonly PolicyMode[],
): IntegrationWarning | null {
  if (settings.whenNoPolicy === 'BLOCK' || modes.includes('ENFORCE')) return null;
  const allowed = settings.unknownTools === 'ALLOW' ? 'everything' : 'every tool in the catalogue';
  return modes.length === 0
    ? { code: 'no_policy_bound', message: `no policy is bound: ${allowed} is allowed` }
    : { code: 'no_policy_enforced', message: `no policy is enforced: ${allowed} is allowed` };
}
