import type { Integration, IntegrationSummary } from '../../../features/integrations/schema.ts';
import { now } from '../../data/clock.ts';
import { type CountOf, countsOf, lastSlots, readStats } from '../../data/statistics.ts';
import { StatusName } from '../../parts/badges.tsx';
import { words } from '../../strings/index.ts';

/** Warns when no policy decides for an integration. */
export function IntegrationWarnings({ of: { warnings } }: { of: Pick<Integration, 'warnings'> }) {
  return warnings.map(({ code }) => (
    <p key={code} class="note" role="note">
      {words.value.integrations.warnings[code]}
    </p>
  ));
}

/** The evaluations of each integration in the last 24 hours, by its id. */
export const readCalls = async (signal: AbortSignal): Promise<CountOf> =>
  countsOf(await readStats('integration', lastSlots(24, 'hour'), { signal, background: true }));

interface StatusProps {
  of: Pick<IntegrationSummary, 'status' | 'apiKeyPrefix' | 'apiKeyExpiresAt'>;
  /** Its evaluations in the last 24 hours; undefined until they are known. */
  calls: number | undefined;
}

/** An integration whose newest key is revoked or expired cannot ask for a decision, whatever its agent does about that. */
const isFailing = ({ apiKeyPrefix, apiKeyExpiresAt }: StatusProps['of']): boolean =>
  apiKeyPrefix === null || (apiKeyExpiresAt !== null && Date.parse(apiKeyExpiresAt) <= now.value);

export function statusNameOf({ of, calls }: StatusProps): string {
  const { integrations: text, webhooks } = words.value;
  if (of.status === 'DELETED') return text.deletedState;
  if (isFailing(of)) return webhooks.failing;
  return calls === 0 ? text.idle : webhooks.statuses.ACTIVE;
}

export function IntegrationStatus(props: StatusProps) {
  const { of, calls } = props;
  const isQuiet = of.status === 'DELETED' || calls === 0;
  const { keys } = words.value.integrations;
  return (
    <>
      <StatusName tone={of.status === 'ACTIVE' && isFailing(of) ? 'bad' : isQuiet ? 'quiet' : 'good'}>
        {statusNameOf(props)}
      </StatusName>
      {of.status === 'ACTIVE' && isFailing(of) && <span class="quiet"> {keys.none}</span>}
    </>
  );
}
