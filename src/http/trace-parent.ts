import type { IncomingHttpHeaders } from 'node:http';
import type { TraceParent } from '../evaluate/evaluate.ts';

// https://www.w3.org/TR/trace-context/#traceparent-header: a later version may add fields after those of version 00.
const form = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const zeros = /^0+$/;

/** The span of the caller; null when it sent none, or one that the specification says to ignore. */
export function traceParentOf({ traceparent }: IncomingHttpHeaders): TraceParent | null {
  if (typeof traceparent !== 'string') return null;
  const [, version, traceId = '', spanId = '', flags = '', more] = form.exec(traceparent) ?? [];
  if (version === undefined || (version === '00' && more !== undefined)) return null;
  if (zeros.test(traceId) || zeros.test(spanId)) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}
