/**
 * An action as a policy sees it, as JSON: all of it, because an approval is for what the policy saw. Undefined where JSON has nothing
 * for the value, such as a function. Throws TypeError for a value that contains itself, for a number that JSON cannot hold, and for a Blob.
 */
export const exact = (value: unknown): unknown => asJson(value, finite);

/** The same of other content, whole: what it is named by. NaN and infinite numbers are null, as where a model reads them. */
export const complete = (value: unknown): unknown => asJson(value, plain);

/** Other content as a policy sees it: of a file the kind and the name, and not its bytes. */
export const readable = (value: unknown): unknown => asJson(value, withoutFiles);

function asJson(value: unknown, replacer: (key: string, value: unknown) => unknown): unknown {
  const text = JSON.stringify(value, replacer);
  return text === undefined ? undefined : JSON.parse(text);
}

function plain(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  const bytes = bytesOf(value);
  if (bytes) return { byteLength: bytes.length, base64: base64Of(bytes) };
  return value instanceof Map || value instanceof Set ? [...value] : value;
}

function finite(key: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new TypeError(`an action needs finite numbers: ${key} is ${value}`);
  if (value instanceof Blob) throw new TypeError(`an action needs the bytes of a file: ${key} is a Blob`);
  return plain(key, value);
}

function withoutFiles(key: string, value: unknown): unknown {
  const bytes = bytesOf(value);
  if (bytes) return { byteLength: bytes.length };
  if (typeof value !== 'object' || value === null || !('mediaType' in value && 'data' in value))
    return plain(key, value);
  return isFile(value.data) ? { ...value, data: undefined } : value;
}

function bytesOf(value: unknown): Uint8Array | null {
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  return ArrayBuffer.isView(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : null;
}

function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/**
 * Bytes, or base64 that is too long for text: whoever writes `mediaType` could otherwise hide text from policies. The AI SDK has them
 * in an object.
 */
function isFile(data: unknown): boolean {
  if (typeof data === 'string') return data.length > 1_000 && /^[\w+/-]+={0,2}$/.test(data);
  if (bytesOf(data)) return true;
  return typeof data === 'object' && data !== null && 'data' in data && isFile(data.data);
}
