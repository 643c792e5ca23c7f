import { at, ids, later } from '../../http/openapi/example-story.ts';
import { webhookSecret } from '../webhooks/examples.ts';

const settings = {
  contentRetention: 'redacted',
  reviewInput: 'full',
  detectionSensitivity: 'balanced',
  disabledTags: [],
  enabledTags: [],
  sessionScope: 'client',
  requireSession: false,
  whenNoPolicy: 'ALLOW',
  unknownTools: 'ALLOW',
  onSchemaMismatch: 'BLOCK',
  identity: null,
  delegatesTo: [],
  afterRejection: 'BLOCK' as const,
  maxPendingReviews: 1_000,
  maxPendingReviewsInSession: 20,
  maxOpenSessions: 10_000,
  maxBytesPerDay: null,
  requestsPerMinute: null,
};

export const integration = {
  id: ids.integration,
  name: 'support agent',
  kind: 'AGENT',
  description: null,
  settings,
  apiKeyPrefix: 'asz_live_Qm3x',
  apiKeyExpiresAt: null,
  createdAt: at,
  updatedAt: at,
  status: 'ACTIVE',
  deletedAt: null,
};

const unprotected = {
  code: 'no_policy_bound',
  message: 'no policy is bound: everything is allowed',
};

const apiKey = `asz_live_${'Qm3x'.padEnd(43, '0')}`;

const keyExpiry = { apiKeyExpiresAt: '2027-11-22T09:30:00.000Z' };

const integrationKey = {
  id: '0198c2f2-41aa-7e6b-8c0d-5f2b9d7e1a34',
  integrationId: ids.integration,
  name: 'production',
  lastFour: apiKey.slice(-4),
  scopes: ['evaluate', 'sessions:open'],
  createdAt: later,
  lastUsedAt: null,
  expiresAt: null,
  revokedAt: null,
};

export const integrationExamples: Readonly<Record<string, unknown>> = {
  ChangeIntegration: { settings: { contentRetention: 'none' } },
  CreateIntegration: { name: integration.name, kind: integration.kind },
  CreatedIntegration: { ...integration, warnings: [unprotected], apiKey, webhookSecret },
  Integration: { ...integration, warnings: [] },
  ListedIntegration: integration,
  IntegrationWarning: unprotected,
  IntegrationSettings: settings,
  IntegrationSettingsChange: { contentRetention: 'none' },
  RegenerateKey: keyExpiry,
  RegeneratedKey: { ...integration, ...keyExpiry, warnings: [], apiKey },
  RegeneratedWebhookSecret: { id: ids.integration, webhookSecret },
  CreateIntegrationKey: { name: integrationKey.name, scopes: integrationKey.scopes },
  CreatedIntegrationKey: { ...integrationKey, apiKey },
  IntegrationKey: integrationKey,
  RotateIntegrationKey: { overlapHours: 24 },
  RotatedIntegrationKey: {
    ...integrationKey,
    apiKey,
    replaces: {
      ...integrationKey,
      id: '0198c2f0-7d13-7b52-9e4f-1c6a8f3b2d05',
      lastFour: 'Zq0w',
      createdAt: at,
      lastUsedAt: later,
      expiresAt: later,
    },
  },
};
