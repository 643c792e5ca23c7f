import { type DigitCheck, isRepeated, luhn } from '../checks/check-digits.ts';
import { bankAccounts, paymentCards, vat } from './finance.ts';
import { health } from './health.ts';
import type { Kind } from './kind.ts';
import { africaAndMiddleEast, oceania } from './national-ids/africa-and-oceania.ts';
import { mexico, northAmerica, southAmerica } from './national-ids/americas.ts';
import { asia, eastAsia } from './national-ids/asia.ts';
import { balkans, centralEurope, easternEurope } from './national-ids/eastern-europe.ts';
import { baltics, northernEurope, scandinavia } from './national-ids/northern-europe.ts';
import { iberiaAndGreece, southernEurope } from './national-ids/southern-europe.ts';
import { alpineAndBenelux, westernEurope } from './national-ids/western-europe.ts';
import { contact, licencesAndIdCards, location, passports, person, recognized } from './people.ts';

const credentials: readonly Kind[] = (
  'AWS_ACCESS_KEY AWS_SECRET_KEY GITHUB_TOKEN GITLAB_TOKEN SLACK_TOKEN STRIPE_KEY OPENAI_KEY ' +
  'ANTHROPIC_KEY GCP_API_KEY AZURE_SECRET NPM_TOKEN PYPI_TOKEN HUGGINGFACE_TOKEN SENDGRID_KEY ' +
  'TWILIO_KEY JWT PRIVATE_KEY CONNECTION_STRING PASSWORD API_KEY GENERIC_SECRET'
)
  .split(' ')
  .map((tag) => ({ tag, categories: ['CREDENTIALS'] }));

/** Secrets that open a door without being a password: hashes, signed addresses, codes, seeds. */
const access: readonly Kind[] = [
  { tag: 'PASSWORD_HASH', categories: ['CREDENTIALS'] },
  { tag: 'SIGNED_URL', categories: ['CREDENTIALS'] },
  {
    tag: 'ONE_TIME_CODE',
    categories: ['CREDENTIALS'],
    words:
      'otp totp otp_code mfa_code 2fa_code verification_code verify_code confirmation_code authentication_code login_code ' +
      'authentication_otp auth_code sms_code activation_code onetime_code onetime_password time_code time_password time_passcode ' +
      'time_pin passcode bestatigungscode bestatigungs_code einmalcode einmalpasswort tan_nummer codigo_verificacion de_verificacion de_verification ' +
      'di_verifica verificatiecode 验证码 驗證碼 認証コード 인증번호 ' +
      'backup_code backup_codes recovery_code recovery_codes your_code security_pin one_time login_pin signin_code passcodes otps ' +
      'bestaetigungscode sicherheitscode freigabecode code_verification code_confirmation code_securite code_recu codice_verifica codice_conferma codice_otp ' +
      'codigo_confirmacion codigo_acceso codigo_seguranca codigo_otp codigo_sms codigo_recibido bevestigingscode inlogcode bekraftelsekod engangskod engangskode engangspassord verifieringskod ' +
      'kod_weryfikacyjny kod_sms kod_jednorazowy overovaci_kod potvrzovaci_kod ellenorzo_kod megerosito_kod cod_verificare cod_confirmare codul_verificare dogrulama_kodu onay_kodu sms_kodu ' +
      'kode_otp kode_verifikasi ma_otp ma_xac xac_nhan код_подтверждения код_доступа код_смс проверочный_код одноразовый_код код_підтвердження κωδικος_επιβεβαιωσης ' +
      '確認コード ワンタイムパスワード 動的パスワード 动态码 校验码 确认码 인증코드 인증_코드 קוד_אימות קוד_אישור رمز_التحقق كود_التحقق รหัส_otp ओटीपी ' +
      'ton_code votre_code dein_code deinen_code ihr_code ihren_code tu_codigo su_codigo seu_codigo tuo_codice suo_codice je_code uw_code jouw_code twoj_kod din_kod din_kode ' +
      'koden_din din_engangskode ditt_kod koden_er koden_ar ваш_код твой_код あなたの認証番号 認証番号 短信验证码 login_otp reset_code access_code magic_code email_code phone_code text_code texted_code',
  },
  { tag: 'SEED_PHRASE', categories: ['CREDENTIALS', 'FINANCIAL'] },
];

