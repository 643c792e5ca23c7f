import type { ValueKind } from './value-gates.ts';

/**
 * Where the words of a label must stand in a name. `end`: they are its last words (db_password). `glued`: the same, and
 * they may end its last word (dbpassword). `whole`: the name has no other words. `after`: any word of the name stands
 * before them (stripe_key).
 */
export type Where = 'end' | 'glued' | 'whole' | 'after';

/** Joins every word of the first list with every word of the second. */
const each = (first: string, second: string): string =>
  first
    .split(' ')
    .flatMap((x) => second.split(' ').map((y) => `${x}_${y}`))
    .join(' ');

const QUALIFIERS =
  'api access auth authentication authorization private encryption signing session refresh bearer client app application account license ' +
  'consumer service deploy deployment webhook master shared personal bot oauth oauth2 id jwt user admin root storage security integration ' +
  'ingest write read upload live test prod production sandbox server sdk rest management organization org team project developer dev ' +
  'subscription ssh rsa hmac crypto aes symmetric registration verification device push feed publish registry runner pipeline ci host rpc ' +
  'merchant partner transaction payment routing ingestion instrumentation site widget license_server function cron monitor channel_access';

const PEOPLE =
  'first last full emp fore payee student pax caller signatory visitor resident middle given family maiden sur nick legal real birth ' +
  'customer patient employee contact holder cardholder account_holder card_holder applicant recipient sender beneficiary doctor ' +
  'physician owner guardian spouse mothers fathers person billing shipping insured subscriber father mother debtor creditor payer tenant guest ' +
  'policyholder driver passenger traveller traveler donor claimant nominee witness seller buyer lessee landlord parent child husband wife pupil ' +
  'candidate requester requestor attendee user_full dependent emergency_contact lead_guest';

/**
 * The kind that a name gives to its value: the longest words at the end of a name count. Low lines part words, which names may
 * also write together or in camel case. Accents are left out. Other scripts are in `NATIVE_WORDS`.
 */
