import type { EnforcementAction, Severity } from '../../schemas/decisions.ts';
import { now } from '../data/clock.ts';
import { countdown, dayAndTimeOf, fullTimeOf, secondOf, shortId, timeOf, utcOf } from '../data/format.ts';
import { nameOfEntity, nameOfIntegration } from '../data/names.ts';
import { to } from '../data/route.ts';
import { words } from '../strings/index.ts';
import { Copy } from './copy.tsx';
import { Link } from './link.tsx';
import { Visible } from './visible.tsx';

/** Each decision has a shape of its own: colour alone says nothing to many. */
const shapes: Record<EnforcementAction, string> = {
  ALLOW: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2z',
  WARN: 'M8 2l7 12H1z',
  APPROVAL_REQUIRED: 'M3 2h3.6v12H3zM9.4 2H13v12H9.4z',
  BLOCK: 'M5 1.5h6L14.500 5v6L11 14.500H5L1.500 11V5z',
};

export function Shape({ action }: { action: EnforcementAction }) {
  return (
    <svg
      class={`shape ${action}`}
      width="12"
      height="12"
      viewBox="0 0 16 16"
      aria-hidden="true"
      focusable="false"
    >
      <path d={shapes[action]} fill="currentColor" />
    </svg>
  );
}

export function Verdict({ action }: { action: EnforcementAction }) {
  return (
    <span class={`badge ${action}`}>
      <Shape action={action} />
      {words.value.verdicts[action]}
    </span>
  );
}

export function SeverityName({ severity }: { severity: Severity | null }) {
  if (severity === null) return null;
  // In their order in the texts, which are there anyway: the first load has no other list of them.
  const severities = Object.keys(words.value.severities);
  const grade = severities.indexOf(severity);
  return (
    <span class={`severity ${severity}`}>
      <svg class="icon" width="12" height="12" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
        {severities.map((one, place) => (
          <rect
            key={one}
            class={place > grade ? 'off' : undefined}
            x={place * 4}
            y={12 - place * 4}
            width="3"
            height={4 + place * 4}
            fill="currentColor"
          />
        ))}
      </svg>
      {words.value.severities[severity]}
    </span>
  );
}

interface TagsProps {
  tags: readonly string[];
  /** The labels or tags that the session has from here on. */
  added?: readonly string[];
  /** So many are shown, the added ones first, and how many others there are. */
  most?: number;
}

export function Tags({ tags, added = [], most = tags.length }: TagsProps) {
  if (tags.length === 0) return null;
  const isAdded = (tag: string) => added.includes(tag);
  const ordered =
    most < tags.length ? [...tags.filter(isAdded), ...tags.filter((tag) => !isAdded(tag))] : tags;
  return (
    <ul class="tags">
      {ordered.slice(0, most).map((tag) => (
        <li
          key={tag}
          class={isAdded(tag) ? 'tag added' : 'tag'}
          title={isAdded(tag) ? words.value.session.newTag : undefined}
        >
          <Visible text={tag} />
        </li>
      ))}
      {most < tags.length && <li class="tag">+{tags.length - most}</li>}
    </ul>
  );
}

export type Tone = 'good' | 'quiet' | 'busy' | 'bad' | 'new';

export function StatusName({ tone, children }: { tone: Tone; children: string }) {
  return <span class={`status ${tone}`}>{children}</span>;
}

interface NumbersProps {
  of: readonly (readonly [label: string, value: string])[];
}

/** The few numbers that matter most, large. */
export function Numbers({ of }: NumbersProps) {
  return (
    <dl class="numbers">
      {of.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** In the viewer's time zone; UTC on hover. */
export function Time({ at, show = 'day' }: { at: string; show?: 'day' | 'second' | 'time' | 'full' }) {
  const formatted = { day: dayAndTimeOf, second: secondOf, time: timeOf, full: fullTimeOf }[show](at);
  return (
    <time dateTime={at} title={utcOf(at)}>
      {formatted}
    </time>
  );
}

/** Below this the remaining time is shown as urgent. */
const urgentMs = 120_000;

export function Countdown({ until }: { until: string }) {
  const left = Date.parse(until) - now.value;
  if (left <= 0) return <span class="countdown over">{words.value.now.expired}</span>;
  return (
    <span class={left < urgentMs ? 'countdown urgent' : 'countdown'} title={utcOf(until)} role="timer">
      {words.value.now.left(countdown(left))}
    </span>
  );
}

const names = { integrations: nameOfIntegration, entities: nameOfEntity } as const;

/** An integration or entity by its name, with its page and its id. An entity need not be registered: it then has its id alone. */
export function Named({ kind, id }: { kind: keyof typeof names; id: string }) {
  const name = names[kind](id);
  return (
    <span class="named">
      <Link href={to(kind, id)}>
        <Visible text={name ?? `…${shortId(id)}`} />
      </Link>{' '}
      <Copy text={id} label={words.value.common.copyId} about={name ?? shortId(id)} icon="copy" />
    </span>
  );
}
