import { AppError } from '../../errors.ts';
import type { Severity } from '../../schemas/decisions.ts';
import type { StoredEvent, WebhookFilter } from '../../store/store.ts';
import { eventTypes, typesNamed } from '../events/event-types.ts';
import type { WebhookFormat } from './schema.ts';

/** Messages for people announce reviews that wait for a person, unless the webhook names other types. */
const typesForPeople = ['review.opened', 'review.expiring', 'review.expired', 'review.cancelled'];

export const usualTypes = (format: WebhookFormat): string[] => (format === 'EVENTS' ? ['*'] : typesForPeople);

/** Refuses unknown types, and prefixes of no type. */
export function checkTypes(types: readonly string[] | undefined): void {
  const unknown = types?.findIndex((type) => typesNamed(type) === null) ?? -1;
  if (unknown === -1) return;
  throw new AppError(
    'invalid',
    `must be *, a type or the start of one as review.*: ${eventTypes.join(', ')}`,
    {
      path: `/types/${unknown}`,
    },
  );
}

const ranks: Readonly<Record<Severity, number>> = { LOW: 1, MEDIUM: 2, HIGH: 3, CRITICAL: 4 };
const isSeverity = (value: unknown): value is Severity => typeof value === 'string' && value in ranks;

const matchesType = (filter: string, type: string): boolean =>
  filter === '*' || filter === type || (filter.endsWith('.*') && type.startsWith(filter.slice(0, -1)));

export function matchesWebhook(
  { types, integrationIds, minSeverity }: WebhookFilter,
  event: StoredEvent,
): boolean {
  if (!types.some((filter) => matchesType(filter, event.type))) return false;
  if (integrationIds.length > 0 && !integrationIds.includes(event.integrationId ?? '')) return false;
  if (minSeverity === null) return true;
  const { severity } = JSON.parse(event.data) as { severity?: unknown };
  return !isSeverity(severity) || ranks[severity] >= ranks[minSeverity];
}
