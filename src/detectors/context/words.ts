// Words and pairs of words, in lower case without accents; `_` joins a pair. Those that name a kind stand in its record.

/** Words after which a long number is an order, a measure or a counter; in balanced mode they outweigh its shape. */
export const NEGATIVE_WORDS =
  'order orders orderid tracking trackingnumber trace traceid span spanid timestamp ts seq sequence offset snowflake tweet ' +
  'request requests requestid build imei isbn ean upc gtin sku barcode serial lot nonce hash checksum sha md5 price amount total bytes size ' +
  'duration elapsed invoice ticket commit revision epoch cursor batch shipment parcel awb item product part model ' +
  'ack tid inode syscall gid usec nsec version ver rev firmware release issn doi asin imsi transaction transactions txn index idx count pid';

/** Words after which four dotted numbers are a version, not an address. */
export const VERSION_WORDS =
  'version versions ver v rev revision firmware build release sdk driver upgrade downgrade rfc section sections sec chapter clause ' +
  'appendix annex oid paragraph snmp mib chrome edg opr firefox safari headlesschrome';

/** Words that say a number follows, not which: enough for numbers formatted as telephone numbers. */
export const NUMBER_WORDS = 'number num nummer numero numéro no nr';

/** Words after a number that make it a telephone number: "089 72 63 41 office". */
export const AFTER_PHONE_WORDS =
  'office mobile fax cell phone telephone tel landline home work direct mobil handy';

/** Words before the number of a room, house or box. */
export const UNIT_WORDS = 'suite apt apartment unit room floor box house psc';

/** Words for an identity number of any country: its own checksum then tells which. */
export const IDENTITY_WORDS =
  'national_id national_identity nationalid identity_number identity_no personal_id personalid citizen_id citizenid id_card';
