import { type Awaitable, chain } from '../../awaitable.ts';
import type { Recognizer } from '../../services/recognition/recognizer.ts';
import { type ContentRequest, type RequestContent, scanRequest } from '../content.ts';
import type { DecidingPolicies } from '../in-force.ts';
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
) => Awaitable<RequestContent>;

/** With a `recognizer`, what it finds in the texts of a request counts as found. */
export const createRequestScanner =
  (pool: Pick<ScanPool, 'scan'>, recognizer: Pick<Recognizer, 'recognize'> | null = null): ScanContent =>
  ({ detector, detectorOptions }, request, text) => {
    const { input, targetKey, targetMetadata } = request;
    const recognized = recognizer ? recognizer.recognize([input, targetKey, targetMetadata]) : null;
    return chain(recognized, (recognized) => {
      if (text.length <= largeText) return scanRequest(detector, request, recognized);
      const { input: _input, texts: _texts, targetMetadata: _metadata, ...rest } = request;
      return pool.scan({ detector: detectorOptions, text, rest, recognized });
    });
  };
