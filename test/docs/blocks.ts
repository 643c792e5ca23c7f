import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../helpers/process.ts';

/** A fenced block of a page. */
export interface Block {
  readonly language: string;
  readonly body: string;
  /** 1-based. */
  readonly line: number;
}

export function blocksOf(page: string): Block[] {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(/^( *)```(\w*)\n(.*?)^\1```$/gms)].map(
    ({ 2: language = '', 3: body = '', index }) => ({
      language,
      body,
      line: text.slice(0, index).split('\n').length,
    }),
  );
}

/**
 * Whether a value has at least what a page shows of it: objects may have more members; lists have as many items, and
 * in texts `…` stands for anything.
 */
export function shows(shown: unknown, value: unknown): boolean {
  if (typeof shown === 'string') return typeof value === 'string' && sameText(shown, value);
  if (Array.isArray(shown)) {
    if (!Array.isArray(value) || value.length !== shown.length) return false;
    return shown.every((item, index) => shows(item, value[index]));
  }
  if (typeof shown !== 'object' || shown === null) return shown === value;
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(shown).every(([key, item]) => shows(item, (value as Record<string, unknown>)[key]));
}

/** Whether a text is what a page prints, `…` standing for anything. */
export function sameText(shown: string, text: string): boolean {
  const pattern = shown.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${pattern.join('.*')}$`, 's').test(text);
}
