import { isCard, isNamedCard } from '../checks/card.ts';
import {
  begins,
  type DigitCheck,
  digit,
  isRepeated,
  luhn,
  mod11x10,
  number,
  weighted,
} from '../checks/check-digits.ts';
import type { Kind } from './kind.ts';
import { BARE } from './kind.ts';

/** American Bankers Association: weights 3 7 1, first two digits of a Federal Reserve district. */
const abaRouting: DigitCheck = (d, o) => {
  const head = number(d, o, 2);
  if (!(head <= 12 || (head >= 21 && head <= 32) || (head >= 61 && head <= 72) || head === 80)) return false;
  return !isRepeated(d, o, 9) && weighted(d, o, [3, 7, 1, 3, 7, 1, 3, 7, 1]) % 10 === 0;
};

export const bankAccounts: readonly Kind[] = [
  { tag: 'IBAN_CODE', categories: ['FINANCIAL'], words: 'iban bank_account' },
  {
    tag: 'ABA_ROUTING_NUMBER',
    categories: ['FINANCIAL'],
    words: 'aba routing rtn routingnumber routing_number bank_routing transit',
    digits: [{ check: abaRouting, strict: '9|4-4-1|4~4~1' }],
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
  },
  { tag: 'BIC_SWIFT', categories: ['FINANCIAL'], words: 'bic swift swiftcode swift_code biccode bic_code' },
  {
    tag: 'CRYPTO',
    categories: ['FINANCIAL'],
    words: 'wallet bitcoin btc eth ethereum crypto walletaddress blockchain usdt tron',
  },
];

export const paymentCards: readonly Kind[] = [
  {
    tag: 'CREDIT_CARD',
    categories: ['FINANCIAL', 'PCI'],
    words:
      'card cards creditcard credit_card debit cardnumber card_number cc ccnumber pan visa ' +
      'mastercard amex american_express discover diners jcb maestro unionpay kreditkarte tarjeta ' +
      'carte carta kartennummer cardno ccnum cartao cartao_credito kreditkartennummer kreditkartennr kartennr creditcardnummer ' +
      'kreditkort kortnummer karty numer_karty karta karte bankkarte kart kredi_karti kart_numarasi карта карты картой カード カード番号 ' +
      'クレジットカード 信用卡 信用卡号 银行卡 银行卡号 卡号 카드 카드번호 신용카드 payment_method',
    digits: [
      {
        check: isCard,
        yields: true,
        always: '13|14|15|16|19|4~4~4~4|4/4/4/4|4~6~5|4~6~4|4~4~4~4~3',
        strict: '8~8|6~10|4~4~4~1',
      },
      {
        check: isNamedCard,
        yields: true,
        named: '12|13|14|15|16|17|18|19|4~4~4|4~4~4~3|4~4~4~4|4~6~5|4~6~4|' + '4~4~4~4~3|6~13|8~8|6~10|8~10',
      },
    ],
  },
  {
    tag: 'CARD_SECURITY_CODE',
    categories: ['FINANCIAL', 'PCI'],
    words:
      'cvv cvc cvn csc cvvs cav security_code card_code card_verification cvv_code cvc_code ' +
      'prufziffer kartenprufnummer cryptogramme codigo_seguridad codice_sicurezza 安全码 セキュリティコード ' +
      'sicherheitscode_karte kartenprufziffer pruefziffer pruefnummer kontrolnummer controlecijfer beveiligingscode codigo_cvv codigo_cvc kod_cvv kod_cvc ' +
      'cvv_kodu guvenlik_kodu turvakoodi sikkerhetskode sikkerhedskode sakerhetskod kod_zabezpieczajacy kontrolni_kod код_безопасности cvv_код cvv码 卡验证码 ' +
      '카드_보안코드 cvc번호 cvv2s cid_code card_cvc card_cvv the_back',
  },
  {
    tag: 'CARD_EXPIRY',
    categories: ['FINANCIAL', 'PCI'],
    words:
      'exp expiry expiration expires exp_date expiry_date expiration_date valid_thru valid_until good_thru expdate ' +
      'card_exp validthru gultig_bis ablaufdatum expire_fin caducidad vencimiento scadenza validade vervaldatum 有效期 有効期限 ' +
      'valido_hasta caduca vence valida_fino valido_ate valable_jusqu expiration_carte date_expiration geldig_tot utgangsdatum utlopsdato udlobsdato ' +
      'giltig_till gyldig_til voimassa viimeinen_voimassaolo data_waznosci wazna_do platnost platnost_do lejarat son_kullanma skt valabila_pana masa_berlaku ' +
      'срок_действия годен_до действительна_до ληξη 유효기간 만료일 تاريخ_الانتهاء תוקף expmonth exp_mmyy card_expires',
  },
  {
    tag: 'PIN',
    categories: ['FINANCIAL', 'CREDENTIALS'],
    words:
      'pin pins pin_code pin_number pinnumber pin_no card_pin atm_pin debit_pin pin_nummer geheimzahl code_pin pincode_card codigo_pin ' +
      'numero_pin pinkod kod_pin 密码锁 暗証番号 ' +
      'pin_kod pin_kodu puk puk_code puk_kod puk1 puk2 pin1 pin2 pinnr pin_nr pinkode pinkoodi pin_koodi tunnusluku kodepin pin_karty pin_kort ' +
      'pin_karte pin_carta pin_tarjeta pin_alarma alarm_code alarmcode door_code gate_code digicode tuercode turcode codice_pin nip_karty nip_tarjeta ' +
      'код_пин пин пин_код пинкод pin码 密码锁码 비밀번호_핀 핀번호 暗証 קוד_סודי الرقم_السري mpin upi_pin keypad_code entry_code access_pin ' +
      'pincode lockbox keybox code_door code_gate code_safe code_alarm code_haustur code_tur code_garage code_locker safe_code lock_code garage_code locker_code lockbox_code keybox_code unlock_code screen_code voicemail_code voicemail_pin gym_code gates_code doorcode ' +
      'turcode haustur_code haustuercode zugangscode alarmcode tresor_code tresorcode code_porte code_immeuble code_portail code_alarme code_entree code_coffre ' +
      'codigo_puerta codigo_alarma codigo_portal clave_alarma clave_puerta codice_porta codice_portone codice_allarme codice_cancello codice_cassaforte ' +
      'deurcode toegangscode kluiscode kod_drzwi kod_drzwiami kod_domofonu kod_alarmu kod_bramy codigo_porta codigo_alarme codigo_portao codigo_cofre ' +
      'код_двери код_домофона код_подъезда код_сигнализации код_сейфа ドアコード 玄関コード 門の暗証番号 门禁码 门锁密码 门禁密码',
  },
];

