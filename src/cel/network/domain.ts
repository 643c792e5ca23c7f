const LABELS = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/;
const LONGEST = 253;

/** Whether a text in lower case can be the name of a host: ASCII labels with dots between. */
export const isDomain = (text: string): boolean => text.length <= LONGEST && LABELS.test(text);
