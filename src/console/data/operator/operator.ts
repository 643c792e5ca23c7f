import { signal } from '@preact/signals';
import type { CurrentOperator } from '../../../features/operators/schema.ts';
import { call } from '../api.ts';
import { deleteDrafts } from './drafts.ts';

/** Who is signed in, and what its roles permit; null until it was read. */
export const operator = signal<CurrentOperator | null>(null);

/** Reads it. Nothing is permitted before. */
export async function readOperator(): Promise<void> {
  const before = operator.value;
  operator.value = null;
  const { data } = await call<CurrentOperator>('/v1/operators/me', { background: true });
  if (before && before.id !== data.id) deleteDrafts();
  operator.value = data;
}

/** Whether to offer what needs the permission. */
export const may = (permission: string): boolean => operator.value?.permissions.includes(permission) ?? false;
