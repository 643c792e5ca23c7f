import { createDetector, type Detector } from '../../detectors/index.ts';
import { type RequestContent, scanRequest } from '../../evaluate/content.ts';
import type { CompiledPolicy } from '../../policy/compile-policy.ts';
import type { ReplayIntegration, ReplayRow } from '../../store/replay.ts';
import type { KnownContent } from './known-content.ts';

const detectors = new WeakMap<readonly CompiledPolicy[], Detector>();

/** What other detectors than those of then find in the content; null when it is not known. */
export function scanAgain(
  row: ReplayRow,
  { input, hidesInput, hidesTargetKey }: KnownContent,
  { settings }: ReplayIntegration,
  policies: readonly CompiledPolicy[],
): Pick<RequestContent, 'tags' | 'counts'> | null {
  // The callback's address was scanned as well, and is not in the record.
  if (hidesInput || hidesTargetKey) return null;
  let detector = detectors.get(policies);
  if (!detector) {
    const { detectionSensitivity: sensitivity, disabledTags, enabledTags } = settings;
    const custom = [...new Map(policies.map((one) => [one.policyId, one.detectors])).values()].flat();
    detector = createDetector({ sensitivity, disabledTags, enabledTags, custom });
    detectors.set(policies, detector);
  }
  return scanRequest(detector, {
    input,
    targetKey: row.targetKey,
    targetMetadata:
      row.targetMetadata === null ? null : (JSON.parse(row.targetMetadata) as Record<string, unknown>),
    callbackUrl: null,
    correlationId: null,
    tool: row.tool,
    retention: 'full',
    reviewInput: 'full',
    redact: false,
    texts: new Map(),
    provenance: null,
    hashed: null,
  });
}