export const LABELS: readonly (readonly [tag: string, kind: ValueKind, where: Where, words: string])[] = [
  [
    'PASSWORD',
    'password',
    'glued',
    'password passwd passphrase passcode passwort paswort kennwort wachtwoord passwords passwoord kennwoerter passwortes contrasena contrasenia ' +
      'motdepasse mot_de_passe adgangskode adgangskoden salasana salasanani losenord losenordet loesenord palavra_passe pasword passwrd passwrt',
  ],
  [
    'PASSWORD',
    'password',
    'end',
    'senha haslo sifre heslo passord passordet parola lozinka jelszo jelszavam parolam sifrem parool palavra_chave parola_chiave parola_d_ordine ' +
      'mat_khau kata_sandi sifreniz parole slaptazodis kodeord mdp wifi_pass jelszava heslem hasla hasle wachtwoorden contrasinal contrasenya ' +
      'pasahitza pasvorto sandi zaporka lozinku gaslo parolta parolanin sifreyi passw0rd p4ssword p4ssw0rd pa55word pa55w0rd p455word p455w0rd pass_phrase pwd pass pw pgpassword pswd identified_by storepass keypass passin ' +
      'passout userpass dbpass rootpass adminpass mysqlpass smtppass masterpass clave clave_de_acceso requirepass masterauth sshpass rootpw bindpw ' +
      'authtok pragma_key pragma_rekey dbpw psk wpapsk psksecret clear_text wpa_pre_shared_key wpa2_pre_shared_key wpa_key wpa2_key clave_wifi ' +
      'clave_acceso login_pw pword bind_pass trust_pass keystore_pass key_store_pass vnc_pass admin_pw db_pw user_pw snmp_community ' +
      'community_string wifi_key wi_fi_key wlan_key network_key root_pw mail_pw email_pw',
  ],
  [
    'PASSWORD',
    'password',
    'end',
    each(
      'db user my root admin mail smtp mysql pg',
      'senha haslo sifre heslo passord parola lozinka jelszo parool mdp',
    ),
  ],
  [
    'PASSWORD',
    'password',
    'end',
    each(
      'smb ftp ldap ssh mail web proxy vpn nas http login svc service backup repl app api host sql ora mongo redis jdbc amqp mqtt imap pop',
      'pass passwd',
    ),
  ],
  [
    'AWS_SECRET_KEY',
    'secret',
    'glued',
    'aws_secret_key secret_access_key aws_secret_access_key aws_secret aws_access_secret_key',
  ],
  [
    'AZURE_SECRET',
    'secret',
    'end',
    'account_key shared_access_key storage_key sas_token ocp_apim_subscription_key',
  ],
  [
    'API_KEY',
    'token',
    'end',
    'clave_api cle_api chave_api chave_de_api clave_de_api cle_d_api klucz_api chiave_api klic_api chiave_d_api api_clave api_schluessel ' +
      'api_schlussel api_nyckel api_sleutel api_nokkel api_kulcs api_anahtari api_avain b2_account_key b2_application_key',
  ],
  ['API_KEY', 'token', 'end', each(QUALIFIERS, 'key keys')],
  [
    'API_KEY',
    'token',
    'glued',
    'token api_key api_token access_token auth_token app_key auth_key license_key access_key',
  ],
  [
    'API_KEY',
    'token',
    'end',
    'tokens bearer authorization auth pat dsn api_tokens access_tokens auth_tokens app_keys auth_keys license_keys access_keys',
  ],
  ['API_KEY', 'key', 'after', 'key keys'],
  [
    'GENERIC_SECRET',
    'secret',
    'glued',
    'secret client_secret app_secret secret_key private_key encryption_key signing_key shared_secret',
  ],
  [
    'GENERIC_SECRET',
    'secret',
    'end',
    'secrets client_secrets app_secrets secret_keys secret_token private_keys credential credentials creds signature_key salt cookie cookies ' +
      'pre_shared_key preshared_key webhook_url webhook_urls secret_key_base pepper gitlab_session contribsys_com laravel_session rack_session ' +
      'cookie_secret encryption_keys signing_keys passkey hmac_key hmac_secret',
  ],
  // names of cookies that servers keep a session in
  ['GENERIC_SECRET', 'secret', 'whole', 'jsessionid phpsessid connect_sid express_sid asp_net_session_id'],
  ['PERSON', 'person', 'end', each(PEOPLE, 'name names')],
  [
    'PERSON',
    'person',
    'whole',
    'surname fullname firstname lastname vorname nachname familienname nom nom_de_famille prenom nombre nombres apellido apellidos primer_apellido ' +
      'segundo_apellido nombre_completo nome cognome nome_completo sobrenome naam voornaam achternaam imie nazwisko imie_i_nazwisko fornamn ' +
      'efternamn fornavn etternavn efternavn etunimi sukunimi jmeno krestni_jmeno prijmeni priezvisko meno keresztnev vezeteknev ad_soyad soyad ' +
      'soyadi adi_soyadi nume prenume given family middle_name patient_name next_of_kin beneficiary payee holder inhaber kontoinhaber titular ' +
      'titulaire intestatario cardholder patient insured ho_ten ho_va_ten hoten nama nama_lengkap name_on_card name_on_the_card name_as_in_passport ' +
      'attn ansprechpartner ansprechpartnerin persona_de_contacto persona_contacto contatto nome_e_cognome nombre_y_apellido nombre_y_apellidos ' +
      'nombre_apellido nombre_apellidos apellido_paterno apellido_materno segundo_nombre primer_nombre nom_complet nom_et_prenom nom_prenom ' +
      'nom_de_naissance nome_proprio apelido ultimo_nome primeiro_nome volledige_naam tussenvoegsel voorletters geburtsname fulde_navn ' +
      'fullstandigt_namn fullt_navn navn namn kokonimi teljes_nev nume_complet nume_prenume jmeno_a_prijmeni cele_jmeno meno_a_priezvisko priimek ' +
      'vards uzvards vardas pavarde eesnimi perekonnanimi onoma eponymo onomateponymo nama_depan nama_belakang firstname_lastname mieter mieterin ' +
      'versicherter',
  ],
  [
    'STREET_ADDRESS',
    'address',
    'end',
    `${each('street home mailing postal billing shipping residential delivery physical work permanent current customer patient legal', 'address addresses address_line')} ` +
      'address address_line addr street street_name primary_line postadres strasse strase adresse anschrift domicilio direccion calle indirizzo via ' +
      'adres ulica endereco morada rua straat osoite adresa cim dia_chi alamat lakcim adress gatuadress bostadsadress hemadress gateadresse ' +
      'hjemmeadresse bopel vejnavn gadenavn bydlisko utca adresi ev_adresi acik_adres logradouro endereco_completo endereco_residencial residencia ' +
      'residenza indirizzo_di_residenza indirizzo_residenza wohnanschrift wohnhaft wohnadresse rechnungsadresse lieferadresse postanschrift ' +
      'woonadres straatnaam adres_zamieszkania adres_domowy direccion_postal direccion_completa alamat_rumah alamat_lengkap dia_chi_nha ' +
      'katuosoite kotiosoite strada adresa_de_domiciliu aadress adrese adresas naslov',
  ],
  [
    'ICD10_CODE',
    'icd10',
    'end',
    'icd icd10 icd_code icd_codes icd10_code icd10_codes icd_cm icd10_cm icd_cm_code icd10_cm_code icd10_cm_codes diagnosis diagnoses diagnosis_code ' +
      'diagnosis_codes dx dx_code dx_codes',
  ],
  [
    'USERNAME',
    'username',
    'end',
    'user_name user_login login_name screen_name login benutzername benutzerkennung nom_utilisateur nom_d_utilisateur nombre_usuario ' +
      'nombre_de_usuario nome_utente nome_de_usuario nome_de_utilizador gebruikersnaam anvandarnamn brugernavn brukernavn kayttajatunnus ' +
      'kayttajanimi uzivatelske_jmeno nazwa_uzytkownika felhasznalonev kullanici_adi nama_pengguna ten_dang_nhap',
  ],
  [
    'SEED_PHRASE',
    'seed',
    'end',
    `mnemonic seed ${each('seed recovery backup wallet mnemonic', 'phrase words')}`,
  ],
  ['BIC_SWIFT', 'bic', 'end', 'bic swift bic_swift swift_bic swift_code bic_code'],
  [
    'MRN',
    'identifier',
    'end',
    `mrn medical_record ${each('medical_record', 'number no id')} ${each('patient', 'id number no')} chart_number`,
  ],
  [
    'HEALTH_PLAN_ID',
    'identifier',
    'end',
    `${each('health_plan insurance subscriber beneficiary medicaid insurance_member insurance_policy health_insurance', 'id number no')} ` +
      'member_number member_no policy_holder_id member_id insurance_policy',
  ],
  [
    'US_BANK_NUMBER',
    'identifier',
    'end',
    `bank_account ${each('bank_account', 'number no')} account_number account_no acct acct_number acct_no acct_num`,
  ],
  [
    'US_DRIVER_LICENSE',
    'identifier',
    'end',
    `${each('driver drivers driving s', 'license licence')} ${each('driver_license driver_licence drivers_license drivers_licence driving_license driving_licence s_license s_licence', 'number no id')} dl_number dl_no`,
  ],
  ['US_PASSPORT', 'identifier', 'end', 'passport passport_number passport_no passport_id'],
];

