import type { Integration, IntegrationSummary } from '../../../features/integrations/schema.ts';
import { now } from '../../data/clock.ts';
import { readStats, unitMs } from '../../data/statistics.ts';
import { StatusName } from '../../parts/badges.tsx';
import { words } from '../../strings/index.ts';

/** That nothing decides for an integration. */
export function IntegrationWarnings({ of: { warnings } }: { of: Pick<Integration, 'warnings'> }) {
  return warnings.map(({ code }) => (
    <p key={code} class="note" role="note">
      {words.value.integrations.warnings[code]}
    </p>
  ));
}

/** The statistics name so many integrations, those with the most evaluations. */
const mostCounted = 20;

/** How many evaluations an integration had in the last 24 hours; undefined when others had so many more that it is not named. */
export type Calls = (integrationId: string) => number | undefined;

export async function readCalls(signal: AbortSignal): Promise<Calls> {
  const to = (Math.floor(now.peek() / unitMs.hour) + 1) * unitMs.hour;
  const range = { from: to - unitMs.day, to, unit: 'hour' } as const;
  const series = await readStats('integration', range, { signal, background: true });
  const counts = new Map(series.map(({ name, evaluations }) => [name, evaluations]));
  return (id) => counts.get(id) ?? (counts.size < mostCounted ? 0 : undefined);
}

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
