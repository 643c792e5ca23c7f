import type { StoredIntegration } from '../../store/store.ts';
import type { DecidingPolicies, DecidingPoliciesSource } from '../deciding-policies.ts';
import { type ContentRequest, type RequestContent, scanRequest } from '../request-content.ts';
import type { ScanPool } from './scan-pool.ts';

/**
 * Longer requests are scanned in another thread, because every other caller would wait for them. At this length, in
 * UTF-16 units, that is up to 2 ms.
 */
export const largeText = 65_536;

/**
 * Scans a request with the detectors of its integration's policies. Resolves to what is in it and to the policies that are
 * in force when all of it is known. `text` must be the JSON text of an object that has the request's `input` and
 * `targetMetadata`, as it was sent.
 */
export type ScanContent = (
  integration: StoredIntegration,
  request: ContentRequest,
  text: string,
) => Promise<{ decidingPolicies: DecidingPolicies; content: RequestContent }>;

export function createRequestScanner(
  deciding: DecidingPoliciesSource,
  pool: Pick<ScanPool, 'scan'>,
): ScanContent {
  return async (integration, request, text) => {
    const decidingPolicies = await deciding.of(integration);
    if (text.length <= largeText) {
      return { decidingPolicies, content: scanRequest(decidingPolicies.detector, request) };
    }
    const { input: _input, targetMetadata: _metadata, texts: _texts, ...rest } = request;
    for (let current = decidingPolicies; ; ) {
      const content = await pool.scan({ detector: current.detectorOptions, text, rest });
      const latest = await deciding.of(integration);
      // They may have changed while the other thread was reading.
      if (latest === current) return { decidingPolicies: current, content };
      current = latest;
    }
  };
}