/** Words after which a name says no more of what its value is: the stage, the place or the turn that a secret is for. */
export const STAGES = (
  'prod production dev devel development stage staging stg preprod preproduction test testing tst qa uat int integration ci live sandbox sbx demo ' +
  'local localhost default main backup bak bkp fallback old new prev previous current legacy primary secondary tertiary alt alternate replica ' +
  'blue green global shared internal external eu us uk de fr es it nl ca au jp br sg asia apac emea latam na east west north south central ' +
  'northeast southeast northwest southwest confirm confirmation confirmed repeat again verify v value val plain plaintext cleartext raw ' +
  'b64 base64 encoded str string one two three release canary preview alpha beta hotfix nightly perf dr'
).split(' ');

/** Words anywhere before those of a secret that say the value is a place in a list, a part of a form or a rule. */
export const HARMLESS = (
  'next page continuation sync cursor max min num count total used prompt completion input output cached reset forgot forget show has is hide require ' +
  'required enable disable allow public publishable primary foreign sort partition row cache idempotency start end change dkim csrf xsrf ' +
  'cancellation design syntax stop eos bos pad mask unk sep cls starting pagination'
).split(' ');

/** The same for words right before a name that ends in `key`: keys that name a thing, or a place in a table. */
export const NAMING_KEYS = (
  'caching idempotence unique composite natural surrogate object file image asset issue dedup dedupe deduplication group grouping message translation ' +
  'locale i18n l10n hash range lookup map dict index record item entity node field column property attribute param query search filter facet label ' +
  'tag metric dimension event topic stream queue job task span trace correlation request react vue list menu tab route path shortcut hot arrow ' +
  'modifier template config setting settings option preference feature flag experiment variant s3 bucket blob etag commit branch version release ' +
  'build artifact module package import export content document doc article post slug video thumbnail media photo folder directory window state ' +
  'store redux join match merge data parent child left right answer question json yaml xml csv env lock semaphore mutex resume resumption limit ' +
  'limiter throttle bundle chunk element component widget_type class type name value meta metadata context scope segment series set string text ' +
  'word term category section block step phase stage status error exception fingerprint host params args argument input output result response body payload entry props cache recv'
).split(' ');

