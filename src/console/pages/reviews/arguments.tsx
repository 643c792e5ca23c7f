import type { RefObject } from 'preact';
import type { ListedReview, Review } from '../../../features/reviews/schema.ts';
import type { Detection } from '../../../schemas/evaluations.ts';
import { call } from '../../data/api.ts';
import { count } from '../../data/format.ts';
import { nameOfIntegration } from '../../data/names.ts';
import { useResource } from '../../data/resource.ts';
import {
  type Argument,
  argumentChanges,
  argumentsOf,
  argumentText,
  differencesOf,
  isLongText,
  markedParts,
} from '../../data/reviews/arguments.ts';
import { to } from '../../data/route.ts';
import { Tags, Time } from '../../parts/badges.tsx';
import { Json } from '../../parts/json.tsx';
import { Link } from '../../parts/link.tsx';
import { Visible } from '../../parts/visible.tsx';
import { words } from '../../strings/index.ts';

/** Arguments, and characters of one, that are shown before they are unfolded. */
const shownArguments = 40;
const shownCharacters = 3_000;

interface FieldsProps {
  fields: readonly Argument[];
  /** By pointer: null for one that is new. */
  before?: ReadonlyMap<string, Argument | null>;
  detections?: readonly Detection[];
  isWhole: boolean;
}

/** Whether some of it is folded away until it is asked for. */
const isFoldable = (fields: readonly Argument[]): boolean =>
  fields.length > shownArguments || fields.some(({ value }) => argumentText(value).length > shownCharacters);