const network: readonly Kind[] = [
  {
    tag: 'IP_ADDRESS',
    categories: ['NETWORK'],
    words: 'ip ipaddress ip_address ipv4 ipv6 host server client_ip addr cidr subnet',
  },
  { tag: 'MAC_ADDRESS', categories: ['NETWORK'], words: 'mac macaddress mac_address bssid ethernet hwaddr' },
  { tag: 'URL', categories: ['NETWORK'], optIn: true },
];

/** 3GPP TS 23.003: Luhn; the software version in place of the check digit makes 16. */
const imei: DigitCheck = (d, o, n) => !isRepeated(d, o, n) && (n === 16 || luhn(d, o, 15));

const vehiclesAndDevices: readonly Kind[] = [
  {
    tag: 'IMEI',
    words: 'imei imeisv imei_number device_imei',
    digits: [{ check: imei, named: '15|16|2-6-6-1|2~6~6~1|6~2~6~1|8~6~1' }],
  },
  {
    tag: 'VEHICLE_ID',
    words:
      'vin vin_number vehicle_identification chassis chassis_number fahrgestellnummer fahrzeugidentifikationsnummer vehicle_id numero_chassis bastidor telaio',
  },
  {
    tag: 'LICENSE_PLATE',
    words:
      'plate plates license_plate licence_plate number_plate plate_number licenseplate licenceplate numberplate vehicle_registration registration_plate ' +
      'kennzeichen nummernschild immatriculation plaque matricula placa targa kenteken kentekenplaat rejestracyjny numer_rejestracyjny 车牌 車牌 车牌号 ナンバープレート ' +
      'matriculas kfz_kennzeichen autokennzeichen amtliches_kennzeichen kentekennummer registreringsnummer regnr reg_nr reg_no reg_number registration_no ' +
      'registration_number regno nummerskylt rekisterinumero rekisteritunnus spz rz_vozidla registracni_znacka rendszam numar_inmatriculare plaka plaka_no ' +
      'plakasi numer_tablicy tablica_rejestracyjna registarska_oznaka госномер номерной_знак гос_номер номер_авто 차량번호 번호판 車両番号 車牌號 plat_nomor nopol bien_so ' +
      'placas patente_vehiculo',
  },
];

const security: readonly Kind[] = [
  { tag: 'PROMPT_INJECTION', categories: ['SECURITY'], optIn: true },
  { tag: 'UNSCANNED', categories: ['UNSCANNED'] },
];

/** Every kind of data that is looked for. Findings are counted, and the documentation is written, in this order. */
export const kinds: readonly Kind[] = [
  ...contact,
  ...northAmerica,
  ...mexico,
  ...southAmerica,
  ...westernEurope,
  ...southernEurope,
  ...northernEurope,
  ...alpineAndBenelux,
  ...iberiaAndGreece,
  ...scandinavia,
  ...easternEurope,
  ...centralEurope,
  ...baltics,
  ...balkans,
  ...asia,
  ...eastAsia,
  ...africaAndMiddleEast,
  ...oceania,
  ...passports,
  ...licencesAndIdCards,
  ...vat,
  ...vehiclesAndDevices,
  ...location,
  ...person,
  ...recognized,
  ...paymentCards,
  ...bankAccounts,
  ...credentials,
  ...access,
  ...health,
  ...network,
  ...security,
];

export type { Strength } from './kind.ts';

export interface TagInfo {
  tag: string;
  /** Categories a finding of this tag adds, most general first. */
  categories: readonly string[];
  /** Off unless an integration turns it on. */
  optIn?: boolean;
}

/** Every built-in tag, in the order findings are counted. */
export const taxonomy: readonly TagInfo[] = kinds.map(({ tag, categories = ['PII'], optIn }) =>
  optIn ? { tag, categories, optIn } : { tag, categories },
);

const ids = new Map(taxonomy.map(({ tag }, id) => [tag, id]));

/** The number a tag has inside the scanner. Throws a RangeError on a name the taxonomy does not have. */
export function tagId(tag: string): number {
  const id = ids.get(tag);
  if (id === undefined) throw new RangeError(`no such tag: ${tag}`);
  return id;
}
