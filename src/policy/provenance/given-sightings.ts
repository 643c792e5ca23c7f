import type { PolicyTestGiven } from '../../schemas/policy-tests.ts';
import type { Sighting } from '../../schemas/sightings.ts';
import { identifierOf } from './identifier.ts';
import type { SightingReadings } from './seen.ts';

/** What a test gives; every other value was never seen. */
export function givenSightings(given: PolicyTestGiven['seen'] = {}): SightingReadings {
  const found = new Map<string | null, Sighting[]>();
  for (const [value, sightings] of Object.entries(given)) {
    found.set(
      identifierOf(value),
      sightings.map((one) => ({ seq: 0, tool: '', phase: 'RESULT', labels: [], whole: true, ...one })),
    );
  }
  return {
    find(value) {
      const identifier = identifierOf(value);
      return identifier === null ? [] : (found.get(identifier) ?? []);
    },
  };
}
