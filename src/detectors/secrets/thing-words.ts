/** Words in names of things, work and programs that are no part of a person's name, in lower case. */
const THINGS = new Set(
  (
    'account action actions add address admin agent alert alerts analytics api app application apps archive area article asset assets audit auth auto backend backup ' +
    'bank base basic batch beta big blog blue board book bot box branch brand browser budget build builder business button cache calendar call campaign card cart ' +
    'catalog category center centre chair channel chart chat check city class clean client clients cloud cluster code collection color colour command commit company ' +
    'component config configuration configure connection contact contacts container content control copy core corp count country coverage create created credit cron custom ' +
    'customer customers daily dark dashboard data database date day default delete delivery demo deploy deployment desktop details dev development device devices ' +
    'directory disable docker docs document documents domain download draft edit email employee enable endpoint engine entry environment error event events example export external ' +
    'factory feature feed field fields file files filter final first flow folder font form format forms foundation framework free frontend full function game gateway general ' +
    'generator get git global gmbh green group groups guide handler hash header health help hello home hook host hotel hub icon image images import inbox inc index info ' +
    'input install instance integration interface internal inventory invoice issue item items job jobs json key label lambda language last launch layer layout level library license light ' +
    'limit limited line link list lists llc load local location log login logs ltd machine mail main manager map market marketing master media meeting member members memory menu ' +
    'message messages meta method metrics migration mobile mode model module monitor monthly move name network new news newsletter next node note notes notification number office online ' +
    'open operator option options order orders org other output package packages page pages panel parser password payment payments phone pipeline plan plans platform player plugin plus ' +
    'policy pool port post premium preview price primary print private pro process processor product production products profile program project projects prompt provider proxy public ' +
    'publish push quarterly query queue quick random rate read record records red redirect region registry release remote remove render report reports repository request required research ' +
    'reset resource response restart restore result results retry review role roles room root route router rule rules run runner sales sample save scan schedule schema script search ' +
    'section secret security select send server service services session set setting settings setup shared shell shop show simple single site size smart source space spec stack staff ' +
    'stage staging standard start state static station status step stock stop storage store stream studio style subject summary support switch sync system table tag target task tasks ' +
    'team template templates terminal test tester testing tests text theme ticket time title token tool toolbox tools topic total tracking train training transfer trigger type update upload ' +
    'user users utility value vendor version video view virtual voice wallet warehouse web webhook website week weekly welcome widget window wiki work worker workflow workspace world write ' +
    'xml yaml yearly year zone monday tuesday wednesday thursday friday saturday sunday january february july september october november december spring summer autumn winter and or of the for with to in on'
  ).split(' '),
);
const WORD = /[\p{L}\p{M}]+/gu;

/** Whether any word of a name that nothing but its label calls one is that of a thing: Quarterly Report. */
export function isThing(name: string): boolean {
  for (const [word] of name.matchAll(WORD)) if (THINGS.has(word.toLowerCase())) return true;
  return false;
}
