import type { Test } from 'tap';
import { audit } from './contract/audit.ts';
import { callbacks } from './contract/callbacks.ts';
import { counters } from './contract/counters.ts';
import { sessions } from './contract/evaluation-sessions.ts';
import { evaluations } from './contract/evaluations.ts';
import { figures } from './contract/figures.ts';
import { idempotency } from './contract/idempotency.ts';
import { integrations } from './contract/integrations.ts';
import { joinedSessions } from './contract/joined-sessions.ts';
import { namedSessions } from './contract/named-sessions.ts';
import type { Open } from './contract/open.ts';
import { operatorKeys } from './contract/operator-keys.ts';
import { operators } from './contract/operators.ts';
import { phases } from './contract/phases.ts';
import { policies } from './contract/policies.ts';
import { recording } from './contract/recording.ts';
import { reviews } from './contract/reviews.ts';
import { signIns } from './contract/sign-ins.ts';
import { texts } from './contract/texts.ts';

/** What every backend must do. */
export function storeContract(t: Test, open: Open): void {
  audit(t, open);
  operators(t, open);
  operatorKeys(t, open);
  signIns(t, open);
  integrations(t, open);
  policies(t, open);
  sessions(t, open);
  evaluations(t, open);
  recording(t, open);
  counters(t, open);
  phases(t, open);
  namedSessions(t, open);
  joinedSessions(t, open);
  idempotency(t, open);
  reviews(t, open);
  callbacks(t, open);
  figures(t, open);
  texts(t, open);
}
