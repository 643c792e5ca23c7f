import { signal } from '@preact/signals';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ListedEvaluationSession } from '../../../features/sessions/schema.ts';
import type { StatsSeries } from '../../../features/stats/schema.ts';
import { call, mostListed } from '../../data/api.ts';
import { shortId } from '../../data/format.ts';
import { shortcuts } from '../../data/operator/preferences.ts';
import { type Proposing, sendProposal } from '../../data/policies/propose.ts';
import { go, to } from '../../data/route.ts';
import { words } from '../../strings/index.ts';
import { Dialog } from '../form/dialog.tsx';
import { Form, TextField } from '../form/form.tsx';
import { Icon, type IconName } from '../icon.tsx';
import { Link } from '../link.tsx';
import { Visible } from '../visible.tsx';
import { isOffered, pageKeys, pageNames } from './navigation.ts';

interface Target {
  icon: IconName;
  /** The page that lists targets of this kind. */
  kind: string;
  name: string;
  href: string;
}

/** The nouns with names, by the page that lists them; the pages have the name of the path in the API but for sessions. */
const named = ['integrations', 'policies', 'entities', 'lists', 'webhooks', 'operators'] as const;

const isId = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Where each kind of id is looked up, and the address of its page. */
const places: readonly [icon: IconName, path: string, hrefOf: (id: string) => string][] = [
  ['evaluations', '/v1/evaluations', (id) => to('evaluations', id)],
  ['sessions', '/v1/evaluation-sessions', (id) => to('sessions', id)],
  ['reviews', '/v1/reviews', (id) => `${to('reviews')}?id=${id}`],
  ['violations', '/v1/violations', (id) => `${to('violations')}?id=${id}`],
  ['proposals', '/v1/proposals', (id) => to('proposals', id)],
  ...named.map((kind): [IconName, string, (id: string) => string] => [
    kind,
    `/v1/${kind}`,
    (id) => to(kind, id),
  ]),
];

/** The targets that this tab loaded for the search; kept for so long, in milliseconds. */
const loaded = signal<{ at: number; targets: readonly Target[] }>({ at: 0, targets: [] });
const keptMs = 30_000;

const background = true;
const inEvaluations = (parameters: Record<string, string>): string =>
  `${to('evaluations')}?${new URLSearchParams(parameters)}`;

/** Everything that has a name, and the tools and rules of the last 30 days. What may not be read is left out. */
async function loadTargets(): Promise<Target[]> {
  const nameOf = words.value.nav;
  const lists = named.filter(isOffered).map(async (kind): Promise<Target[]> => {
    const query = { size: mostListed };
    const { data } = await call<{ id: string; name: string }[]>(`/v1/${kind}`, { query, background });
    return data.map(({ id, name }) => ({ icon: kind, kind: nameOf[kind], name, href: to(kind, id) }));
  });
  const sessions = async (): Promise<Target[]> => {
    const query = { size: mostListed };
    const { data } = await call<ListedEvaluationSession[]>('/v1/evaluation-sessions', { query, background });
    return data.map(({ id, externalSessionId }) => ({
      icon: 'sessions',
      kind: nameOf.sessions,
      name: externalSessionId === id ? `…${shortId(id)}` : externalSessionId,
      href: to('sessions', id),
    }));
  };
  const seen = async (by: 'tool' | 'rule'): Promise<Target[]> => {
    const query = { by, unit: 'day' };
    const { data } = await call<StatsSeries[]>('/v1/stats', { query, background });
    return data.map(({ name }) => ({
      icon: 'evaluations',
      kind: words.value.statistics.dimensions[by],
      name,
      href: inEvaluations({ [by]: by === 'rule' ? name.slice(name.lastIndexOf('/') + 1) : name }),
    }));
  };
  const found = await Promise.allSettled([...lists, sessions(), seen('tool'), seen('rule')]);
  return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
}

/** The targets with this id, of whatever kind. */
async function findId(id: string): Promise<Target[]> {
  const { kinds } = words.value.palette;
  const found = await Promise.allSettled(
    places.map(async ([icon, path, hrefOf]): Promise<Target> => {
      await call(`${path}/${id.toLowerCase()}`, { background });
      return { icon, kind: kinds[icon as keyof typeof kinds], name: id, href: hrefOf(id.toLowerCase()) };
    }),
  );
  return found.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}

/** A session that has this name in the agent's own system: not only one of the newest. */
async function findSession(externalSessionId: string): Promise<Target[]> {
  const query = { externalSessionId, size: 5 };
  const { data } = await call<ListedEvaluationSession[]>('/v1/evaluation-sessions', { query, background });
  return data.map(({ id }) => ({
    icon: 'sessions',
    kind: words.value.nav.sessions,
    name: externalSessionId,
    href: to('sessions', id),
  }));
}

const pageTargets = (): Target[] =>
  pageNames.filter(isOffered).map((page) => ({
    icon: page,
    kind: words.value.palette.page,
    name: words.value.nav[page],
    href: to(page),
  }));

const mostShown = 12;

