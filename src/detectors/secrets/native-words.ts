import type { ValueKind } from './value-kind.ts';

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
