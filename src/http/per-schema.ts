import type { TSchema } from '@sinclair/typebox';

/** What is compiled from schemas is made once for equal ones, and kept: the schemas of the routes are all there are. */
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