/** The targets with every word in their name or kind; names that begin with the text come first. */
function matching(targets: readonly Target[], text: string): Target[] {
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
  const startsWith = ({ name }: Target): boolean => name.toLowerCase().startsWith(wanted.join(' '));
  const found = targets.filter(({ name, kind }) => {
    const whole = `${name} ${kind}`.toLowerCase();
    return wanted.every((word) => whole.includes(word));
  });
  return [...found.filter(startsWith), ...found.filter((one) => !startsWith(one))].slice(0, mostShown);
}

const lookUpAfterMs = 150;

/** Finds pages, names and ids, and opens the one that is chosen. */
export function Palette({ onClose }: { onClose: () => void }) {
  const { palette: text } = words.value;
  const dialog = useRef<HTMLDialogElement>(null);
  const listId = useId();
  const [typed, setTyped] = useState('');
  const [place, setPlace] = useState(0);
  const [lookedUp, setLookedUp] = useState<{ of: string; targets: Target[] }>({ of: '', targets: [] });
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    const closeOutside = (event: Event) => event.target === element && onClose();
    element?.addEventListener('click', closeOutside);
    return () => element?.close();
  }, []);
  useEffect(() => {
    if (Date.now() - loaded.value.at < keptMs) return;
    void loadTargets().then((targets) => {
      loaded.value = { at: Date.now(), targets };
    });
  }, []);
  const asked = typed.trim();
  useEffect(() => {
    if (asked === '') return;
    let isCurrent = true;
    const timer = setTimeout(async () => {
      const found = await (isId.test(asked) ? findId(asked) : findSession(asked)).catch(() => []);
      if (isCurrent) setLookedUp({ of: asked, targets: found });
    }, lookUpAfterMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [asked]);

  const own = matching([...pageTargets(), ...loaded.value.targets], asked);
  const extra = lookedUp.of === asked ? lookedUp.targets : [];
  const targets = [...own, ...extra.filter(({ href }) => !own.some((one) => one.href === href))];
  const current = Math.min(place, targets.length - 1);
  const open = (target: Target | undefined) => {
    if (!target) return;
    onClose();
    go(target.href);
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setPlace((current + step + targets.length) % Math.max(1, targets.length));
    }
  };
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label={text.title}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          open(targets[current]);
        }}
      >
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={targets.length > 0 ? `${listId}-${current}` : undefined}
          aria-label={text.title}
          placeholder={text.hint}
          autocomplete="off"
          maxLength={200}
          value={typed}
          onKeyDown={press}
          onInput={(event) => {
            setTyped(event.currentTarget.value);
            setPlace(0);
          }}
        />
      </form>
      <div id={listId} class="palette-found" role="listbox" aria-label={text.found}>
        {targets.map((target, at) => (
          <a
            key={target.href}
            id={`${listId}-${at}`}
            role="option"
            tabIndex={-1}
            href={target.href}
            aria-selected={at === current}
            onClick={(event) => {
              if (event.ctrlKey || event.metaKey) return;
              event.preventDefault();
              open(target);
            }}
          >
            <Icon name={target.icon} size={16} />
            <span class="palette-name">
              <Visible text={target.name} />
            </span>
            <span class="quiet">{target.kind}</span>
          </a>
        ))}
      </div>
      {targets.length === 0 && <p class="quiet">{text.none}</p>}
    </dialog>
  );
}

/** Every key of the console. */
export function KeyList({ onClose }: { onClose: () => void }) {
  const { palette: text, nav, common } = words.value;
  const rows: [keys: string[], does: string][] = [
    [['Ctrl', 'K'], text.title],
    [['?'], text.keys],
    ...pageNames
      .filter(isOffered)
      .map((page): [string[], string] => [['G', pageKeys[page].toUpperCase()], nav[page]]),
  ];
  return (
    <Dialog title={text.keys} onClose={onClose}>
      {shortcuts.value === 'off' && (
        <p class="note">
          {text.keysOff} <Link href={to('settings')}>{nav.settings}</Link>
        </p>
      )}
      <dl class="key-list">
        {rows.map(([keys, does]) => (
          <div key={does}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p class="quiet">
        {nav.reviews}: {words.value.reviews.keys}
      </p>
      <div class="buttons">
        <button type="button" class="button" onClick={onClose}>
          {common.close}
        </button>
      </div>
    </Dialog>
  );
}

/** The reason of a change that another operator makes. */
export function ProposeDialog({ proposing: { title, change, onEnd } }: { proposing: Proposing }) {
  const { proposals: text } = words.value;
  const [note, setNote] = useState('');
  async function send() {
    await sendProposal(change, note);
    onEnd(true);
  }
  return (
    <Dialog title={title} onClose={() => onEnd(false)}>
      <p>{text.proposeMeans}</p>
      <Form submitLabel={text.send} onSubmit={send} onCancel={() => onEnd(false)}>
        <TextField label={text.noteField} value={note} maxLength={500} onInput={setNote} />
      </Form>
    </Dialog>
  );
}
