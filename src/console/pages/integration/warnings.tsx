import type { Integration } from '../../../features/integrations/schema.ts';
import { words } from '../../strings/index.ts';

/** That nothing decides for an integration. */
export function IntegrationWarnings({ of: { warnings } }: { of: Pick<Integration, 'warnings'> }) {
  return warnings.map(({ code }) => (
    <p key={code} class="note" role="note">
      {words.value.integrations.warnings[code]}
    </p>
  ));
}
