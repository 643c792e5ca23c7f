import type { Page, PageRequest } from '../store/store.ts';
import { inSteps } from './steps.ts';

/**
 * A list response has at most 2 MB: each entry may take its share of them, and a wider one leaves out its widest
 * fields and names them in `omitted`. What is left of the 2 MB is for `omitted` and the envelope.
 */
const pageBytes = 1_900_000;

/** Bytes of JSON that an entry of a page of `size` entries may take. */
export const entryBytes = (size: number): number => Math.floor(pageBytes / size);

export type Listed<T> = T & { omitted?: string[] };

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');

/** The fields to leave out of `total` bytes, widest first, so that `most` bytes are enough. */
export function widestFields(
  widths: Readonly<Record<string, number>>,
  total: number,
  most: number,
): string[] {
  const omitted: string[] = [];
  let left = total;
  for (const [field, width] of Object.entries(widths).sort(([, a], [, b]) => b - a)) {
    if (left <= most) break;
    omitted.push(field);
    left -= width;
  }
  return omitted;
}

/**
 * The entry without what is too wide. `empty`: what stands for each field that may be left out. `omitted`: those that
 * the store left out already.
 */
export function fitEntry<T extends object>(
  entry: T,
  empty: Readonly<Partial<T>>,
  most: number,
  omitted: readonly string[] = [],
): Listed<T> {
  const total = bytesOf(entry);
  if (total <= most && omitted.length === 0) return entry;
  const widths = Object.fromEntries(
    Object.keys(empty).map((field) => [field, bytesOf(entry[field as keyof T])]),
  );
  const fields = [...omitted, ...widestFields(widths, total, most)];
  const left = Object.fromEntries(fields.map((field) => [field, empty[field as keyof T]]));
  return { ...entry, ...left, omitted: fields };
}

export interface ResponsePage<T> {
  data: T[];
  pagination: { total: number; page: number; size: number };
}

/** Others are served between large entries. */
export async function responsePage<Stored, Shown>(
  { items, total }: Page<Stored>,
  { page, size }: PageRequest,
  show: (item: Stored) => Shown,
): Promise<ResponsePage<Shown>> {
  return { data: await inSteps(items, show), pagination: { total, page, size } };
}
