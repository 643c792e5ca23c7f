import type { TSchema } from '@sinclair/typebox';

/** Compiles once for equal schemas and keeps the result: the only schemas are those of the routes. */
export function perSchema<T>(compile: (schema: TSchema) => T): (schema: TSchema) => T {
  const compiled = new Map<string, T>();
  return (schema) => {
    const text = JSON.stringify(schema);
    const known = compiled.get(text);
    if (known !== undefined) return known;
    const made = compile(schema);
    compiled.set(text, made);
    return made;
  };
}
