import type { CounterStart } from '../../schemas/policies.ts';
import type { PolicyCounter } from '../../schemas/policy-counters.ts';
import type { CheckedCounter } from './check-expressions.ts';
import { type ContentRead, contentRead } from './content-read.ts';

export type { CounterStart };

/** The record of an action does not say when a person rejected it: a counter of rejections begins when it is activated. */
export function contentOfRecord(checked: CheckedCounter, counts: PolicyCounter['counts']): ContentRead {
  const read = contentRead(Object.values(checked).flatMap(({ reads }) => reads));
  return counts === 'REJECTED' ? { ...read, isRecorded: false } : read;
}

/** What each counter can know of what was recorded before an integration had it. */
export const counterStarts = (
  counters: ReadonlyMap<string, CheckedCounter>,
  documented: Readonly<Record<string, PolicyCounter>> = {},
): CounterStart[] =>
  [...counters].map(([name, checked]) => {
    const { isRecorded, inputFields, targetKey } = contentOfRecord(checked, documented[name]?.counts);
    if (!isRecorded) return { name, counts: 'NOTHING' };
    return { name, counts: inputFields?.size === 0 && !targetKey ? 'RECORD' : 'KEPT_CONTENT' };
  });
