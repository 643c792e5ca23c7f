import { shortId } from '../data/format.ts';
import { nameOfEntity, nameOfIntegration } from '../data/names.ts';
import { to } from '../data/route.ts';
import { words } from '../strings/index.ts';
import { Copy } from './copy.tsx';
import { Link } from './link.tsx';
import { Visible } from './visible.tsx';

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