/** Digits of a VAT number behind the letters of its country (European Commission, VIES), `n` of them. */
type Vat = readonly [country: string, lengths: string, check: DigitCheck];

const last = (d: Uint8Array, o: number, n: number): number => number(d, o + n - 1, 1);
const ending =
  (weights: readonly number[], check: (sum: number) => number): DigitCheck =>
  (d, o, n) =>
    check(weighted(d, o, weights)) === last(d, o, n);
const eleven = (sum: number): number => (11 - (sum % 11)) % 11;
const elevenOrZero = (sum: number): number => ((11 - (sum % 11)) % 11) % 10;
const ten = (sum: number): number => (10 - (sum % 10)) % 10;

const frenchVat: DigitCheck = (d, o) =>
  luhn(d, o + 2, 9) && (12 + 3 * (number(d, o + 2, 9) % 97)) % 97 === number(d, o, 2);
const britishVat: DigitCheck = (d, o) => {
  const rest = (weighted(d, o, [8, 7, 6, 5, 4, 3, 2]) + number(d, o + 7, 2)) % 97;
  return rest === 0 || rest === 42;
};
/** The number of a taxpayer, the office that gave it (a province, or 120 and above for some), Luhn. */
const italianVat: DigitCheck = (d, o) => {
  const office = number(d, o + 7, 3);
  const known = (office >= 1 && office <= 100) || [120, 121, 888, 999].includes(office);
  return known && number(d, o, 7) > 0 && luhn(d, o, 11);
};
const austrianVat: DigitCheck = (d, o) => {
  let sum = 4;
  for (let i = 0; i < 7; i++) {
    const value = number(d, o + i, 1) * (i % 2 === 0 ? 1 : 2);
    sum += Math.floor(value / 10) + (value % 10);
  }
  return ten(sum) === last(d, o, 8);
};