function Fields({ fields, before = new Map(), detections = [], isWhole }: FieldsProps) {
  const { reviews: text } = words.value;
  return (
    <dl class="arguments">
      {fields.slice(0, isWhole ? fields.length : shownArguments).map((field) => {
        const places = detections.filter((one) => one.in === 'input' && one.path === field.pointer);
        const was = before.get(field.pointer);
        return (
          <div
            key={field.pointer}
            class={`argument ${field.kind}${before.has(field.pointer) ? ' changed' : ''}`}
          >
            <dt>
              <Visible text={field.name} />
              {field.kind !== 'other' && field.kind !== field.name && (
                <span class="quiet"> {text.argumentKinds[field.kind]}</span>
              )}
            </dt>
            <dd>
              <Value of={field} places={places} isWhole={isWhole} />
              <Tags tags={[...new Set(places.map(({ type }) => type))]} />
              {was && (
                <p class="was">
                  {text.was} <Value of={was} places={[]} isWhole={isWhole} />
                </p>
              )}
              {was === null && <p class="was">{text.isNew}</p>}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

interface ValueProps {
  of: Argument;
  places: readonly Detection[];
  isWhole: boolean;
}

function Value({ of: { value }, places, isWhole }: ValueProps) {
  const whole = argumentText(value);
  const shown = isWhole ? whole : whole.slice(0, shownCharacters);
  const parts =
    shown === whole && whole === value ? markedParts(whole, places) : [{ text: shown, types: [] }];
  return (
    <span class={isLongText(value) ? 'argument-text' : 'argument-value'}>
      {parts.map(({ text, types }, place) =>
        types.length === 0 ? (
          <Visible key={place} text={text} />
        ) : (
          <mark key={place} class="found" title={types.join(', ')}>
            <Visible text={text} />
          </mark>
        ),
      )}
      {shown.length < whole.length && '…'}
    </span>
  );
}

interface ArgumentsProps {
  review: Review;
  /** Where data was found in it. */
  detections: readonly Detection[];
  element: RefObject<HTMLElement | null>;
  /** Told when nothing of it is folded away any more. */
  isWhole: boolean;
  onWhole: () => void;
}

/** The arguments of the action, and their differences from the last action of the tool that was held. */
export function Arguments({ review, detections, element, isWhole, onWhole }: ArgumentsProps) {
  const { reviews: text, common } = words.value;
  const last = useLastHeld(review);
  const { input, targetMetadata } = review;
  if (input === null) {
    return (
      <section ref={element} aria-label={text.input}>
        <p class="note">{common.notKept}</p>
        <Target review={review} />
      </section>
    );
  }
  const fields = argumentsOf(input);
  const changes = last && argumentChanges(fields, argumentsOf(last.input ?? {}));
  const folds = isFoldable(fields);
  return (
    <section ref={element} aria-label={text.input}>
      <h3>{text.input}</h3>
      <Target review={review} />
      {last && changes && (
        <p class="quiet">
          {changes.before.size + changes.gone.length === 0 ? text.sameAsBefore : text.comparedWith}{' '}
          <Link href={`${to('reviews')}?id=${last.id}`}>
            <Time at={last.createdAt} />
          </Link>{' '}
          ({text.statuses[last.status]})
        </p>
      )}
      <Fields
        fields={fields}
        detections={detections}
        isWhole={isWhole || !folds}
        {...(changes && { before: changes.before })}
      />
      {changes && changes.gone.length > 0 && (
        <p class="was">
          {text.gone} <Visible text={changes.gone.map(({ name }) => name).join(', ')} />
        </p>
      )}
      {folds && !isWhole && (
        <button type="button" class="button" onClick={onWhole}>
          {text.showAll(count(fields.length))}
        </button>
      )}
      {targetMetadata !== null && <Json value={targetMetadata} label={text.metadata} />}
      <details>
        <summary>{words.value.evaluation.raw}</summary>
        <Json value={input} label={text.rawInput} />
      </details>
    </section>
  );
}

export const argumentsFold = ({ input }: Pick<Review, 'input'>): boolean =>
  input !== null && isFoldable(argumentsOf(input));

function Target({ review: { targetKey, tool } }: { review: Review }) {
  if (targetKey === null || targetKey === tool) return null;
  return (
    <p>
      {words.value.reviews.target}:{' '}
      <code>
        <Visible text={targetKey} />
      </code>
    </p>
  );
}

/** The action of the same tool and integration that was held before this one. */
function useLastHeld({ id, tool, integrationId, createdAt }: Review): Review | null {
  const { state } = useResource(`held before ${id}`, async ({ signal }) => {
    if (tool === null) return null;
    const query = { tool, integrationId, to: createdAt, size: 1 };
    const { data } = await call<ListedReview[]>('/v1/reviews', { query, background: true, signal });
    const [last] = data;
    // Lists show what is kept: of one that still waits, whoever decides sees more.
    return last ? (await call<Review>(`/v1/reviews/${last.id}`, { background: true, signal })).data : null;
  });
  return state.is === 'ready' && state.data?.input ? state.data : null;
}

/** With its target, whose pointers must not be those of an argument. */
function allOf({ input, tool, targetKey, targetMetadata }: Review): Argument[] {
  const target = {
    ...(targetKey !== null && targetKey !== tool && { targetKey }),
    ...(targetMetadata !== null && { targetMetadata }),
  };
  const ofTarget = argumentsOf(target).map((one) => ({ ...one, pointer: `target${one.pointer}` }));
  return [...argumentsOf(input ?? {}), ...ofTarget];
}

interface SeveralProps {
  reviews: readonly Review[];
  element: RefObject<HTMLElement | null>;
}

/** All actions of one decision: by tool, once what they have in common, then each with what is its own. */
export function SeveralArguments({ reviews, element }: SeveralProps) {
  const { reviews: text, common } = words.value;
  const toolOf = ({ tool, targetKey }: Review): string => tool ?? targetKey ?? '';
  const tools = [...new Set(reviews.map(toolOf))];
  return (
    <section ref={element} aria-label={text.decidedTogether}>
      {tools.map((tool) => {
        const group = reviews.filter((review) => toolOf(review) === tool);
        const { same, different } = differencesOf(group.map(allOf));
        return (
          <section key={tool} class="together-tool">
            <h3>
              <Visible text={tool || text.wantsContent} />{' '}
              <span class="quiet">{text.actions(group.length)}</span>
            </h3>
            {group.length > 1 && same.length > 0 && (
              <>
                <h4>{text.inAll}</h4>
                <Fields fields={same} isWhole />
              </>
            )}
            <ol class="together-actions">
              {group.map((review, place) => (
                <li key={review.id}>
                  <p class="quiet">
                    <Visible text={nameOfIntegration(review.integrationId) ?? ''} /> ·{' '}
                    <Time at={review.createdAt} />
                  </p>
                  {review.input === null && <p class="note">{common.notKept}</p>}
                  <Fields fields={group.length > 1 ? (different[place] ?? []) : same} isWhole />
                  {group.length > 1 && different[place]?.length === 0 && (
                    <p class="quiet">{text.noDifference}</p>
                  )}
                </li>
              ))}
            </ol>
          </section>
        );
      })}
    </section>
  );
}