/** Names that would be labels by their last words, and are none. */
export const NO_LABELS =
  'national_insurance_number national_insurance_no social_insurance_number social_insurance_no request_verification_token csrf_middleware_token authenticity_token confirm_text client_request_token hashed_token existing_secret'.split(
    ' ',
  );

/** Words before those of a secret that say whose it is. */
export const BRANDS: readonly (readonly [brand: string, tag: string])[] = [
  ['azure', 'AZURE_SECRET'],
  ['twilio', 'TWILIO_KEY'],
];

/** Labels in scripts that the rules of labels do not write. */
export const NATIVE_WORDS: readonly (readonly [tag: string, kind: ValueKind, words: string])[] = [
  [
    'PASSWORD',
    'password',
    'парола_за кодова_дума контрасенья пассворд лозинка гасло парола_доступа รหัส รหัสเข้า पास_वर्ड कूटशब्द συνθηματικό κωδικό κωδικος_προσβασης 비번 패스워드 ' +
      '비밀_번호 パスワード暗証 パス ログインパスワード 登录密码 登陆密码 登入密碼 密码是 密码为 كلمة_سر الرمز_السري رمز_المرور ססמה ססמא סיסמתי הסיסמה הססמה והסיסמה пароль пароля паролю пароли ' +
      'パスワード 暗証番号 密码 密碼 口令 비밀번호 암호 كلمة_المرور كلمة_السر סיסמה סיסמא गुप्तशब्द पासवर्ड รหัสผ่าน κωδικός κωδικός_πρόσβασης парола mật_khẩu mat_khau',
  ],
  [
    'PERSON',
    'person',
    'имя фамилия отчество фио полное_имя прізвище ім’я піб імя по_батькові получатель держатель владелец_карты контактное_лицо εγγεγραμμένος επώνυμο ' +
      'επίθετο ονομα презиме фамилно_име собствено_име имена 収取人 收件人 收款人 持卡人 联系人 聯絡人 客户姓名 中文名 患者姓名 お客様名 担当者 担当者名 受取人 カード名義 名義人 예금주 수취인 담당자 고객명 환자명 영문이름 ' +
      'اسم_العميل اسم_المريض اسم_المستفيد שם_פרטי שם_משפחה ชื่อจริง นามสกุล नाम_पूरा पूरा_नाम 姓名 名前 氏名 お名前 姓 이름 성명 성함 اسم الاسم الاسم_الكامل שם שם_מלא नाम ' +
      'ชื่อ ชื่อ-สกุล όνομα ονοματεπώνυμο име',
  ],
  [
    'STREET_ADDRESS',
    'address',
    'адрес улица адрес_проживания домашний_адрес место_жительства адреса_проживання вулиця ご住所 現住所 お住まい 家庭住址 收货地址 住址 통신지 집주소 배송지 도로명주소 عنوان_السكن ' +
      'العنوان_البريدي כתובת_מגורים διεύθυνση_κατοικίας οδός पता_घर ที่อยู่อาศัย 住所 地址 详细地址 주소 العنوان עنوان כתובת पता ที่อยู่ διεύθυνση адреса',
  ],
  ['API_KEY', 'token', 'токен ключ_api トークン apiキー 令牌 密钥 密鑰 api密钥 토큰 api키 رمز_الوصول'],
  ['GENERIC_SECRET', 'secret', 'секрет シークレット 秘密 비밀키'],
];
/** Words of scripts that write none apart: サーバーのパスワード, 服务器密码. */
export const GLUED_WORDS: readonly string[] = [
  'パスワード',
  '密码',
  '密碼',
  '비밀번호',
  '住所',
  '地址',
  '姓名',
  '氏名',
  '收件人',
  '联系人',
  '持卡人',
  '名義人',
];

