import { type DigitCheck, isRepeated, number, weighted } from '../checks/digits.ts';
import { BARE } from '../hits.ts';
import type { Kind } from './kind.ts';

/** American Bankers Association: weights 3 7 1, first two digits of a Federal Reserve district. */
const abaRouting: DigitCheck = (d, o) => {
  const head = number(d, o, 2);
  if (!(head <= 12 || (head >= 21 && head <= 32) || (head >= 61 && head <= 72) || head === 80)) return false;
  return !isRepeated(d, o, 9) && weighted(d, o, [3, 7, 1, 3, 7, 1, 3, 7, 1]) % 10 === 0;
};

export const bankAccounts: readonly Kind[] = [
  {
    tag: 'IBAN_CODE',
    categories: ['FINANCIAL'],
    words: 'iban bank_account',
    docs: {
      counts: 'ISO 13616 country and length, modulus 97, one case',
      strength: ['checksum'],
      found: 'DE89 3704 0044 0532 0130 00',
      missed: 'DE89 3704 0044 0532 0130 01',
    },
  },
  {
    tag: 'ABA_ROUTING_NUMBER',
    categories: ['FINANCIAL'],
    words: 'aba routing rtn routingnumber routing_number bank_routing transit',
    digits: [{ check: abaRouting, strict: '9|4-4-1|4~4~1' }],
    docs: {
      counts: 'Federal Reserve district, weights 3 7 1, with a word',
      strength: ['checksum'],
      found: { routing_number: '121000358' },
      missed: { routing_number: '121000359' },
    },
  },
  {
    tag: 'US_BANK_NUMBER',
    categories: ['FINANCIAL'],
    words:
      'bank_account account_number accountnumber acct checking savings acct_number bankaccount ' +
      'account_no accountno bank_number checking_account savings_account direct_deposit account_num acc_no acc_number acctno acct_no bank_acct sort_code sortcode ' +
      'kontonummer kontonr konto_nr kontonumer numer_konta cislo_uctu ucet szamlaszam numar_cont numero_cuenta cuenta_bancaria numero_compte compte_bancaire ' +
      'numero_conto conto_corrente numero_conta conta_corrente conta_bancaria rekeningnummer bankkonto tilinumero kontonummeret hesap_no hesap_numarasi ' +
      'nomor_rekening so_tai tai_khoan номер_счета расчетный_счет банковский_счет 银行账号 账号是 口座番号 계좌번호 رقم_الحساب',
    digits: [{ named: '8|9|10|11|12|13|14|15|16|17', rank: BARE }],
    docs: {
      country: 'United States',
      counts: '8 to 17 digits after its word',
      strength: ['bare'],
      found: { account_number: '945456787' },
      missed: { order_number: '945456787' },
    },
  },
  {
    tag: 'BIC_SWIFT',
    categories: ['FINANCIAL'],
    words: 'bic swift swiftcode swift_code biccode bic_code',
    docs: {
      counts: 'ISO 9362 structure under its key or label',
      strength: ['bare'],
      found: { bic: 'DEUTDEFF500' },
      missed: { bic: 'DEUT-DEFF' },
    },
  },
  {
    tag: 'CRYPTO',
    categories: ['FINANCIAL'],
    words: 'wallet bitcoin btc eth ethereum crypto walletaddress blockchain usdt tron',
    docs: {
      counts:
        'base58check (Bitcoin, Litecoin, Dogecoin, Tron), bech32 and bech32m, ERC-55; other ether addresses with a word',
      strength: ['checksum', 'bare'],
      found: '16Yeky6GMjeNkAiNcBY7ZhrLoMSgg1BoyZ',
      missed: '16Yeky6GMjeNkAiNcBY7ZhrLoMSgg1BoyY',
    },
  },
];
