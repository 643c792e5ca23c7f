import type { RequestFixtures } from './request-fixtures.ts';

/** A path of the OpenAPI document with ids in its place. */
export const filled = (
  fixtures: RequestFixtures,
  path: string,
  params: Record<string, keyof RequestFixtures['ids']> = {},
): string => path.replaceAll(/\{(\w+)\}/g, (_, name) => fixtures.ids[params[name] ?? 'id']);
