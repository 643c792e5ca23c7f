import { hash } from 'node:crypto';
import { checkPolicyDocument, compileOnly } from '../../policy/document/check-policy-document.ts';
import type { PolicyMode } from '../../schemas/decisions.ts';
import type { Store, UnprotectedIntegration } from '../../store/store.ts';
import type { EventType } from '../events/event-types.ts';
import type { IntegrationWarning } from './schema.ts';

/** Bounds the memory of an installation whose policies change often. */
const mostKept = 10_000;

/**
 * Reading a large document takes long, and this runs inside a change. The word cannot be there without its letters in a row, an escape
 * of a letter, or an escaped end of a line. Patterns have other escapes.
 */
const isSurelyEnforced = (document: string): boolean => !/MONITOR|\\[xuU\r\n]/.test(document);

/** The modes that documents say. */
export interface PolicyModes {
  /** Reads a document once, if nobody did before. One that cannot be read stops every action, so it counts as enforced. */
  of(document: string): PolicyMode;
  /** The same without reading it; null when it was not read yet. */
  known(document: string): PolicyMode | null;
  /** Keeps what somebody else read. */
  learn(document: string, mode: PolicyMode): void;
}

export function createPolicyModes(): PolicyModes {
  const known = new Map<string, PolicyMode>();
  function keep(key: string, mode: PolicyMode): PolicyMode {
    known.delete(key);
    known.set(key, mode);
    for (const oldest of known.keys()) {
      if (known.size <= mostKept) break;
      known.delete(oldest);
    }
    return mode;
  }
  const find = (document: string): PolicyMode | null =>
    isSurelyEnforced(document) ? 'ENFORCE' : (known.get(hash('sha256', document)) ?? null);
  return {
    known: find,
    of: (document) =>
      find(document) ??
      keep(hash('sha256', document), checkPolicyDocument(document, compileOnly).document?.mode ?? 'ENFORCE'),
    learn(document, mode) {
      if (!isSurelyEnforced(document)) keep(hash('sha256', document), mode);
    },
  };
}

/** From now on, a change that leaves an integration without an enforced policy records an event, in the step of the change. */
export function tellOfUnprotected(deps: {
  store: Store;
  modes: PolicyModes;
  /** Reads a document, large ones in a thread; null when it does not pass its check. */
  read: (document: string) => Promise<{ mode?: PolicyMode } | null>;
  now: () => number;
  newId: () => string;
}): void {
  const { store, modes, read, now, newId } = deps;
  const type: EventType = 'integration.unprotected';
  store.policies.watchEnforcement({
    modeOf: modes.of,
    known: modes.known,
    async learn(documents) {
      for (const document of documents) modes.learn(document, (await read(document))?.mode ?? 'ENFORCE');
    },
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
  modes,
  onUnprotected,
}: {
  store: Pick<Store, 'policies'>;
  modes: Pick<PolicyModes, 'of'>;
  onUnprotected: OnUnprotected;
}): Protection {
  const told = new Set<string>();
  return {
    async warningsOf(integrationId) {
      const inForce = await store.policies.findInForce(integrationId);
      if (!inForce) return [];
      const theirs = inForce.policies.map(({ mode, document }) => mode ?? modes.of(document));
      return [warningOf(inForce.integration, theirs) ?? []].flat();
    },

    tellOfNew(integration, warnings) {
      for (const { message } of warnings) onUnprotected([integration], message);
    },

    async tellOfAll() {
      const all = await store.policies.listUnprotected(modes.of);
      const open = all.filter(({ settings }) => settings.whenNoPolicy === 'ALLOW');
      if (open.length > 0) onUnprotected(open, 'no policy is enforced: everything is allowed');
    },

    tellOnce(integration, theirs) {
      const warning = warningOf(integration, theirs);
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
