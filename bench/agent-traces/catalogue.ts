import type { CatalogueTool } from '../../src/features/tools/schema.ts';
import type { TracedTool } from './traces.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Words of an argument's name that say that it names where content or value goes. */
const destinationWords = new Set(
  'to cc bcc recipient recipients payee beneficiary iban account email emails mail address addresses url urls uri link domain host webhook channel channels participant participants attendee attendees invitee invitees phone destination'.split(
    ' ',
  ),
);
/** Words that say that it describes, or says when, how or how much: no value that stands for one thing. */
const descriptiveWords = new Set(
  'date day days time month year start end dob birth first last given family street city state zip postal country location body content text message messages subject title description summary comment comments note notes reason query details html markdown permission permissions role status type kind format language currency priority color size mode thought expression'.split(
    ' ',
  ),
);

/**
 * The catalogue that an operator would write for these tools: effects as given, and destinations and identifiers by the names of
 * the arguments. Everything that a tool reads may have been written by somebody else.
 */
export function catalogueOf(tools: readonly TracedTool[]): CatalogueTool[] {
  return tools.map(({ name, description, effect, inputSchema }) => {
    const paths = [...new Set(argumentsIn(inputSchema))];
    const destinations = paths.filter((path) => isNamedBy(path, destinationWords) && !/_ids?$/i.test(path));
    // Whatever else a change takes names what it changes: a file, an order, a hotel, a password.
    const identifiers = paths.filter(
      (path) => effect !== 'read' && !destinations.includes(path) && !isNamedBy(path, descriptiveWords),
    );
    return {
      name,
      description,
      effect: effect.toUpperCase() as CatalogueTool['effect'],
      untrustedResults: effect === 'read',
      destinations,
      identifiers,
    };
  });
}

/** The paths of the texts and ids among the arguments, also those in lists and objects; each may come twice. */
function* argumentsIn(schema: Schema, path = ''): Generator<string> {
  const forms = [schema.anyOf, schema.oneOf].flat().filter(isSchema);
  for (const form of [schema, ...forms]) {
    for (const [name, property] of Object.entries(isSchema(form.properties) ? form.properties : {})) {
      if (isSchema(property)) yield* argumentsIn(property, path === '' ? name : `${path}.${name}`);
    }
    if (isSchema(form.items)) yield* argumentsIn(form.items, path);
    // A number counts or measures, unless it is an id.
    const isValue = form.type === 'string' || (form.type === 'integer' && /id$/i.test(path));
    if (isValue && path !== '' && form.enum === undefined && form.format === undefined) yield path;
  }
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** By the words of its last name: `new_recipient`, `fileId`, `attachments.path`. */
function isNamedBy(path: string, words: ReadonlySet<string>): boolean {
  const last = path.split('.').at(-1) ?? '';
  const parts = last
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_-]/);
  return parts.some((part) => words.has(part));
}
