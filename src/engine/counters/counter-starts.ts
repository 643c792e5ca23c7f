import type { CounterStart } from '../../schemas/policies.ts';
import type { CheckedCounter } from './check-expressions.ts';
import { contentRead } from './content-read.ts';

export type { CounterStart };

/** What each counter can know of what was recorded before an integration had it. */
export const counterStarts = (counters: ReadonlyMap<string, CheckedCounter>): CounterStart[] =>
  [...counters].map(([name, checked]) => {
    const { isRecorded, inputFields, targetKey } = contentRead(
      Object.values(checked).flatMap(({ reads }) => reads),
    );
    if (!isRecorded) return { name, counts: 'NOTHING' };
    return { name, counts: inputFields?.size === 0 && !targetKey ? 'RECORD' : 'KEPT_CONTENT' };
  });
