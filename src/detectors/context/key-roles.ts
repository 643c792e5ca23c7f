/** What a key is beside a name of its value, as bits. */
export const DESCRIBES = 1;
export const HOLDS = 2;
export const LOGS_IN = 4;
export const LISTS = 8;
export const BINDS = 16;
export const TURN = 32;
/** What some words are as a key, as bits of the above. */
const ROLES = new Map<string, number>();
for (const [role, words] of [
  [
    DESCRIBES,
    'type description title format pattern label placeholder hint help message error comment ref required integrity resolved version license $ref id checksum digest sha sha1 sha256 sha512 md5 hash engines policy mode algorithm alg encryption strength charset rules provider method level scheme kind',
  ],
  [
    HOLDS,
    'value values val content text default answer newvalue new_value fieldvalue field_value plaintext stringvalue string_value keys typed input',
  ],
  [LOGS_IN, 'auth httpauth http_auth basicauth basic_auth proxyauth proxy_auth'],
  [
    TURN,
    'new old current previous confirm confirmation repeat first second plain raw admin root user db database prod production staging dev test default',
  ],
  [LISTS, 'rows data values records items'],
  [BINDS, 'args params parameters values bindings binds bindvars bind_vars'],
] as const) {
  for (const word of words.split(' ')) ROLES.set(word, (ROLES.get(word) ?? 0) | role);
}
/** Letters of the longest of these. */
const MAX_ROLE = 12;

/** What a key is, as bits of the above. */
export function rolesOf(key: string): number {
  return key.length <= MAX_ROLE ? (ROLES.get(key.toLowerCase()) ?? 0) : 0;
}
