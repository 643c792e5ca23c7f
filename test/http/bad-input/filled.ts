import type { World } from './world.ts';

/** A path of the OpenAPI document with ids in its place. */
export const filled = (world: World, path: string, params: Record<string, keyof World['ids']> = {}): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name) => world.ids[params[name] ?? 'id']);
