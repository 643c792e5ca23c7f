import { AppError } from '../errors.ts';
import type { Integrations } from '../features/integrations/service.ts';
import type { Bindings } from '../features/policies/bindings.ts';
import type { Policies, SentDocument } from '../features/policies/service.ts';
import type { CatalogueTool } from '../features/tools/schema.ts';
import type { ToolCatalogues } from '../features/tools/service.ts';
import type { Store } from '../store/store.ts';
import { localOperatorId } from './access/authentication.ts';
import { createKey, hashKey, isOperatorKey, lastFourOf, operatorKeyPrefix } from './access/keys.ts';

export interface FirstStartOptions {
  /** The first operator key, for unattended set-up; generated when null. */
  adminKey: string | null;
  /** Reads the starter policies for a demo integration, asked only when there is a first start; null leaves the demo out. */
  demo: (() => readonly SentDocument[]) | null;
}

/** The contents that an empty database was given. Keys are here once and never again. */
export interface FirstStart {
  /** Null when the operator brought the key. */
  generatedAdminKey: string | null;
  demo: { integrationId: string; apiKey: string } | null;
}

/** The mail of the demo. What other tools of it do, nobody has said. */
const demoTools: CatalogueTool[] = [
  { name: 'mail.read', effect: 'READ', untrustedResults: true },
  { name: 'mail.send', effect: 'EXTERNAL', destinations: ['to'] },
  { name: 'mail.delete', effect: 'WRITE', identifiers: ['id'] },
];

/** Records the contents that the first start made, because no operator's call did. */
export const recordInForce = ({
  store,
  now,
  newId,
}: {
  store: Store;
  now: () => number;
  newId: () => string;
}): Promise<void> =>
  store.audit.recordInForce(
    {
      at: now(),
      actorKind: 'operator',
      actorId: localOperatorId,
      actorName: 'assize',
      keyId: null,
      action: 'recordInForce',
      method: '',
      path: '',
      address: null,
      requestId: '',
      outcome: 'SUCCEEDED',
      statusCode: 200,
      message: null,
    },
    newId,
  );

/** Gives an empty database its operator key and the demo. Null, and nothing is done, when it already has one. */
export async function prepareFirstStart(
  deps: {
    store: Store;
    now: () => number;
    newId: () => string;
    integrations: Integrations;
    policies: Policies;
    bindings: Bindings;
    toolCatalogues: ToolCatalogues;
  },
  options: FirstStartOptions,
): Promise<FirstStart | null> {
  const { store, now, newId, integrations, policies, bindings, toolCatalogues } = deps;
  const adminKey = options.adminKey ?? createKey(operatorKeyPrefix);
  if (!isOperatorKey(adminKey)) {
    throw new AppError('invalid', `an operator key is ${operatorKeyPrefix} and 43 base64url characters`);
  }
  if (await store.operators.exist()) return null;
  // Before the key is made: only its hash is kept, so a key that a failing demo left unprinted would lock everyone out.
  const starters = options.demo?.() ?? null;
  for (const document of starters ?? []) await policies.assertValid(null, document);
  const first = await store.operators.createFirst(
    {
      id: newId(),
      name: 'owner',
      email: null,
      roles: ['OWNER'],
      groups: [],
      entityId: null,
      createdAt: now(),
    },
    {
      id: newId(),
      name: 'first key',
      keyHash: hashKey(adminKey),
      lastFour: lastFourOf(adminKey),
      createdAt: now(),
      expiresAt: null,
      ipRanges: [],
    },
  );
  if (!first) return null;

  const generatedAdminKey = options.adminKey === null ? adminKey : null;
  if (starters === null) return { generatedAdminKey, demo: null };
  const { id, apiKey } = await integrations.create(null, {
    name: 'demo',
    kind: 'AGENT',
    description: 'made at the first start, with the starter policies bound',
  });
  await toolCatalogues.put(id, { tools: demoTools });
  for (const document of starters) {
    const policy = await policies.create(null, document, 'ACTIVE');
    await bindings.bind(id, policy.id, null);
  }
  return { generatedAdminKey, demo: { integrationId: id, apiKey } };
}
