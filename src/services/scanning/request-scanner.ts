import type { DecidingPolicies } from '../deciding-policies.ts';
import { type ContentRequest, type RequestContent, scanRequest } from '../request-content.ts';
import type { ScanPool } from './scan-pool.ts';

/**
 * Longer requests are scanned in another thread, because every other caller would wait for them. At this length, in
 * UTF-16 units, that is up to 2 ms.
 */
export const largeText = 65_536;

/**
 * Scans a request with the detectors of its integration's policies. `text` must be the JSON text of an object that has the
 * request's `input` and `targetMetadata`, as it was sent.
 */
export type ScanContent = (
  deciding: Pick<DecidingPolicies, 'detector' | 'detectorOptions'>,
  request: ContentRequest,
  text: string,
) => Promise<RequestContent>;

export const createRequestScanner =
  (pool: Pick<ScanPool, 'scan'>): ScanContent =>
  async ({ detector, detectorOptions }, request, text) => {
    if (text.length <= largeText) return scanRequest(detector, request);
    const { input: _input, targetMetadata: _metadata, texts: _texts, ...rest } = request;
    return pool.scan({ detector: detectorOptions, text, rest });
  };
