import { createDetector, type Detector } from '../../detectors/index.ts';

const builtIn = createDetector();

/**
 * The name of a tool in an event; null when there is none. The integration may keep names as they were sent, but an event
 * goes into logs and to other services: what is detected in the name is masked.
 */
export const shownTool = (tool: string, detector: Pick<Detector, 'scan'> = builtIn): string | null =>
  tool === '' ? null : (detector.scan(tool).redacted() as string);