const VATS: readonly Vat[] = [
  ['be', '10', (d, o) => 97 - (number(d, o, 8) % 97) === number(d, o + 8, 2)],
  ['bg', '10', ending([4, 3, 2, 7, 6, 5, 4, 3, 2], elevenOrZero)],
  ['cz', '8', ending([8, 7, 6, 5, 4, 3, 2], (sum) => (11 - (sum % 11)) % 10)],
  ['de', '9', (d, o) => d[o] !== 0 && mod11x10(d, o, 8) === d[o + 8]],
  ['dk', '8', (d, o) => weighted(d, o, [2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0],
  ['ee', '9', ending([3, 7, 1, 3, 7, 1, 3, 7], ten)],
  ['el', '9', ending([256, 128, 64, 32, 16, 8, 4, 2], (sum) => (sum % 11) % 10)],
  ['fi', '8', ending([7, 9, 10, 5, 8, 4, 2], eleven)],
  ['fr', '11', frenchVat],
  ['gb', '9', britishVat],
  ['hr', '11', (d, o) => mod11x10(d, o, 10) === d[o + 10]],
  ['hu', '8', ending([9, 7, 3, 1, 9, 7, 3], ten)],
  ['it', '11', italianVat],
  ['lt', '9', ending([1, 2, 3, 4, 5, 6, 7, 8], (sum) => (sum % 11) % 10)],
  ['lu', '8', (d, o) => number(d, o, 6) % 89 === number(d, o + 6, 2)],
  ['lv', '11', (d, o) => weighted(d, o, [9, 1, 4, 8, 3, 10, 2, 5, 7, 6, 1]) % 11 === 3],
  ['mt', '8', (d, o) => 37 - (weighted(d, o, [3, 4, 6, 7, 8, 9]) % 37) === number(d, o + 6, 2)],
  ['pl', '10', ending([6, 5, 7, 2, 3, 4, 5, 6, 7], (sum) => sum % 11)],
  ['pt', '9', ending([9, 8, 7, 6, 5, 4, 3, 2], (sum) => (sum % 11 < 2 ? 0 : 11 - (sum % 11)))],
  [
    'ro',
    '8',
    ending(
      [3, 2, 1, 7, 5, 3, 2].map((w) => 10 * w),
      (sum) => (sum % 11) % 10,
    ),
  ],
  ['se', '12', (d, o) => luhn(d, o, 10) && number(d, o + 10, 2) > 0],
  ['si', '8', ending([8, 7, 6, 5, 4, 3, 2], elevenOrZero)],
  ['sk', '10', (d, o) => number(d, o, 10) % 11 === 0],
  ['xi', '9', britishVat],
];

const digits = new Uint8Array(16);

/** The check of the countries whose numbers have this many digits, behind `letters` letters. */
const vatOf =
  (n: number) =>
  (b: Uint8Array, o: number): boolean => {
    for (let i = 0; i < n; i++) digits[i] = digit(b, o + 2 + i);
    return VATS.some(
      ([country, length, check]) => length === String(n) && begins(country, b, o) && check(digits, 0, n),
    );
  };
function vatOfAustria(b: Uint8Array, o: number): boolean {
  for (let i = 0; i < 8; i++) digits[i] = digit(b, o + 3 + i);
  return begins('atu', b, o) && austrianVat(digits, 0, 8);
}
function vatOfNetherlands(b: Uint8Array, o: number): boolean {
  for (let i = 0; i < 9; i++) digits[i] = digit(b, o + 2 + i);
  const isOld = weighted(digits, 0, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0;
  const whole = BigInt(
    `2321${String(number(digits, 0, 9)).padStart(9, '0')}11${digit(b, o + 12)}${digit(b, o + 13)}`,
  );
  return (
    begins('nl', b, o) && b[o + 11] !== undefined && begins('b', b, o + 11) && (isOld || whole % 97n === 1n)
  );
}
/** Switzerland, UID: weights modulus 11. */
function uidOfSwitzerland(b: Uint8Array, o: number): boolean {
  for (let i = 0; i < 9; i++) digits[i] = digit(b, o + 3 + i);
  return begins('che', b, o) && eleven(weighted(digits, 0, [5, 4, 3, 2, 7, 6, 5, 4])) === digits[8];
}

export const vat: readonly Kind[] = [
  {
    tag: 'EU_VAT_NUMBER',
    words:
      'vat vat_number vat_id vatid vatin vat_no ust ust_id ustid ust_idnr ustidnr umsatzsteuer tva numero_tva btw btw_nummer ' +
      'iva partita_iva moms dph pdv uid mwst kmkr pvn afm vat_reg',
    letters: [
      { check: vatOf(8), upper: 'AA99999999|AA 99999999' },
      { check: vatOf(9), upper: 'AA999999999|AA 999999999|AA 999 999 999|AA 999 9999 99|AA999 9999 99' },
      {
        check: vatOf(10),
        upper: 'AA9999999999|AA 9999999999|AA 9999.999.999|AA9999.999.999|AA 9999 999 999|AA 999-999-99-99',
      },
      {
        check: vatOf(11),
        upper:
          'AA99999999999|AA 99999999999|AA 99 999999999|AA 99 999 999 999|AA99 999999999|AA99 999 999 999',
      },
      { check: vatOf(12), upper: 'AA999999999999|AA 999999999999' },
      { check: vatOfAustria, upper: 'AAA99999999|AAA 99999999' },
      { check: vatOfNetherlands, upper: 'AA999999999A99|AA 999999999 A99|AA 999999999A99' },
      { check: uidOfSwitzerland, upper: 'AAA-999.999.999|AAA999999999' },
    ],
  },
  {
    tag: 'IT_VAT_CODE',
    words: 'partita_iva partitaiva piva p_iva vat_italy codice_iva',
    digits: [{ check: italianVat, strict: '11' }],
  },
];
