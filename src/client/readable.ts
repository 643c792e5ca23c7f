/**
 * What a policy sees of a value, as JSON; undefined where JSON has nothing for it, such as a function. Of a file it sees the
 * kind and the name, not the bytes. Throws TypeError for a value that contains itself.
 */
export const readable = (value: unknown): unknown => {
  const text = JSON.stringify(value, withoutBytes);
  return text === undefined ? undefined : JSON.parse(text);
};

const withoutBytes = (_key: string, value: unknown): unknown => {
  if (typeof value === 'bigint') return String(value);
  if (ArrayBuffer.isView(value)) return { byteLength: value.byteLength };
  return typeof value === 'object' && value !== null && 'mediaType' in value && 'data' in value
    ? { ...value, data: undefined }
    : value;
};
