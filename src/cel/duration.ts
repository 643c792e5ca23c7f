import { formatFraction, NANOS_PER_SECOND } from './timestamp.ts';

/** A length of time. `seconds` and `nanos` have the same sign, and `nanos` is below a second in size. */
export class Duration {
  readonly seconds: number;
  readonly nanos: number;
  constructor(seconds: number, nanos: number) {
    this.seconds = seconds;
    this.nanos = nanos;
  }
}

// What a signed 64-bit count of nanoseconds holds, as in cel-go: about 292 years either way.
const LONGEST_SECONDS = 9_223_372_036;

/** A duration of seconds and any integer of nanoseconds, or null when longer than about 292 years. */
export function createDuration(seconds: number, nanos: number): Duration | null {
  const carry = Math.trunc(nanos / NANOS_PER_SECOND);
  let whole = seconds + carry;
  let rest = nanos - carry * NANOS_PER_SECOND;
  if (whole > 0 && rest < 0) {
    whole -= 1;
    rest += NANOS_PER_SECOND;
  } else if (whole < 0 && rest > 0) {
    whole += 1;
    rest -= NANOS_PER_SECOND;
  }
  if (!(Math.abs(whole) <= LONGEST_SECONDS)) return null;
  // Adding zero turns -0 into 0, which prints and compares as people expect.
  return new Duration(whole + 0, rest + 0);
}

const NANOS_PER_UNIT: Readonly<Record<string, number>> = {
  h: 3600 * NANOS_PER_SECOND,
  m: 60 * NANOS_PER_SECOND,
  s: NANOS_PER_SECOND,
  ms: 1_000_000,
  us: 1000,
  µs: 1000,
  ns: 1,
};
const WHOLE = /^([+-]?)((?:\d+(?:\.\d*)?|\.\d+)(?:h|ms|m|us|\u00b5s|ns|s))+$|^[+-]?0$/;
const PART = /(\d*)\.?(\d*)(h|ms|m|us|\u00b5s|ns|s)/g;

/** Reads what Go's time.ParseDuration reads: `90s`, `1h30m`, `-1.5h`; null when it is not one. */
export function parseDuration(text: string): Duration | null {
  if (!WHOLE.test(text)) return null;
  const sign = text.startsWith('-') ? -1 : 1;
  let seconds = 0;
  let nanos = 0;
  for (const [, whole = '', fraction = '', unit = ''] of text.matchAll(PART)) {
    const size = NANOS_PER_UNIT[unit] as number;
    // Seconds and nanoseconds apart: hours in nanoseconds would leave the exact range of a double.
    if (size >= NANOS_PER_SECOND) seconds += Number(whole) * (size / NANOS_PER_SECOND);
    else nanos += Number(whole) * size;
    nanos += Math.trunc(Number(`0.${fraction}`) * size);
  }
  return createDuration(sign * seconds, sign * nanos);
}

/** Seconds with as many decimals as needed: `90s`, `-1.5s`. */
export function formatDuration({ seconds, nanos }: Duration): string {
  const sign = seconds < 0 || nanos < 0 ? '-' : '';
  return `${sign}${Math.abs(seconds)}${formatFraction(Math.abs(nanos))}s`;
}
