import type { StoredIntegration } from '../features/integrations/store.ts';
import type { PolicyMode } from '../schemas/decisions.ts';
import type { NewEvent } from './events.ts';

/** An integration for which no policy is enforced, so that its setting `whenNoPolicy` decides. */
export type UnprotectedIntegration = Pick<StoredIntegration, 'id' | 'name' | 'settings'>;

/** The mode that a policy document says; a binding may say another. Must be pure. */
export type ModeOf = (document: string) => PolicyMode;

export interface EnforcementWatch {
  modeOf: ModeOf;
  /** Of an integration for which a policy was enforced before a change, and none is after it. */
  event: (integration: UnprotectedIntegration) => NewEvent;
}
