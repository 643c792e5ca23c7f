import type {
  ProposalSummary,
  ProposedChange,
  Proposal as ReadProposal,
} from '../../features/proposals/schema.ts';
import type { ProposalStatus } from '../../features/proposals/words.ts';
import { call, mostListed } from '../data/api.ts';
import { announce, ask, useChange } from '../data/change.ts';
import { knowNames, nameOfIntegration, nameOfList, nameOfPolicy } from '../data/names.ts';
import { may, operator } from '../data/operator/sign-in.ts';
import { useList, useResource } from '../data/resource.ts';
import { choiceInUrl, to } from '../data/route.ts';
import { StatusName, Time } from '../parts/badges.tsx';
import { Details, Heading } from '../parts/frame/heading.tsx';
import { Json } from '../parts/json.tsx';
import { Link } from '../parts/link.tsx';
import { Filter } from '../parts/list/filters.tsx';
import { ListTable } from '../parts/list/list.tsx';
import type { Column } from '../parts/list/table.tsx';
import { Problem, Show } from '../parts/states.tsx';
import { Visible } from '../parts/visible.tsx';
import { words } from '../strings/index.ts';

const statuses: readonly ProposalStatus[] = ['PENDING', 'ACTIVATED', 'REJECTED'];

export function ProposalsPage() {
  const { proposals: text, common } = words.value;
  const status = choiceInUrl('status', statuses);
  const resource = useList<ProposalSummary>(
    '/v1/proposals',
    { status },
    { on: ['proposals'], size: mostListed },
  );
  return (
    <>
      <Heading title={text.title} />
      <ListTable
        title={text.title}
        columns={columnsOf()}
        keyOf={({ id }) => id}
        resource={resource}
        none={text.none}
        hint={text.noneHint}
      >
        <Filter label={common.status} name="status" value={status} choices={statuses} names={text.statuses} />
      </ListTable>
    </>
  );
}

function ProposalStatusName({ status }: { status: ProposalStatus }) {
  return (
    <StatusName tone={status === 'ACTIVATED' ? 'good' : 'quiet'}>
      {words.value.proposals.statuses[status]}
    </StatusName>
  );
}

function columnsOf(): Column<ProposalSummary>[] {
  const { proposals: text, common } = words.value;
  return [
    {
      id: 'change',
      heading: text.what,
      value: ({ operation }) => text.operations[operation],
      show: ({ id, operation }) => <Link href={to('proposals', id)}>{text.operations[operation]}</Link>,
    },
    {
      id: 'status',
      heading: common.status,
      kind: 'mark',
      value: ({ status }) => text.statuses[status],
      show: ({ status }) => <ProposalStatusName status={status} />,
    },
    { id: 'author', heading: text.author, value: ({ author }) => author.name },
    { id: 'note', heading: text.note, value: ({ note }) => note ?? '' },
    { id: 'at', heading: text.at, kind: 'time', value: ({ createdAt }) => createdAt },
  ];
}

type Proposal = ReadProposal & { change: ProposedChange };

export function ProposalPage({ id }: { id: string }) {
  const resource = useResource(
    `proposal ${id}`,
    async ({ signal }) => {
      const { data: proposal } = await call<Proposal>(`/v1/proposals/${id}`, { signal });
      const { policyId = null, integrationId = null, listId = null } = proposal.change;
      await knowNames({ policies: [policyId], integrations: [integrationId], lists: [listId] });
      return proposal;
    },
    { on: ['proposals'] },
  );
  return (
    <Show resource={resource}>
      {(proposal) => (
        <>
          <Heading title={words.value.proposals.operations[proposal.operation]}>
            <ProposalStatusName status={proposal.status} />
          </Heading>
          {proposal.status === 'PENDING' && may('proposals:write') && (
            <Decide proposal={proposal} reload={resource.reload} />
          )}
          <Facts proposal={proposal} />
        </>
      )}
    </Show>
  );
}

/** The service knows whether four-eyes control is on, and refuses its author then. */
function Decide({ proposal: { id, author }, reload }: { proposal: Proposal; reload: () => void }) {
  const { proposals: text } = words.value;
  const { error, isBusy, run } = useChange();
  async function decide(how: 'activate' | 'reject', done: string) {
    await call(`/v1/proposals/${id}/${how}`, { method: 'POST' });
    announce(done);
    reload();
  }
  async function reject() {
    if (await ask(text.rejectQuestion, text.reject)) await decide('reject', text.rejected);
  }
  return (
    <section class="actions">
      {author.id === operator.value?.id && <p class="note">{text.own}</p>}
      <div class="buttons">
        <button
          type="button"
          class="button primary"
          disabled={isBusy}
          onClick={() => void run(() => decide('activate', text.activated))}
        >
          {text.activate}
        </button>
        <button type="button" class="button danger" disabled={isBusy} onClick={() => void run(reject)}>
          {text.reject}
        </button>
      </div>
      {error && <Problem error={error} />}
    </section>
  );
}

function Facts({ proposal }: { proposal: Proposal }) {
  const { proposals: text } = words.value;
  const { note, author, decidedBy, createdAt, decidedAt, before } = proposal;
  const { policyId, integrationId, listId, operatorId, ...change } = proposal.change;
  const target = (page: string, id: string | undefined, nameOf: (id: string) => string | null) =>
    id !== undefined && (
      <Link key="" href={to(page, id)}>
        <Visible text={nameOf(id) ?? id} />
      </Link>
    );
  return (
    <>
      <Details
        of={[
          [text.policy, target('policies', policyId, nameOfPolicy)],
          [text.integration, target('integrations', integrationId, nameOfIntegration)],
          [text.list, target('lists', listId, nameOfList)],
          [text.operator, target('operators', operatorId, () => null)],
          [text.note, note && <Visible text={note} />],
          [text.author, <Visible key="" text={author.name} />],
          [text.at, <Time key="" at={createdAt} show="full" />],
          [text.decidedBy, decidedBy && <Visible text={decidedBy.name} />],
          [text.decided, decidedAt && <Time at={decidedAt} show="full" />],
        ]}
      />
      {Object.keys(change).length > 0 && <Json value={change} label={text.change} />}
      {before === null ? <p class="note">{text.noBefore}</p> : <Json value={before} label={text.before} />}
    </>
  );
}
