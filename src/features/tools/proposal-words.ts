import type { ToolEffect } from './words.ts';

export const wordsOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** The words of a name, in lower case: `crm.sendMail`, `send_mail` and `SendMail` alike. */
export const wordsIn = (name: string): string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

export const has = (words: readonly string[], some: ReadonlySet<string>): boolean =>
  words.some((word) => some.has(word));

/** Verbs in the names of tools, by the effect that they stand for. */
export const verbs: Readonly<Record<'READ' | 'WRITE' | 'EXTERNAL', ReadonlySet<string>>> = {
  READ: wordsOf(`
    get list search find read fetch lookup query show view describe count check retrieve browse summarize summarise analyze
    analyse calculate compute think explain validate verify inspect diff compare resolve translate download navigate goto visit
    screenshot snapshot wait preview extract scrape crawl parse ping access load see stat stats aggregate tail head grep glob
    monitor estimate audit lint peek discover observe review listen poll suggest recommend detect classify echo whoami health
    geocode measure identify determine diagnose debug investigate predict forecast answer ask lookup details info information analysis
    history summary overview status sequentialthinking scroll rerank sample explore recall enumerate scan hover map research export
  `),
  WRITE: wordsOf(`
    create add update edit modify set write delete remove drop put patch insert upsert append move rename copy duplicate
    archive unarchive restore close open reopen merge fork push commit assign unassign label tag untag enable disable start stop
    cancel reschedule schedule book reserve register unregister install uninstall activate deactivate lock unlock apply save
    upload import mark manage click type fill press drag select resize replace clear reset rotate attach detach link
    unlink connect disconnect subscribe unsubscribe follow unfollow like star unstar react pin unpin join leave kick mute unmute unread flag unflag trash untrash spam
    block unblock complete uncomplete finish approve reject resolve configure generate build deploy promote rollback scale
    restart pause resume kill terminate destroy purge wipe erase truncate revoke provision rebase convert transform format
    organize sort change toggle turn adjust give place go draft finalize void log record store remember track handle dismiss
    signal emulate swap clone init trigger sync synchronize synchronise migrate renew retry rerun requeue enqueue stage unstage stash tune train acknowledge ack accept
    decline deny confirm vote upvote downvote bookmark escalate snooze postpone defer suspend ingest sign claim redeem seed populate login
    logout authenticate authorize switch encrypt decrypt mint burn delegate shutdown abort abandon increment decrement flush undo redo expire fill compose replay watch clean cleanup interact launch new
  `),
  EXTERNAL: wordsOf(`
    send post publish share email mail notify invite reply respond forward tweet retweet message dm sms pay transfer wire
    withdraw deposit purchase buy checkout refund grant call dial broadcast submit donate tip charge payout autofill announce
    alert dispatch fax ship remit resend sell trade disburse reimburse fund
  `),
};

/** Verbs and nouns alike in the names of tools: they count as verbs only where they come first, or where nothing else does. */
export const weakVerbs = wordsOf(`
  post message mail email sms call ship log record store map alert dispatch broadcast review format label tag like link open order sample
  head tail sort place type access stats stat lock track charge transfer load batch block commit
  fork star pin scan tip wire watch monitor audit change format draft research hover new process review access share record drag select
  text preview snapshot screenshot diff file details info information analysis history summary overview status unread flag spam
`);

/** Creating or changing one of these sends something to somebody. */
export const sentNouns = wordsOf(`
  email emails mail message messages sms tweet dm reply payment payout transfer refund charge invitation invitations invite
  notification notifications announcement transaction wire call calls refunds donation dispatch newsletter post posts
`);

/** Adding one of these tells somebody. */
export const invitedNouns = wordsOf(
  'members participant participants attendee attendees invitee invitees guest guests sharing collaborator collaborators',
);
/** Handing the conversation over to one of these sends nothing out. */
export const staffNouns = wordsOf('human humans agent agents operator staff support');

/** Deleting one of these deletes everything that is in it. */
const containers = wordsOf(`
  repository repo project database databases table tables collection collections index indices bucket volume volumes namespace cluster
  account accounts workspace organization organisation org site server instance instances schema dataset app application tenant
  backup everything all many bulk batch multiple deployment environment pod pods resource resources stack queue topic channel channels
  board boards calendar calendars group groups team section sections folder folders directory directories library playlist album notebook vault
  memory knowledgebase campaign glossary lists wiki
`);
export const isContainer = (noun: string): boolean =>
  containers.has(noun) || containers.has(noun.replace(/s$/, ''));
