import { at, counterReading, ids } from '../../http/openapi/example-story.ts';
import { integration } from '../integrations/examples.ts';

const entity = {
  id: ids.session,
  name: 'Support agent, night shift',
  kind: 'AGENT',
  owner: 'support@example.com',
  metadata: { costCentre: 4711 },
  createdAt: at,
  updatedAt: at,
};

const { createdAt: _, updatedAt: __, ...registered } = entity;

const entityCounter = {
  integrationId: ids.integration,
  integrationName: integration.name,
  ...counterReading,
};

export const entityExamples: Readonly<Record<string, unknown>> = {
  ChangeEntity: { owner: entity.owner },
  Entity: {
    ...entity,
    sessionCount: 12,
    violationCounts: { NEW: 1, ACKNOWLEDGED: 0, RESOLVED: 2, DISMISSED: 1 },
    counters: [entityCounter],
  },
  EntityCounter: entityCounter,
  EntityKind: entity.kind,
  ListedEntity: entity,
  RegisterEntity: registered,
};
