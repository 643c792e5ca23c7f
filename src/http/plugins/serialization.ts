import type { TSchema } from '@sinclair/typebox';
import fastJsonStringify, { type Options, type Schema } from 'fast-json-stringify';
import type { FastifyInstance } from 'fastify';
import { ErrorResponse } from '../../schemas/envelopes.ts';
import { perSchema } from '../per-schema.ts';

const named = { schema: { ErrorResponse } } as unknown as Options;
/** Made by its first use, like what validates: see validation.ts. */
const serializerOf = perSchema((schema) => {
  let serialize: ((data: unknown) => string) | undefined;
  return (data: unknown): string => {
    serialize ??= fastJsonStringify(schema as unknown as Schema, named);
    return serialize(data);
  };
});

/** Responses are serialized by their schema. All routes share the error schema, so its serializer is compiled once. */
export function serializeBySchema(app: FastifyInstance): void {
  app.setSerializerCompiler<TSchema>(({ schema }) => serializerOf(schema));
}
