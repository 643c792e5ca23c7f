import { defaultIntegrationSettings } from '../schemas/integrations.ts';
import type { StoredIntegration } from './integrations.ts';

type Row = Omit<StoredIntegration, 'settings'> & { settings: string };

/** Settings of their JSON text. Those that a later version added take their defaults. */
export const parseSettings = (text: string): StoredIntegration['settings'] => ({
  ...defaultIntegrationSettings,
  ...JSON.parse(text),
});

export const toStoredIntegration = (row: Row): StoredIntegration => ({
  ...row,
  settings: parseSettings(row.settings),
});
