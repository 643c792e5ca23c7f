import type { EntityKind } from '../schemas/entities.ts';
import type { ViolationStatus } from '../schemas/violations.ts';
import type { Page, PageRequest } from './pages.ts';

export interface StoredEntity {
  id: string;
  name: string;
  kind: EntityKind;
  owner: string | null;
  /** JSON text. */
  metadata: string;
  createdAt: number;
  updatedAt: number;
}

export interface EntityFigures {
  sessionCount: number;
  violationCounts: Record<ViolationStatus, number>;
}

/** What is known of entities. A session names any entity, registered or not. */
export interface EntityStore {
  register(entity: Omit<StoredEntity, 'updatedAt'>): Promise<StoredEntity | 'registered'>;
  /** With what it did, in all integrations. */
  find(id: string): Promise<(StoredEntity & EntityFigures) | null>;
  /** Newest first. */
  list(page: PageRequest, filter: { kind?: EntityKind; owner?: string }): Promise<Page<StoredEntity>>;
  /** Fields that are absent stay as they are. Null when it is not registered. */
  change(
    id: string,
    change: Partial<Omit<StoredEntity, 'id' | 'createdAt' | 'updatedAt'>>,
    now: number,
  ): Promise<(StoredEntity & EntityFigures) | null>;
  /** Its sessions and their record stay. Null when it is not registered. */
  delete(id: string): Promise<(StoredEntity & EntityFigures) | null>;
}
