/** What of an action's content the expressions of a counter read. */
export interface ContentRead {
  /** False when they read something that no record has, such as the session's counts at that time. */
  readonly isRecorded: boolean;
  /** The first fields of `input`; null when it is read as a whole. */
  readonly inputFields: ReadonlySet<string> | null;
  readonly targetKey: boolean;
}

/** What the record of an action has, besides its content. */
const recorded: ReadonlySet<string> = new Set([
  'tool',
  'phase',
  'result',
  'cost',
  'dataTags',
  'detections',
  'integration',
  'now',
  'params',
  'lists',
  'decision',
]);
const ofSession: ReadonlySet<string> = new Set(['id', 'entityId', 'metadata', 'startedAt']);

/** Of expressions that read these paths. */
export function contentRead(paths: readonly (readonly string[])[]): ContentRead {
  const inputs = paths.filter(([root]) => root === 'input');
  // Where the arguments are depends on the input.
  const readsWhole =
    inputs.some(({ length }) => length === 1) || paths.some(([root]) => root === 'arguments');
  return {
    isRecorded: paths.every(
      ([root = '', field = '']) =>
        recorded.has(root) ||
        root === 'input' ||
        root === 'arguments' ||
        root === 'targetKey' ||
        (root === 'session' && ofSession.has(field)),
    ),
    inputFields: readsWhole ? null : new Set(inputs.map(([, field = '']) => field)),
    targetKey: paths.some(([root]) => root === 'targetKey'),
  };
}
