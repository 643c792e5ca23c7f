import type { RecordedViolation } from '../../../schemas/violations.ts';
import type { Tone } from '../../parts/badges.tsx';

export const violationTones: Readonly<Record<RecordedViolation['status'], Tone>> = {
  NEW: 'bad',
  ACKNOWLEDGED: 'busy',
  RESOLVED: 'good',
  DISMISSED: 'quiet',
};
