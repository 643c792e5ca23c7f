import type { TSchema } from '@sinclair/typebox';
import type { ErrorObject } from 'ajv';
import { envSchema } from 'env-schema';
import type { Environment } from './environment.ts';
import { Settings } from './settings.ts';

/** The settings with their defaults; null beside one line for each mistake. */
export function checkSettings(given: Environment): { settings: Settings | null; refused: string[] } {
  try {
    return {
      settings: envSchema<Settings>({ schema: structuredClone(Settings), data: given, env: false }),
      refused: [],
    };
  } catch (error) {
    const { errors } = error as { errors?: ErrorObject[] };
    if (!errors) throw error;
    return { settings: null, refused: errors.map(explain) };
  }
}

/** Never shows the value: it may be a key. */
function explain({ instancePath, message, params }: ErrorObject): string {
  const name = instancePath.slice(1);
  const property: TSchema | undefined = Settings.properties[name as keyof Settings];
  const allowed = Array.isArray(params.allowedValues) ? `: ${params.allowedValues.join(', ')}` : '';
  return `${name}: ${message ?? 'is not valid'}${allowed} (${property?.description ?? 'see the README'})`;
}
