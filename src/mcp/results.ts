import type { CallToolResult } from '@modelcontextprotocol/server';
import type { AppError, ErrorDetail } from '../errors.ts';
import type { ToolAnswer } from './tools/tool.ts';

/** The sentence first, because some clients show the first text only; then the same JSON for those that know no structure. */
export const answered = ({ text, data, json }: ToolAnswer): CallToolResult => ({
  content: [
    { type: 'text', text },
    { type: 'text', text: json },
  ],
  structuredContent: data as Record<string, unknown>,
});

/**
 * A refusal, as a result that the model can read and mend. It has no structured content: clients hold that against
 * the output schema, and throw.
 */
export const refused = ({ code, details, retryAfterSeconds }: AppError): CallToolResult => ({
  isError: true,
  content: [{ type: 'text', text: `${code}: ${details.map(worded).join('; ')}${again(retryAfterSeconds)}` }],
  _meta: { 'dev.assize/error': { code, errors: details, retryAfterSeconds } },
});

const worded = ({ message, path }: ErrorDetail): string => (path ? `${path} ${message}` : message);
const again = (seconds: number | null): string => (seconds === null ? '' : `; try again in ${seconds} s`);
