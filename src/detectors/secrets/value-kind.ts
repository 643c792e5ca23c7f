/** What a value under a label must be to count: any text, made up or random, random, random and long, a name, the full name of somebody, an address, a place that may be one, a code. */
export type ValueKind =
  | 'password'
  | 'secret'
  | 'token'
  | 'key'
  | 'person'
  | 'party'
  | 'address'
  | 'place'
  | 'icd10'
  | 'bic'
  | 'username'
  | 'seed'
  | 'identifier';
