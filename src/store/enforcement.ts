import type { StoredIntegration } from '../features/integrations/store.ts';
import type { PolicyMode } from '../schemas/decisions.ts';
import type { NewEvent } from './events.ts';

/** An integration for which no policy is enforced, so that its setting `whenNoPolicy` decides. */
export type UnprotectedIntegration = Pick<StoredIntegration, 'id' | 'name' | 'settings'>;

/** The mode that a policy document says; a binding may say another. Must be pure. */
export type ModeOf = (document: string) => PolicyMode;

export interface EnforcementWatch {
  modeOf: ModeOf;
  /** The same without reading the document; null when that takes long. */
  known: (document: string) => PolicyMode | null;
  /** Reads documents, so that `modeOf` knows them. Awaited before a change, which nobody else may wait for. */
  learn: (documents: readonly string[]) => Promise<void>;
  /** Of an integration for which a policy was enforced before a change, and none is after it. */
  event: (integration: UnprotectedIntegration) => NewEvent;
}

/** `modeOf` that reads nothing: `unread` are the documents that must be read first. No document makes the search end early. */
export function withoutReading({ known }: Pick<EnforcementWatch, 'known'>): {
  modeOf: ModeOf;
  unread: ReadonlySet<string>;
} {
  const unread = new Set<string>();
  const modeOf: ModeOf = (document) => {
    const mode = known(document);
    if (mode === null) unread.add(document);
    return mode ?? 'MONITOR';
  };
  return { modeOf, unread };
}
