import { AppError } from '../errors.ts';
import { metadataLimits } from '../schemas/evaluation-sessions.ts';

/** Refuses metadata of a session or an entity that is too long as JSON text, as it was sent. */
export function checkMetadata(text: string): void {
  if (Buffer.byteLength(text) <= metadataLimits.bytes) return;
  throw new AppError('invalid', `must be at most ${metadataLimits.bytes} bytes of JSON`, {
    path: '/metadata',
  });
}
