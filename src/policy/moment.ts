import { type Timestamp, timestampFromEpochMs } from '../cel/index.ts';

/** Epoch milliseconds as programs read them; undefined, which is a missing key, outside the years 1 to 9999. */
export function moment(ms: number): Timestamp | undefined {
  return timestampFromEpochMs(ms) ?? undefined;
}