/** Words that label only as a whole: see `wholeLabel`. */
export const WHOLE_WORDS: readonly (readonly [tag: string, kind: ValueKind, words: string])[] = [
  [
    'PERSON',
    'person',
    'nimi nev nev_es ime_i_prezime ime prezime ime_in_priimek isim isim_soyisim soyisim ad adi shem ten geboren_als guest_name ' +
      'legal_first legal_last prenoms emri mbiemri card_name driver_name owner_name contact_name given_names family_names surnames nachn vorna nom_usage next_of_kin_name',
  ],
  // who somebody is to a contract, a journey, a parcel: things have these names too, so that only full names count
  [
    'PERSON',
    'party',
    'keeper contact_person empfanger beneficiaire destinataire payer tenant guest traveller traveler passenger claimant policyholder policy_holder patientin kontaktperson ' +
      'emergency_contact_person emergency_contact attention_to paziente paciente pasajero consignee lead_guest main_guest primary_guest applicant client_contact ' +
      'signatory signed_by insured_person named_insured prepared_for bill_to sold_to customer_contact delegate lessee lessor landlord bride groom testator ' +
      'recipient assigned_to account_holder mottagare modtager mottaker ontvanger begunstigter zahlungsempfanger odbiorca beneficiario destinatario cardholder ' +
      'versicherungsnehmer versicherungsnehmerin antragsteller antragstellerin kontoinhaberin vermieter vermieterin kaufer kauferin verkaufer auftraggeber karteninhaber karteninhaberin ' +
      'rechnungsempfanger unterzeichner fahrgast reisender reisende gast mitarbeiter mitarbeiterin assure assuree locataire bailleur demandeur souscripteur acheteur vendeur ' +
      'salarie salariee eleve passager voyageur asegurado inquilino arrendatario comprador vendedor solicitante huesped trabajador alumno interesado ' +
      'assicurato locatario acquirente venditore richiedente passeggero ospite dipendente contraente verzekerde huurder verhuurder koper aanvrager werknemer ' +
      'rekeninghouder kaarthouder contactpersoon segurado requerente hospede passageiro funcionario najemca wynajmujacy kupujacy sprzedajacy wnioskodawca ubezpieczony pacjent pacjentka pasazer ' +
      'pracownik posiadacz hyresgast kontohavare leietaker lejer employee member contact student participant attendee resident donor',
  ],
  [
    'STREET_ADDRESS',
    'address',
    'domicile lieu_de_residence wohnort ulice bydliste trvale_bydliste lives_at residence rezidence residente_in resident_at adresse_domicile ' +
      'adresa_bydliste ulitsa adresse_postale address_line thoroughfare adr postadresse calle_y_numero direccion_de_envio domicilio_fiscal',
  ],
  [
    'STREET_ADDRESS',
    'place',
    'location venue place pickup pickup_location pick_up dropoff dropoff_location drop_off destination deliver_to ship_to meeting_point pickup_point',
  ],
];
