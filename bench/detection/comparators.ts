import { createRequire } from 'node:module';
import type { Finder, Found } from './corpora.ts';

/** Packages of bench/detection/package.json; their types are not installed with the product, so these are ours. */
interface Guardrails {
  PIIEntity: Record<string, string>;
  pii(
    context: object,
    text: string,
    config: object,
  ): Promise<{ info: { detected_entities: Record<string, string[]> } }>;
}
interface Validator {
  isEmail(text: string): boolean;
  isCreditCard(text: string): boolean;
  isIP(text: string): boolean;
  isMACAddress(text: string): boolean;
  isURL(text: string, options: object): boolean;
}
interface Iban {
  isValidIBAN(text: string): boolean;
}
interface Phones {
  findPhoneNumbersInText(text: string, country: string): { startsAt: number; endsAt: number }[];
}
interface Secretlint {
  lintSource(request: object): Promise<{ messages: { range: readonly [number, number] }[] }>;
}

const load = createRequire(import.meta.url);

/** Every place where a value stands in a text. */
function places(text: string, type: string, value: string): Found[] {
  const found: Found[] = [];
  for (let at = text.indexOf(value); at >= 0 && value !== ''; at = text.indexOf(value, at + value.length)) {
    found.push({ type, start: at, end: at + value.length });
  }
  return found;
}

function guardrails(): Finder {
  // the package's own entry needs a model provider's SDK; its detector does not
  const { pii, PIIEntity } = load('@openai/guardrails/dist/checks/pii.js') as Guardrails;
  const entities = Object.values(PIIEntity).filter((entity) => entity !== 'NRP' && entity !== 'PERSON');
  return async (text) => {
    if (text === '') return [];
    const { info } = await pii({}, text, { entities, block: false });
    return Object.entries(info.detected_entities).flatMap(([type, values]) =>
      [...new Set(values)].flatMap((value) => places(text, type, value)),
    );
  };
}

const TOKEN = /[^\s,;"'<>()]+/g;
const CARD = /\b\d(?:[ -]?\d){12,18}\b/g;
const IBAN = /\b[A-Z]{2}\d{2}(?:[A-Z0-9]{11,30}|(?:[ -][A-Z0-9]{4}){2,7}(?:[ -][A-Z0-9]{1,3})?)\b/gi;

function stack(): Finder {
  const validator = load('validator') as Validator;
  const iban = load('ibantools') as Iban;
  const phones = load('libphonenumber-js') as Phones;
  const kinds: readonly [string, (token: string) => boolean][] = [
    ['EMAIL_ADDRESS', (token) => validator.isEmail(token)],
    ['IP_ADDRESS', (token) => validator.isIP(token)],
    ['MAC_ADDRESS', (token) => validator.isMACAddress(token)],
    ['URL', (token) => validator.isURL(token, { require_protocol: true })],
  ];
  return (text) => {
    const found: Found[] = [];
    for (const match of text.matchAll(TOKEN)) {
      const token = match[0].replace(/[.:!?]+$/, '');
      for (const [type, is] of kinds) {
        if (is(token)) found.push({ type, start: match.index, end: match.index + token.length });
      }
    }
    const grouped: readonly [string, RegExp, (plain: string) => boolean][] = [
      ['CREDIT_CARD', CARD, (plain) => validator.isCreditCard(plain)],
      ['IBAN_CODE', IBAN, (plain) => iban.isValidIBAN(plain.toUpperCase())],
    ];
    for (const [type, pattern, is] of grouped) {
      for (const { 0: value, index } of text.matchAll(pattern)) {
        if (is(value.replace(/[ -]/g, ''))) found.push({ type, start: index, end: index + value.length });
      }
    }
    for (const { startsAt, endsAt } of phones.findPhoneNumbersInText(text, 'US')) {
      found.push({ type: 'PHONE_NUMBER', start: startsAt, end: endsAt });
    }
    return found;
  };
}

async function secretlint(): Promise<Finder> {
  const { lintSource } = load('@secretlint/core') as Secretlint;
  const preset = load('@secretlint/secretlint-rule-preset-recommend') as { creator: object };
  const config = { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: preset.creator }] };
  return async (text) => {
    const source = { filePath: '/note.txt', content: text, contentType: 'text', ext: '.txt' };
    const { messages } = await lintSource({ source, options: { config } });
    return messages.map(({ range }) => ({ type: 'CREDENTIALS', start: range[0], end: range[1] }));
  };
}

/** The comparators that are installed, by name; a sentence for each that is not. */
export async function comparators(): Promise<Map<string, Finder>> {
  const finders = new Map<string, Finder>();
  const makers = { '@openai/guardrails': guardrails, 'validator stack': stack, '@secretlint': secretlint };
  for (const [name, make] of Object.entries(makers)) {
    try {
      finders.set(name, await make());
    } catch (error) {
      if ((error as { code?: string }).code !== 'MODULE_NOT_FOUND') throw error;
      console.log(`${name} is not installed: npm ci --prefix bench/detection --ignore-scripts`);
    }
  }
  return finders;
}
