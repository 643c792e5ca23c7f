import { defaultIntegrationSettings } from '../schemas/integrations.ts';
import type { StoredIntegration } from './integrations.ts';

type Row = Omit<StoredIntegration, 'settings'> & { settings: string };

/** Settings that a later version added take their defaults. */
export const toStoredIntegration = (row: Row): StoredIntegration => ({
  ...row,
  settings: { ...defaultIntegrationSettings, ...JSON.parse(row.settings) },
});
