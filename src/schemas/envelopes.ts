import { type TSchema, Type } from '@sinclair/typebox';

/** The response envelopes (specification, section 7). */
export const responseOf = <T extends TSchema>(data: T, statusCode = 200) =>
  Type.Object({ success: Type.Literal(true), statusCode: Type.Literal(statusCode), data });

export const Pagination = Type.Object({
  total: Type.Integer({ minimum: 0 }),
  page: Type.Integer({ minimum: 1 }),
  size: Type.Integer({ minimum: 1 }),
});

export const listOf = <T extends TSchema>(item: T) =>
  Type.Object({
    success: Type.Literal(true),
    statusCode: Type.Literal(200),
    data: Type.Array(item),
    pagination: Pagination,
  });

export const ErrorResponse = Type.Object(
  {
    success: Type.Literal(false),
    statusCode: Type.Integer(),
    errors: Type.Array(
      Type.Object({
        code: Type.String({ description: 'stable error code' }),
        message: Type.String(),
        path: Type.Optional(Type.String({ description: 'JSON Pointer of the offending field' })),
        line: Type.Optional(
          Type.Integer({ description: 'line in the policy document, or in a body that is not valid JSON' }),
        ),
        column: Type.Optional(Type.Integer()),
        hint: Type.Optional(Type.String()),
      }),
    ),
  },
  { $id: 'ErrorResponse', description: 'an error' },
);

/** The error responses of every route. By reference, because the description of the API would repeat them for each. */
export const errorResponses = { '4xx': Type.Ref('ErrorResponse'), '5xx': Type.Ref('ErrorResponse') };