export const deletingVerbs = wordsOf(
  'delete remove destroy purge wipe erase truncate drop clear terminate kill flush clean cleanup',
);
/** Nothing that one of these takes away comes back. */
export const destroyingVerbs = wordsOf('destroy purge wipe erase truncate drop');

/** Names of arguments and nouns of tools that run what they are given. */
export const commandNouns = wordsOf(
  'command commands cmd shell terminal bash powershell sql code python script statement statements process function',
);
export const runningVerbs = wordsOf('execute exec run eval evaluate');

/** Last words of the name of an argument to which content or value goes, whichever tool takes it. */
export const recipientWords = wordsOf(`
  cc bcc recipient recipients payee payees beneficiary iban participant participants attendee attendees invitee invitees guest
  guests receiver receivers addressee subscriber subscribers spender spenders
`);
/** The same for tools that send something. */
export const sendingWords = wordsOf(`
  email emails mail mails address addresses account accounts channel channels phone phones phonenumber domain host chat
  room conversation user users webhook member members contact contacts customer audience group groups app number numbers destination
  wallet person people party url uri urls uris endpoint
`);
/** Words of arguments that hold a network address. */
export const addressWords = wordsOf('url urls uri uris href website webpage link links endpoint homepage');
/** Verbs of tools that go to an address that they are given, and change nothing of what they store for it. */
export const goingVerbs = wordsOf(
  'navigate goto visit open fetch get read scrape crawl extract download load map browse screenshot import clone upload search monitor new go preview audit check analyze analyse view inspect convert fill autofill login research agent interact run request test trigger',
);

/** Words of arguments that hold content, for a person or a model to read. */
export const contentWords = wordsOf(`
  body content contents text message messages subject title description html note notes comment comments summary markdown caption
  bio snippet reason headline
`);
/** Words of arguments that say when, how or how much: no value that stands for one thing. */
export const describingWords = wordsOf(`
  date day days time month year start end dob birth first last given family street city state zip postal country location query
  details permission permissions role status type kind format language currency priority color colour size mode thought expression
  timezone width height limit offset cursor sort order orderby filter filters timeout locale level
`);

/** Words of tools that tell only what is computed, or what the service itself keeps: nobody can write a text into it. */
export const computedWords = wordsOf(`
  time clock timezone date day calculate calculator compute math uuid random think sequentialthinking balance quota usage limits
  version ping healthcheck currency iban convert whoami uptime distance elevation geocode allowed count counts metrics estimate expression
  airports sum env echo validate size region regions colors colours quota freebusy shards self filters settings preferences config
  configuration directions connections health stats statistics languages locales timezones zones currencies rates capabilities definitions
  explain sessions categories supported types metrics insights profit balances permissions scopes voices models formats
  units weather forecast coordinates isochrone checksum translate login
`);
/** Changes that answer with the thing that was changed, or with what a page or a program shows then. */
export const answeringVerbs = wordsOf(`
  update edit append patch put copy reschedule execute exec run eval evaluate click type fill press drag select handle interact
`);
/** Changes of one of these answer with what the caller says of it: nobody else writes into one. */
export const settingNouns = wordsOf(`
  template label labels category webhook segment domain filter rule property role permission permissions setting settings
  config configuration preference preferences automation flag environment variable secret token topic topics
`);
/** Words of tools that list whom the user knows: their results name people and accounts that may be used. */
export const directoryWords = wordsOf(`
  contact contacts payee payees beneficiaries members employees colleagues friends addressbook recipients teammates
`);

/** Effects that a method of HTTP stands for. */
export const methodEffects: Readonly<Record<string, ToolEffect>> = {
  get: 'READ',
  head: 'READ',
  options: 'READ',
  query: 'READ',
  put: 'WRITE',
  patch: 'WRITE',
  delete: 'WRITE',
  post: 'WRITE',
};

/** Words in front of a path's last name that say that it only looks for something. */
export const searchingWords = wordsOf(
  'criteria filter filters query search match where condition conditions exception exceptions sort',
);
/** Verbs of descriptions that leave it to another word what is done. */
export const lightVerbs = wordsOf(
  'perform performs run runs execute executes conduct conducts do make use this tool allows lets a an the to',
);
/** Pictures of something, and other addresses that are shown and not gone to. */
export const shownWords = wordsOf(
  'avatar icon image images thumbnail cover logo photo picture preview display media banner attachment attachments file files',
);
