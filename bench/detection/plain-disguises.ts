const middle = (text: string): number => text.length >> 1;
const between = (mark: string) => (text: string) =>
  `${text.slice(0, middle(text))}${mark}${text.slice(middle(text))}`;
const CARD = '4539578763621486';
const grouped = (mark: string): string => (CARD.match(/\d{4}/g) ?? []).join(mark);
const TOKEN = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a';
const IBAN = 'DE89370400440532013000';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Values in writings that somebody might try, one after the other: the tag that must be found, and the text. */
export const PLAIN_DISGUISES: readonly (readonly [tag: string, text: string])[] = [
  ...['  ', '|', '*', ':', ',', '/', '\t', '.', '-', '\n', ' - ', ';', '~', '_'].map(
    (mark) => ['CREDIT_CARD', `pay with ${grouped(mark)} please`] as const,
  ),
  ['CREDIT_CARD', `card ${CARD}.0`],
  ['CREDIT_CARD', `card=${CARD}.00`],
  ['CREDIT_CARD', `card${CARD}`],
  ['CREDIT_CARD', [...CARD].join(' ')],
  ['CREDIT_CARD', base64(`card: ${CARD}`)],
  ...['\\\n', "''", '""', '" "', '" + "', '\n', '\u200b', '<wbr>'].map(
    (mark) => ['GITHUB_TOKEN', `export T="${between(mark)(TOKEN)}"`] as const,
  ),
  ...['key', 'x', 'my'].map((glue) => ['GITHUB_TOKEN', `${glue}${TOKEN}`] as const),
  ['GITHUB_TOKEN', TOKEN.replace('_', '=5F')],
  ['GITHUB_TOKEN', encodeURIComponent(TOKEN).replace('_', '%5F')],
  ['AWS_ACCESS_KEY', 'keyAKIAZ7Q4W3XMEVUB5TFN'],
  ['AWS_ACCESS_KEY', 'AKIAQZWSXEDCRFVTGBYH'],
  ['IBAN_CODE', IBAN.toLowerCase()],
  ['IBAN_CODE', `De${IBAN.slice(2)}`],
  ['IBAN_CODE', (IBAN.match(/.{1,4}/g) ?? []).join(' ')],
  ['IBAN_CODE', (IBAN.match(/.{1,4}/g) ?? []).join('-')],
  ...['/', '.', ' ', '-'].map((mark) => ['US_SSN', `536${mark}22${mark}1847`] as const),
  ['US_SSN', 'SSN 536=2D22=2D1847'],
  ['US_SSN', base64('ssn: 536221847')],
  ['US_SSN', 'my social is 536221847'],
  ['EMAIL_ADDRESS', 'jane.doe=40example.com'],
  ['EMAIL_ADDRESS', 'jane.doe (at) example (dot) com'],
  ['EMAIL_ADDRESS', 'jane.doe&#64;example.com'],
];
